"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Square, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { ConfirmDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { useFreshSignIn } from "@/components/ui/sign-in-again";
import { toast } from "@/components/ui/toaster";
import { useCan, useWrite } from "@/lib/client/hooks";
import { whileLeaving } from "@/lib/client/leaving";
import type { DeploymentView } from "./deployment-page";

type ViewProps = { view: DeploymentView };

/** In production the name is typed, and the server compares it. */
function typedNameOf({ deployment }: DeploymentView): { typedName?: string } {
  return deployment.environmentKind === "production" ? { typedName: deployment.name } : {};
}

export function StopButton({ view }: ViewProps) {
  const { deployment } = view;
  const stop = useWrite("deployments.stop", ["costs"]);
  const may = useCan("deployment.stop", deployment.environmentId);
  const { withFreshSignIn, signInDialog } = useFreshSignIn();
  if (may.reason) return <Button disabledReason={may.reason}><Square aria-hidden /> Stop</Button>;
  return (
    <>
      <ConfirmDialog
        trigger={<Button pending={stop.isPending}><Square aria-hidden /> Stop</Button>}
        title={`Stop ${deployment.name} in ${deployment.environmentName}?`}
        goes={["Its pods, with the pages that they are reading"]}
        stays={["The volume with the weights, so that it starts faster", "Its revisions, usage and costs"]}
        {...typedNameOf(view)}
        actionLabel="Stop deployment"
        destructive={false}
        onConfirm={async () => {
          await withFreshSignIn(() => stop.mutateAsync({ id: deployment.id, confirmName: deployment.name }));
          toast.success(`Stopping ${deployment.name}`);
        }}
      />
      {signInDialog}
    </>
  );
}

/** Everything that any revision has put into the cluster, and that none has taken away since. */
function objectsOf({ revisions }: DeploymentView): string[] {
  const oldestFirst = revisions.flatMap((revision) => revision.rollouts).reverse();
  const done = oldestFirst.flatMap((rollout) => rollout.objects).filter((each) => each.outcome !== "not tried");
  const last = new Map(done.map((each) => [`${each.kind} ${each.name}`, each.outcome]));
  return [...last].filter(([, outcome]) => outcome !== "deleted").map(([object]) => (object.startsWith("PersistentVolumeClaim") ? `${object}, with the weights: a new deployment downloads them again` : object));
}

export function DeleteButton({ view }: ViewProps) {
  const { deployment } = view;
  const router = useRouter();
  const client = useQueryClient();
  const remove = useWrite("deployments.delete", ["costs"]);
  const may = useCan("deployment.delete", deployment.environmentId);
  const { withFreshSignIn, signInDialog } = useFreshSignIn();
  const label = <><Trash2 aria-hidden /> Delete</>;
  if (may.reason) return <Button disabledReason={may.reason}>{label}</Button>;
  return (
    <>
      <ConfirmDialog
        trigger={<Button pending={remove.isPending}>{label}</Button>}
        title={`Delete ${deployment.name} in ${deployment.environmentName}?`}
        goes={["Its pods and its Service", ...objectsOf(view)]}
        stays={["Its usage, its node hours and their costs", "Documents and texts that it has read"]}
        {...typedNameOf(view)}
        actionLabel="Delete deployment"
        onConfirm={async () => {
          await withFreshSignIn(() => whileLeaving(client, deployment.id, () => remove.mutateAsync({ id: deployment.id, confirmName: deployment.name })));
          toast.success(`${deployment.name} was deleted`);
          router.push("/");
        }}
      />
      {signInDialog}
    </>
  );
}
