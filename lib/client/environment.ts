"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import type { Output } from "@/lib/services/registry";
import { useRead } from "./hooks";

export type EnvironmentChoice = Output<"environments.list">["environments"][number];

/** The environment that the page is about: `?env=<slug>` in the address, so that a link shows the same; else development, where a first try belongs. */
export function useCurrentEnvironment(): { environments: EnvironmentChoice[]; environment: EnvironmentChoice | null; choose: (slug: string) => void } {
  const router = useRouter();
  const pathname = usePathname();
  const params = useSearchParams();
  const environments = useRead("environments.list", {}).data?.environments ?? [];
  const wanted = params.get("env");
  const environment = environments.find((each) => each.slug === wanted) ?? environments.find((each) => each.kind === "development") ?? environments.find((each) => !each.isSample) ?? environments[0] ?? null;
  const choose = (slug: string) => {
    const next = new URLSearchParams(params);
    next.set("env", slug);
    router.replace(`${pathname}?${next.toString()}`, { scroll: false });
  };
  return { environments, environment, choose };
}
