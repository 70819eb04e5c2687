"use client";

import { Play, SlidersHorizontal, Square, Trash2 } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { ConfirmDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toaster";
import { useCan, useWrite } from "@/lib/client/hooks";
import type { DeploymentView } from "./deployment-page";

type Deployment = DeploymentView["deployment"];

/** Stop or start, and delete; what the person may not do is shown with the reason. */
export function DeploymentActions({ deployment }: { deployment: Deployment }) {
  return (
    <>
      {deployment.state === "stopped" || deployment.state === "failed" ? <StartButton deployment={deployment} /> : <StopButton deployment={deployment} />}
      <ChangeButton deployment={deployment} />
      <DeleteButton deployment={deployment} />
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

function StopButton({ deployment }: { deployment: Deployment }) {
  const stop = useWrite("deployments.stop", ["costs"]);
  const may = useCan("deployment.stop", deployment.environmentId);
  if (may.reason) return <Button disabledReason={may.reason}><Square aria-hidden /> Stop</Button>;
  return (
    <ConfirmDialog
      trigger={<Button pending={stop.isPending}><Square aria-hidden /> Stop</Button>}
      title={`Stop ${deployment.name} in ${deployment.environmentName}?`}
      goes={["Its pods, with the pages that they are reading"]}
      stays={["The volume with the weights, so that it starts faster", "Its revisions, usage and costs"]}
      actionLabel="Stop deployment"
      destructive={false}
      onConfirm={async () => {
        await stop.mutateAsync({ id: deployment.id });
        toast.success(`Stopping ${deployment.name}`);
      }}
    />
  );
}

function DeleteButton({ deployment }: { deployment: Deployment }) {
  const router = useRouter();
  const remove = useWrite("deployments.delete", ["costs"]);
  const may = useCan("deployment.delete", deployment.environmentId);
  const label = <><Trash2 aria-hidden /> Delete</>;
  if (may.reason) return <Button disabledReason={may.reason}>{label}</Button>;
  return (
    <ConfirmDialog
      trigger={<Button pending={remove.isPending}>{label}</Button>}
      title={`Delete ${deployment.name} in ${deployment.environmentName}?`}
      goes={["Its pods and its Service", "The volume with the weights: a new deployment downloads them again"]}
      stays={["Its usage, its node hours and their costs", "Documents and texts that it has read"]}
      {...(deployment.environmentKind === "production" ? { typedName: deployment.name } : {})}
      actionLabel="Delete deployment"
      onConfirm={async () => {
        await remove.mutateAsync({ id: deployment.id });
        toast.success(`${deployment.name} was deleted`);
        router.push("/");
      }}
    />
  );
}
