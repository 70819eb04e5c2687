"use client";

import { Rocket, ScanText } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { Suspense, useEffect, useState, type ReactNode } from "react";
import { AppFrame } from "@/components/frame/app-frame";
import { BypassNotices } from "@/components/frame/bypass-notices";
import { visibleRoutes } from "@/components/frame/nav-items";
import { useCurrentEnvironment } from "@/lib/client/environment";
import { useActor, useRead, useSignOut } from "@/lib/client/hooks";
import { useLive, useLiveState } from "@/lib/client/live";
import { leaveForSignIn } from "@/lib/client/session";
import { can, type Permission } from "@/lib/domain/policy";
import { RECENT_DEPLOYMENTS } from "@/lib/domain/recent-deployments";

/** Keeps every list of an environment's deployments true while any page is open. */
function FollowEnvironment({ id }: { id: string }) {
  useLive(`environment:${id}`);
  return null;
}

function useRoutes(environmentIds: string[]): string[] {
  const actor = useRead("account.get", {}).data;
  if (!actor) return [];
  const somewhere = (permission: Permission) => can(actor, permission, null) || environmentIds.some((id) => can(actor, permission, id));
  return visibleRoutes(somewhere);
}

/** The stream asks who one is when the session ends; the answer is then a refusal. */
function useSessionEnd(): void {
  const isOver = useRead("account.get", {}).error?.status === 401;
  useEffect(() => {
    if (isOver) leaveForSignIn();
  }, [isOver]);
}

function Frame({ children }: { children: ReactNode }) {
  useSessionEnd();
  const signOut = useSignOut();
  const router = useRouter();
  const pathname = usePathname();
  const actor = useActor();
  const { environments, environment, choose } = useCurrentEnvironment();
  const routes = useRoutes(environments.map((each) => each.id));
  const live = useLiveState();
  const [sought, setSought] = useState("");
  const me = useRead("account.get", {}).data;
  const deployments = useRead("deployments.list", sought === "" ? RECENT_DEPLOYMENTS : { search: sought, limit: 20 }, { keepPrevious: true }).data?.deployments ?? [];
  const actions = deployments.map((each) => ({
    id: each.id,
    label: `${each.environmentName} / ${each.name}`,
    icon: Rocket,
    group: "Deployments",
    onSelect: () => router.push(`/deployments/${each.id}`),
  }));
  const quick = routes.includes("/playground") ? [{ id: "read", label: "Read a document", icon: ScanText, group: "Actions", onSelect: () => router.push("/playground") }] : [];
  return (
    <AppFrame
      user={{ name: actor?.name ?? "", email: me?.email ?? "" }}
      environments={environments}
      environment={environment?.slug ?? null}
      onEnvironmentChange={choose}
      canSee={routes}
      live={live.status === "stale" ? { state: "stale", since: live.since } : { state: live.status === "connecting" ? "connecting" : "live" }}
      actions={[...quick, ...actions]}
      onSearch={setSought}
      onSignOut={() => void signOut()}
    >
      {environments.map((each) => (
        <FollowEnvironment key={each.id} id={each.id} />
      ))}
      <BypassNotices pathname={pathname} environments={environments} />
      {children}
    </AppFrame>
  );
}

export function PortalFrame({ children }: { children: ReactNode }) {
  return (
    <Suspense>
      <Frame>{children}</Frame>
    </Suspense>
  );
}
