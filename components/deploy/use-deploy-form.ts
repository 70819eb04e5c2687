"use client";

import { useMemo, useState } from "react";
import { allSkus, modelById, models, skuById, type Sku } from "@/lib/domain/catalog";
import { DeploymentSpec, type DeploymentSpecInput } from "@/lib/domain/deployment";
import { DomainError } from "@/lib/domain/errors";
import { fits } from "@/lib/domain/fit";
import { manifests, toYaml } from "@/lib/domain/manifest";
import type { ManifestContext } from "@/lib/domain/manifest/context";
import type { PriceBook } from "@/lib/domain/price-book";
import { priceOfSku } from "@/lib/domain/sku-price";
import { USUAL_NAME } from "./usual-name";

export type Cloud = Sku["cloud"];
export type DeployTarget = { id: string; name: string; namespace: string };
/** What the form holds: a spec as it is typed, and where it goes. */
export type DeployDraft = DeploymentSpecInput & { environmentId: string };
/** A deployment that is changed: its place and name stay. */
export type Changed = { deploymentId: string; revision: number };

const FIRST_SKU = "aws-g6-xlarge";

export function defaultDraft(environmentId: string): DeployDraft {
  return { modelId: models[0]?.id ?? "", skuId: FIRST_SKU, environmentId, name: USUAL_NAME, spot: false };
}

type Start = { initial: DeployDraft; targets: DeployTarget[]; changed: Changed; book: PriceBook };

/** Everything the page shows about a draft, computed in the browser by the same functions that the server uses. */
export function useDeployForm({ initial, targets, changed: { deploymentId, revision }, book }: Start) {
  const [draft, setDraft] = useState(initial);
  const target = targets.find((each) => each.id === draft.environmentId);
  const model = modelById(draft.modelId);
  const sku = skuById(draft.skuId);
  const parsed = useMemo(() => {
    const { environmentId: _, ...spec } = draft;
    return DeploymentSpec.safeParse(spec);
  }, [draft]);
  const { spot = false, maxModelLen } = draft;
  const fit = useMemo(() => fits(model, sku, { spot, ...(maxModelLen ? { maxModelLen } : {}) }), [model, sku, spot, maxModelLen]);
  const rendered = useMemo(() => {
    if (!parsed.success || !target) return { yaml: null, problem: null };
    return render(parsed.data, { namespace: target.namespace, environmentId: target.id, deploymentId, revision: revision + 1, portalNamespace: null });
  }, [parsed, target, deploymentId, revision]);
  const errorOf = (field: keyof DeploymentSpecInput) => (parsed.success ? null : (parsed.error.issues.find((issue) => issue.path[0] === field)?.message ?? null));
  return {
    draft,
    set: (change: Partial<DeployDraft>) => setDraft((before) => ({ ...before, ...change })),
    model,
    sku,
    fit,
    yaml: rendered.yaml,
    overlayProblem: rendered.problem,
    book,
    price: priceOfSku(draft.skuId, book),
    spec: parsed.success ? parsed.data : null,
    errorOf,
    firstError: parsed.success ? rendered.problem : (parsed.error.issues[0]?.message ?? "Something in the form is not right."),
  };
}
export type DeployForm = ReturnType<typeof useDeployForm>;

/** An override that does not apply is the person's to mend; anything else is a fault of ours. */
function render(spec: DeploymentSpec, at: ManifestContext): { yaml: string | null; problem: string | null } {
  try {
    return { yaml: toYaml(manifests(spec, at)), problem: null };
  } catch (error) {
    if (error instanceof DomainError) return { yaml: null, problem: error.message };
    throw error;
  }
}

export const CLOUDS: { value: Cloud; label: string }[] = [
  { value: "aws", label: "AWS" },
  { value: "gcp", label: "Google Cloud" },
  { value: "azure", label: "Azure" },
  { value: "scaleway", label: "Scaleway" },
  { value: "own", label: "Own nodes" },
];

/** The sizes of one cloud: those with a price first, cheapest first. */
export function skusOf(cloud: Cloud, book: PriceBook): Sku[] {
  const costOf = (sku: Sku) => {
    const price = priceOfSku(sku.id, book);
    return price.state === "priced" ? Number(price.perHour) : Number.POSITIVE_INFINITY;
  };
  return allSkus().filter((sku) => sku.cloud === cloud).sort((a, b) => costOf(a) - costOf(b));
}
