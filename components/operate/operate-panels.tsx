"use client";

import { useRead } from "@/lib/client/hooks";
import { AdoptionPanel } from "./adoption-panel";
import { AlertRulesPanel, OpenAlerts } from "./alerts";
import { DriftPanel } from "./drift-panel";
import { HealthPanel } from "./health-panel";
import { MovingPanel } from "./moving-panel";
import { PrivacyPanel } from "./privacy-panel";
import { SavingsPanel } from "./savings-panel";
import { ScalingPanel } from "./scaling-panel";
import { DeploymentSchedulePanel, EnvironmentSchedulePanel } from "./schedule-panel";
import { UpgradePanel } from "./upgrade-panel";
import { WakePanel } from "./wake-panel";

const column = "mx-auto grid w-full max-w-[1440px] min-w-0 gap-6 px-4 pb-6 sm:px-6";

/** Everything about keeping a deployment in order, below its page. */
export function DeploymentOperatePanels({ id }: { id: string }) {
  const view = useRead("deployments.get", { id });
  if (!view.data) return null;
  const { environmentId, name } = view.data.deployment;
  return (
    <div className={column}>
      <OpenAlerts deploymentId={id} />
      <WakePanel deploymentId={id} />
      <DriftPanel deploymentId={id} environmentId={environmentId} />
      <HealthPanel deploymentId={id} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <div className="grid min-w-0 gap-6">
          <DeploymentSchedulePanel environmentId={environmentId} deploymentId={id} name={name} />
          <ScalingPanel deploymentId={id} environmentId={environmentId} />
          <SavingsPanel environmentId={environmentId} deploymentId={id} />
          <UpgradePanel deploymentId={id} environmentId={environmentId} />
          <MovingPanel deploymentId={id} environmentId={environmentId} />
        </div>
        <PrivacyPanel deploymentId={id} environmentId={environmentId} />
      </div>
    </div>
  );
}

/** The schedule and savings of an environment, below its page. */
export function EnvironmentOperatePanels({ slug }: { slug: string }) {
  const { data } = useRead("environments.list", {});
  const environment = data?.environments.find((one) => one.slug === slug);
  if (!environment || environment.isSample) return null;
  return (
    <div className={column}>
      {environment.cluster && <AdoptionPanel environmentId={environment.id} />}
      <EnvironmentSchedulePanel environmentId={environment.id} name={environment.name} />
      <AlertRulesPanel environmentId={environment.id} />
      <SavingsPanel environmentId={environment.id} />
    </div>
  );
}
