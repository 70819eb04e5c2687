import "server-only";
import { createHash } from "node:crypto";
import { z } from "zod";
import { canonicalJson } from "@/lib/domain/canonical-json";
import { adopted } from "@/lib/domain/drift";
import { DomainError } from "@/lib/domain/errors";
import { toYaml } from "@/lib/domain/manifest";
import type { KubeObject } from "@/lib/domain/manifest/kube-object";
import type { Caller } from "@/lib/domain/caller";
import type { Db } from "@/lib/platform/db";
import { kubeOfEnvironment } from "./clusters";
import { liveOf, markOf } from "./deployment-live";
import { deploymentsPreview } from "./deployment-preview";
import { environmentOfDeployment } from "./deployment-rows";
import { lookForDrift, wantedObjects, type DriftedObject } from "./drift-look";
import { read } from "./operation";
import { execute } from "./pipeline";
import { keyOf, renumber } from "./rendering";

const One = z.strictObject({ id: z.uuid() });
const Change = z.strictObject({ path: z.string(), wanted: z.string().nullable(), found: z.string().nullable(), owner: z.string().nullable(), isOverride: z.boolean().default(false) });
const Drifted = z.strictObject({ key: z.string(), kind: z.string(), name: z.string(), isGone: z.boolean(), changes: z.array(Change) });

export const driftGet = read({
  name: "drift.get",
  summary: "Where the cluster differs from the revision in force, by field and owner",
  permission: "environment.read",
  environment: environmentOfDeployment,
  input: One,
  output: z.strictObject({ objects: z.array(Drifted), since: z.iso.datetime().nullable() }),
  run: async ({ db, input }) => {
    const row = await db.drift.findUnique({ where: { deploymentId: input.id } });
    return { objects: (row?.objects ?? []) as DriftedObject[], since: row?.since.toISOString() ?? null }; // written by drift-look.ts
  },
});

const Prepared = z.strictObject({ digest: z.string().nullable(), summary: z.array(z.string()), blockers: z.array(z.string()), needsApproval: z.boolean() });

export const driftPreview = read({
  name: "drift.preview",
  summary: "A preview that takes changes made by hand over as a revision, or one that takes them back; deployments.apply carries it out",
  permission: "deployment.apply",
  environment: environmentOfDeployment,
  input: One.extend({ way: z.enum(["adopt", "revert"]) }),
  output: Prepared,
  run: async ({ caller, db, input, now }) => {
    const drifted = await lookForDrift(db, input.id, now);
    const wanted = await wantedObjects(db, input.id);
    if (!drifted || !wanted) throw new DomainError("conflict", "The deployment is being applied now. Look again when that has ended.");
    if (drifted.length === 0) throw new DomainError("conflict", "The cluster is as the revision says: there is nothing to adopt or to revert.");
    const owners = drifted.flatMap(({ key, changes }) => changes.flatMap(({ owner }) => (owner ?? "").split(", ").filter((name) => name !== "" && name !== "lectern").map((manager) => ({ key, manager }))));
    const takeOver = [...new Map(owners.map((one) => [`${one.key} ${one.manager}`, one])).values()];
    const note = input.way === "revert" ? "Takes back what was changed by hand" : "Adopts what was changed by hand";
    const way = { environmentId: wanted.environmentId, deploymentId: input.id, spec: wanted.spec, note, takeOver };
    const back = await execute(deploymentsPreview, { db, caller, input: way, now });
    if (input.way === "revert") return { digest: back.digest, summary: [...back.summary, ...(takeOver.length > 0 ? [`Takes the fields over from ${[...new Set(takeOver.map(({ manager }) => manager))].join(" and ")}.`] : [])], blockers: back.blockers, needsApproval: back.needsApproval };
    return prepareAdoption(db, { caller, now, deploymentId: input.id, wanted, back, takeOver, note });
  },
});

type Adoption = { caller: Caller; now: Date; deploymentId: string; wanted: NonNullable<Awaited<ReturnType<typeof wantedObjects>>>; back: z.output<typeof deploymentsPreview.output>; takeOver: { key: string; manager: string }[]; note: string };

/** Stores a preview whose objects are the live ones' values: applying it changes no value, it makes them Lectern's own. */
async function prepareAdoption(db: Db, { caller, now, deploymentId, wanted, back, takeOver, note }: Adoption): Promise<z.infer<typeof Prepared>> {
  const { kube, namespace } = await kubeOfEnvironment(db, wanted.environmentId);
  const pairs = await Promise.all(wanted.objects.map(async (object) => ({ object, live: await liveOf(kube, object) })));
  const kept = pairs.flatMap(({ object, live }) => (live ? [{ object: adoptedObject(object, live), live }] : []));
  if (!kept.some(({ object }) => object.kind === "Deployment")) throw new DomainError("unprocessable", "The Deployment itself is gone: there is nothing to adopt. Revert, or delete the deployment here.");
  const manifests = renumber(kept.map(({ object }) => object), { namespace, revision: back.revision });
  const engine = manifests.find((object) => object.kind === "Deployment");
  const replicas = typeof engine?.spec?.replicas === "number" ? engine.spec.replicas : wanted.spec.replicas;
  const bound = { environmentId: wanted.environmentId, deploymentId, number: back.revision, manifests, live: kept.map(({ object, live }) => markOf(keyOf(object), live)), prune: [], takeOver };
  const digest = createHash("sha256").update(canonicalJson({ namespace, note, ...bound })).digest("hex");
  const { digest: _, expiresAt: __, ...shown } = back;
  const summary = ["Makes the cluster's present values the next revision; no pod restarts for it."];
  const row = { ...bound, manifests: asJson(manifests), live: asJson(bound.live), takeOver: asJson(takeOver), spec: asJson({ ...wanted.spec, replicas }), shown: asJson({ ...shown, summary, yaml: toYaml(manifests), objects: shown.objects.map((object) => ({ ...object, state: "unchanged", changes: [] })) }), note, createdById: caller.actor.userId, createdAt: now };
  const until = new Date(now.getTime() + 86_400_000);
  await db.preview.upsert({ where: { digest }, create: { digest, ...row, expiresAt: until }, update: { expiresAt: until } });
  return { digest, summary, blockers: [], needsApproval: back.needsApproval };
}

/** Type, name, labels and annotations stay Lectern's; the rest is as it stands in the cluster. */
function adoptedObject(object: KubeObject, live: unknown): KubeObject {
  return { ...adopted(object, live), apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata };
}

function asJson(value: unknown) {
  return JSON.parse(JSON.stringify(value));
}
