"use client";

import { useSearchParams } from "next/navigation";
import { Page, PageHeader } from "@/components/ui/page-header";
import { Empty, LoadingPanels } from "@/components/ui/states";
import { useActor, useRead } from "@/lib/client/hooks";
import { can } from "@/lib/domain/policy";
import { ChangePage } from "./change-page";
import { DeployForms, type Targets } from "./deploy-forms";
import { defaultDraft } from "./use-deploy-form";

type DeployPageProps = { deploymentId: string };

/** Development first: the place where a first try belongs. */
function preferred(targets: Targets, wanted: string | null): string {
  return (targets.find((each) => each.slug === wanted) ?? targets.find((each) => each.kind === "development") ?? targets[0])?.id ?? "";
}

export function DeployPage({ deploymentId }: DeployPageProps) {
  const params = useSearchParams();
  const actor = useActor();
  const { data } = useRead("environments.list", {});
  const changed = params.get("deployment");
  if (!actor || !data) return <Page><LoadingPanels count={2} /></Page>;
  const targets = data.environments.filter((each) => each.cluster && can(actor, "deployment.apply", each.id));
  if (changed) return <ChangePage key={`${changed} ${params}`} id={changed} targets={targets} />;
  return (
    <Page>
      <PageHeader title="Deploy" sentence="Choose a model and a GPU node. Everything that will be created is on the right, before it is." />
      {targets.length === 0 ? (
        <Empty title="You may not deploy to any environment yet.">Ask an admin of an environment for the role deployer.</Empty>
      ) : (
        <DeployForms changed={{ deploymentId, revision: 0 }} targets={targets} draft={defaultDraft(preferred(targets, params.get("env")))} />
      )}
    </Page>
  );
}
