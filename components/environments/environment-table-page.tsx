"use client";

import Link from "next/link";
import { EnvironmentBadge, SampleBadge, SandboxBadge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { formatCount } from "@/components/ui/format";
import { Page, PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { problemOf } from "@/components/ui/problem";
import { Empty, ErrorState, LoadingTable } from "@/components/ui/states";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow, TableRowHeader } from "@/components/ui/table";
import { useActor, useRead } from "@/lib/client/hooks";
import { highestRole } from "@/lib/domain/member";
import type { Actor } from "@/lib/domain/policy";
import type { Output } from "@/lib/client/api";
import { CreateDialog } from "./create-dialog";

type EnvironmentRow = Output<"environments.list">["environments"][number];

export function EnvironmentTablePage() {
  const { data, error, refetch } = useRead("environments.list", {});
  const sentence = data ? `${formatCount(data.environments.length, "environment")} in which you have a role. Open one to see who works there.` : undefined;
  return (
    <Page>
      <PageHeader title="Environments" sentence={sentence} action={<PageActions />} />
      {error && <ErrorState problem={problemOf(error)} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingTable label="Loading environments" rows={3} />}
      {data?.environments.length === 0 && <Empty title="You have no role in any environment yet. Ask an admin of one to add you." />}
      {data && data.environments.length > 0 && (
        <Panel label="Environments" padded={false}>
          <EnvironmentTable environments={data.environments} />
        </Panel>
      )}
    </Page>
  );
}

function PageActions() {
  return (
    <span className="flex flex-wrap gap-2">
      <Button asChild>
        <Link href="/environments/previews">Preview environments</Link>
      </Button>
      <CreateDialog />
    </span>
  );
}

function EnvironmentTable({ environments }: { environments: EnvironmentRow[] }) {
  const actor = useActor();
  return (
    <Table caption="Environments">
      <TableHead>
        <TableHeader>Name</TableHeader>
        <TableHeader>Kind</TableHeader>
        <TableHeader>Cluster</TableHeader>
        <TableHeader>Namespace</TableHeader>
        <TableHeader>Your role</TableHeader>
      </TableHead>
      <TableBody>
        {environments.map((row) => (
          <TableRow key={row.id}>
            <TableRowHeader>
              <Link href={`/environments/${row.slug}`} className="underline-offset-4 hover:underline">
                {row.name}
              </Link>
            </TableRowHeader>
            <TableCell>
              <EnvironmentBadge kind={row.kind} />
            </TableCell>
            <TableCell>
              <span className="flex items-center gap-2">
                {row.cluster?.name ?? "–"}
                {row.cluster?.kind === "sandbox" && <SandboxBadge />}
                {row.isSample && <SampleBadge />}
              </span>
            </TableCell>
            <TableCell mono>{row.namespace}</TableCell>
            <TableCell>{actor ? roleIn(actor, row.id) : ""}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function roleIn(actor: Actor, environmentId: string): string {
  if (actor.isOwner) return "owner";
  return highestRole(actor.grants.filter((grant) => grant.environmentId === environmentId).map((grant) => grant.role));
}
