import { HydrationBoundary } from "@tanstack/react-query";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { RECENT_DEPLOYMENTS } from "@/lib/domain/recent-deployments";
import { pageCaller, prefetch } from "@/lib/services/prefetch";
import { PortalFrame } from "./portal-frame";

export const dynamic = "force-dynamic";

/** Sends visitors to the sign-in page. It protects nothing: every operation decides for itself. */
export default async function PortalLayout({ children }: { children: ReactNode }) {
  const caller = await pageCaller();
  if (caller.actor.kind === "anonymous") {
    const path = (await headers()).get("x-path") ?? "/";
    redirect(`/login?next=${encodeURIComponent(path)}`);
  }
  const state = await prefetch(["account.get", {}], ["environments.list", {}], ["deployments.list", RECENT_DEPLOYMENTS]);
  return (
    <HydrationBoundary state={state}>
      <PortalFrame>{children}</PortalFrame>
    </HydrationBoundary>
  );
}
