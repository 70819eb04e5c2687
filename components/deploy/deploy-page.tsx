"use client";

import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { Button } from "@/components/ui/button";
import { Page, PageHeader } from "@/components/ui/page-header";
import { Empty, LoadingPanels } from "@/components/ui/states";
import type { Output } from "@/lib/client/api";
import { useActor, useRead } from "@/lib/client/hooks";
import { can } from "@/lib/domain/policy";
import { ChangePage } from "./change-page";
import { DeployForms, type Targets } from "./deploy-forms";
import { defaultDraft } from "./use-deploy-form";
import { USUAL_NAME } from "./usual-name";

type DeployPageProps = { deploymentId: string };

/** Development first: the place where a first try belongs. */
function preferred(targets: Targets, wanted: string | null): string {
  return (targets.find((each) => each.slug === wanted) ?? targets.find((each) => each.kind === "development") ?? targets[0])?.id ?? "";
}

/** The usual name, with a number where the environment has it already, so that the first click works. */
function firstDraft(environmentId: string, deployments: Output<"deployments.list">["deployments"]) {
  const draft = defaultDraft(environmentId);
  const taken = new Set(deployments.filter((each) => each.environmentId === environmentId).map((each) => each.name));
  let name = draft.name;
  for (let number = 2; taken.has(name); number += 1) name = `${draft.name}-${number}`;
  return { ...draft, name };
}

export function DeployPage({ deploymentId }: DeployPageProps) {
  const params = useSearchParams();
  const actor = useActor();
  const { data } = useRead("environments.list", {});
  const running = useRead("deployments.list", { search: USUAL_NAME, limit: 500 });
  const changed = params.get("deployment");
  if (!actor || !data || !running.data) return <Page><LoadingPanels count={2} /></Page>;
  const targets = data.environments.filter((each) => each.cluster && can(actor, "deployment.apply", each.id));
  if (changed) return <ChangePage key={`${changed} ${params}`} id={changed} targets={targets} />;
  return (
    <Page>
      <PageHeader
        title="Deploy"
        sentence="Choose a model and a GPU node. Everything that will be created is on the right, before it is."
        action={can(actor, "portal.manage", null) ? <Button asChild><Link href="/deploy/catalogue">Catalogue</Link></Button> : undefined}
      />
      {targets.length === 0 ? (
        <Empty title="You may not deploy to any environment yet.">Ask an admin of an environment for the role deployer.</Empty>
      ) : (
        <DeployForms changed={{ deploymentId, revision: 0 }} targets={targets} draft={firstDraft(preferred(targets, params.get("env")), running.data.deployments)} />
      )}
    </Page>
  );
}
