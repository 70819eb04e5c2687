"use client";

import Link from "next/link";
import { EnvironmentBadge, SampleBadge, SandboxBadge } from "@/components/ui/badge";
import { Page, PageHeader } from "@/components/ui/page-header";
import { problemOf } from "@/components/ui/problem";
import { Empty, ErrorState, LoadingPanels } from "@/components/ui/states";
import { useCan, useRead } from "@/lib/client/hooks";
import { EditDialog } from "./edit-dialog";
import { InvitationPanel } from "./invitation-panel";
import { MemberPanel } from "./member-panel";
import { MoveDialog } from "./move-dialog";
import { NotificationPanel } from "./notification-panel";
import { RulesPanel } from "./rules-panel";

export type EnvironmentPageProps = { slug: string };

export function EnvironmentPage({ slug }: EnvironmentPageProps) {
  const { data, error, refetch } = useRead("environments.list", {});
  const environment = data?.environments.find((one) => one.slug === slug);
  const manages = useCan("member.manage", environment?.id ?? null);

  if (error) return <ErrorState problem={problemOf(error)} onRetry={() => void refetch()} />;
  if (!data) return <LoadingPanels label="Loading the environment" />;
  if (!environment) {
    return (
      <Page>
        <Empty title="There is no such environment, or you have no role in it." action={<Link href="/">Back to the overview</Link>} />
      </Page>
    );
  }
  return (
    <Page>
      <PageHeader
        title={environment.name}
        sentence={
          <>
            Namespace <code className="font-mono">{environment.namespace}</code>
            {environment.cluster ? ` on the cluster ${environment.cluster.name}` : ", with no cluster linked"}. Documents are kept for {environment.retentionHours} h.
          </>
        }
        badges={
          <>
            <EnvironmentBadge kind={environment.kind} />
            {environment.cluster?.kind === "sandbox" && <SandboxBadge />}
            {environment.isSample && <SampleBadge />}
          </>
        }
        back={<Link href="/environments">Environments</Link>}
        action={
          <>
            <MoveDialog environment={environment} />
            <EditDialog environment={environment} />
          </>
        }
      />
      <RulesPanel environmentId={environment.id} kind={environment.kind} />
      <NotificationPanel environmentId={environment.id} />
      <MemberPanel environmentId={environment.id} />
      {manages.allowed && <InvitationPanel environmentId={environment.id} environmentName={environment.name} />}
    </Page>
  );
}
