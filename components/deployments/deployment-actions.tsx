"use client";

import { Play, RotateCw, SlidersHorizontal } from "lucide-react";
import Link from "next/link";
import { ConfirmDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toaster";
import { useCan, useWrite } from "@/lib/client/hooks";
import type { DeploymentView } from "./deployment-page";
import { ScaleButton } from "./scale-button";
import { DeleteButton, StopButton } from "./take-away-buttons";

type Deployment = DeploymentView["deployment"];

/** Start or stop, restart, change and delete; what the person may not do is shown with the reason. */
export function DeploymentActions({ view }: { view: DeploymentView }) {
  const { deployment } = view;
  const isDown = deployment.state === "stopped" || deployment.state === "failed";
  return (
    <>
      {isDown ? <StartButton deployment={deployment} /> : <StopButton view={view} />}
      {deployment.state !== "stopped" && <RestartButton deployment={deployment} />}
      <ScaleButton view={view} />
      <ChangeButton deployment={deployment} />
      <DeleteButton view={view} />
    </>
  );
}

function ChangeButton({ deployment }: { deployment: Deployment }) {
  const may = useCan("deployment.apply", deployment.environmentId);
  const label = <><SlidersHorizontal aria-hidden /> Change</>;
  if (may.reason) return <Button disabledReason={may.reason}>{label}</Button>;
  return <Button asChild><Link href={`/deploy?deployment=${deployment.id}`}>{label}</Link></Button>;
}

function StartButton({ deployment }: { deployment: Deployment }) {
  const start = useWrite("deployments.start", ["costs"]);
  const may = useCan("deployment.stop", deployment.environmentId);
  return (
    <Button variant="primary" pending={start.isPending} disabledReason={may.reason} onClick={() => start.mutate({ id: deployment.id }, { onError: (error) => toast.error(error.message) })}>
      <Play aria-hidden /> {deployment.state === "failed" ? "Start again" : "Start"}
    </Button>
  );
}

function RestartButton({ deployment }: { deployment: Deployment }) {
  const restart = useWrite("deployments.restart");
  const may = useCan("deployment.stop", deployment.environmentId);
  const label = <><RotateCw aria-hidden /> Restart</>;
  if (may.reason) return <Button disabledReason={may.reason}>{label}</Button>;
  return (
    <ConfirmDialog
      trigger={<Button pending={restart.isPending}>{label}</Button>}
      title={`Restart ${deployment.name} in ${deployment.environmentName}?`}
      goes={["Its pods, one after the other or all at once as its update strategy says, with the pages that they are reading"]}
      stays={["The volume with the weights, so that it starts faster", "Its revision: nothing about it changes"]}
      actionLabel="Restart deployment"
      destructive={false}
      onConfirm={async () => {
        await restart.mutateAsync({ id: deployment.id });
        toast.success(`Restarting ${deployment.name}`);
      }}
    />
  );
}
