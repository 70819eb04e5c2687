"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useCurrentEnvironment } from "@/lib/client/environment";
import { useActor, useRead } from "@/lib/client/hooks";
import { denialReason } from "@/lib/domain/policy";
import type { Output } from "@/lib/client/api";

export type Engine = Output<"engines.list">["engines"][number];
export type Preset = "fast" | "standard" | "best";
export const EMBEDDED = "embedded";

/** What the playground shows, kept in the address: document, run, page, engine, preset. */
export function usePlayground() {
  const router = useRouter();
  const pathname = usePathname();
  const params = useSearchParams();
  const { environment } = useCurrentEnvironment();
  const actor = useActor();
  const engines = useRead("engines.list", {}).data?.engines ?? [];
  const preset = params.get("preset");
  const set = (change: Record<string, string | null>) => {
    const next = new URLSearchParams(window.location.search);
    for (const [key, value] of Object.entries(change)) {
      if (value === null) next.delete(key);
      else next.set(key, value);
    }
    router.replace(`${pathname}?${next.toString()}`, { scroll: false });
  };
  return {
    environment,
    engines,
    engine: chooseEngine(engines, params.get("engine"), environment?.id ?? null),
    documentId: params.get("doc"),
    runId: params.get("run"),
    page: Math.max(1, Number(params.get("page") ?? 1) || 1),
    preset: (preset === "fast" || preset === "best" ? preset : "standard") as Preset,
    uploadDenial: actor && environment ? denialReason(actor, "document.upload", environment.id) : "Choose an environment first.",
    set,
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
