"use client";

import Link from "next/link";
import { memo, useDeferredValue, useState } from "react";
import { EnvironmentBadge, SandboxBadge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { deploymentStatusLook } from "@/components/ui/deployment-status";
import { Field, Input, Select } from "@/components/ui/field";
import { formatCount } from "@/components/ui/format";
import { Page, PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { Empty, ErrorState, LoadingTable } from "@/components/ui/states";
import { Status } from "@/components/ui/status";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow, TableRowHeader } from "@/components/ui/table";
import type { Output } from "@/lib/client/api";
import { useRead } from "@/lib/client/hooks";
import { useUrlState } from "@/lib/client/url-state";
import { DeploymentStatus } from "@/lib/domain/deployment";
import { EnvironmentKind } from "@/lib/domain/environment";
import { DEPLOYMENTS_PAGE } from "@/lib/domain/recent-deployments";

type List = Output<"deployments.list">;

/** Every deployment of every environment that I may see. The server searches and cuts: a screenful comes at a time, however many there are. */
export function DeploymentsPage() {
  const url = useUrlState();
  const [search, setSearch] = useState(url.get("search") ?? "");
  const environments = useRead("environments.list", {}).data?.environments ?? [];
  const environmentId = environments.find((each) => each.slug === url.get("env"))?.id;
  const state = DeploymentStatus.safeParse(url.get("state")).data;
  const wanted = { search: useDeferredValue(search).trim(), ...(environmentId ? { environmentId } : {}), ...(state ? { states: [state] } : {}) };
  const [more, setMore] = useState({ of: "", limit: DEPLOYMENTS_PAGE });
  const limit = more.of === JSON.stringify(wanted) ? more.limit : DEPLOYMENTS_PAGE;
  const { data, error, refetch, isFetching } = useRead("deployments.list", { ...wanted, limit }, { keepPrevious: true });
  return (
    <Page>
      <PageHeader title="Deployments" sentence={data && `${formatCount(data.total, "deployment")}${limit < data.total ? `, the newest ${data.deployments.length} shown` : ""}.`} />
      <div className="grid gap-3 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]">
        <Field label="Find">
          <Input type="search" value={search} placeholder="Name, model, size" maxLength={100} onChange={(event) => setSearch(event.target.value)} />
        </Field>
        <Field label="Environment">
          <Select value={environmentId ? url.get("env") : ""} onChange={(event) => url.set({ env: event.target.value })}>
            <option value="">All</option>
            {environments.map((each) => <option key={each.id} value={each.slug}>{each.name}</option>)}
          </Select>
        </Field>
        <Field label="State">
          <Select value={state ?? ""} onChange={(event) => url.set({ state: event.target.value })}>
            <option value="">Any</option>
            {DeploymentStatus.options.map((each) => <option key={each} value={each}>{each.replace("_", " ")}</option>)}
          </Select>
        </Field>
      </div>
      {error && <ErrorState problem={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingTable label="Loading deployments" />}
      {data && <Rows list={data} />}
      {data?.next && limit < 500 && (
        <Button className="justify-self-center" pending={isFetching} onClick={() => setMore({ of: JSON.stringify(wanted), limit: Math.min(500, limit + DEPLOYMENTS_PAGE) })}>
          Show more
        </Button>
      )}
    </Page>
  );
}

/** Drawn again only when an answer has come, and of its rows only those that changed: a letter typed costs nothing here. */
const Rows = memo(function Rows({ list }: { list: List }) {
  if (list.counts.length === 0) return <Empty title="Nothing is deployed yet." action={<Button asChild><Link href="/deploy">Deploy a model</Link></Button>}>Each model that serves pages stands here, with its state and size, also when it sleeps.</Empty>;
  if (list.deployments.length === 0) return <Empty title="No deployment is like that.">Search for less, or choose another environment or state.</Empty>;
  return (
    <Panel label="Deployments" padded={false}>
      <Table caption="Deployments, newest first">
        <TableHead>
          <TableHeader>Name</TableHeader>
          <TableHeader>State</TableHeader>
          <TableHeader>Environment</TableHeader>
          <TableHeader>Model</TableHeader>
          <TableHeader>GPU</TableHeader>
          <TableHeader numeric>Replicas</TableHeader>
          <TableHeader numeric>Revision</TableHeader>
        </TableHead>
        <TableBody>
          {list.deployments.map((each) => (
            <Row key={each.id} deployment={each} />
          ))}
        </TableBody>
      </Table>
    </Panel>
  );
});

const Row = memo(function Row({ deployment }: { deployment: List["deployments"][number] }) {
  const { id, name, state, environmentKind, environmentName, isSandbox, modelName, gpuName, skuName, replicas, revision } = deployment;
  return (
    <TableRow>
      <TableRowHeader>
        <Link href={`/deployments/${id}`} prefetch={false} className="underline-offset-4 hover:underline">{name}</Link>
      </TableRowHeader>
      <TableCell><Status state={deploymentStatusLook(state)}>{state.replace("_", " ")}</Status></TableCell>
      <TableCell>
        <span className="flex items-center gap-2">
          <EnvironmentBadge kind={EnvironmentKind.parse(environmentKind)}>{environmentName}</EnvironmentBadge>
          {isSandbox && <SandboxBadge />}
        </span>
      </TableCell>
      <TableCell>{modelName}</TableCell>
      <TableCell>{gpuName} on {skuName}</TableCell>
      <TableCell numeric>{replicas}</TableCell>
      <TableCell numeric>{revision}</TableCell>
    </TableRow>
  );
});
