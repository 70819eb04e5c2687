"use client";

import { useSearchParams } from "next/navigation";
import { useCurrentEnvironment } from "@/lib/client/environment";
import { useActor, useRead } from "@/lib/client/hooks";
import { can, denialReason } from "@/lib/domain/policy";
import type { Output } from "@/lib/client/api";

export type Engine = Output<"engines.list">["engines"][number];
export type Preset = "fast" | "standard" | "best";
export type TextForm = "rendered" | "raw" | "json";
export const EMBEDDED = "embedded";

/** Changes the address without asking the server for the page again; useSearchParams follows. */
function setParams(change: Record<string, string | null>): void {
  const next = new URLSearchParams(window.location.search);
  for (const [key, value] of Object.entries(change)) {
    if (value === null || value === "") next.delete(key);
    else next.set(key, value);
  }
  window.history.replaceState(null, "", `${window.location.pathname}?${next.toString()}`);
}

/** Page and block as the address says at this moment: keys may come faster than the screen is drawn. Counted as in the address, from 1; 0 is none. */
export function placeNow(): { page: number; block: number } {
  const params = new URLSearchParams(window.location.search);
  return { page: Number(params.get("page") ?? 1) || 1, block: Number(params.get("block") ?? 0) || 0 };
}

/** What the playground shows, kept in the address: document, run, page, block, engine, preset, form of the text, hidden labels, search. */
export function usePlayground() {
  const params = useSearchParams();
  const { environment } = useCurrentEnvironment();
  const actor = useActor();
  const engines = useRead("engines.list", {}).data?.engines ?? [];
  const preset = params.get("preset");
  const form = params.get("form");
  const block = Number(params.get("block"));
  return {
    environment,
    engines,
    engine: chooseEngine(engines, params.get("engine"), environment?.id ?? null),
    documentId: params.get("doc"),
    runId: params.get("run"),
    page: Math.max(1, Number(params.get("page") ?? 1) || 1),
    /** Index of the chosen block on its page; the address counts from 1. */
    block: Number.isInteger(block) && block > 0 ? block - 1 : null,
    preset: (preset === "fast" || preset === "best" ? preset : "standard") as Preset,
    form: (form === "raw" || form === "json" ? form : "rendered") as TextForm,
    hidden: new Set((params.get("hide") ?? "").split(",").filter(Boolean)) as ReadonlySet<string>,
    query: params.get("find") ?? "",
    uploadDenial: actor && environment ? denialReason(actor, "document.upload", environment.id) : "Choose an environment first.",
    canEditRules: Boolean(actor && environment && can(actor, "environment.edit", environment.id)),
    set: setParams,
  };
}
export type Playground = ReturnType<typeof usePlayground>;

export function engineKey(engine: Engine): string {
  return engine.deploymentId ?? EMBEDDED;
}

/** The engine of the address, else a ready deployment here, else any, else the embedded one. */
function chooseEngine(engines: Engine[], wanted: string | null, environmentId: string | null): Engine | null {
  const named = engines.find((engine) => engineKey(engine) === wanted);
  return named ?? engines.find((engine) => engine.environmentId === environmentId && !engine.isEmbedded) ?? engines[0] ?? null;
}
