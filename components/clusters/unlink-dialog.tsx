"use client";

import { useRouter } from "next/navigation";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/alert-dialog";
import { formatCount } from "@/components/ui/format";
import { useCan, useWrite } from "@/lib/client/hooks";
import type { Cluster } from "./cluster-health";

export function UnlinkDialog({ cluster }: { cluster: Cluster }) {
  const router = useRouter();
  const unlink = useWrite("clusters.unlink", ["environments", "deployments"]);
  const { reason } = useCan("portal.manage", null);
  const refusal = cluster.kind === "sandbox" ? "The sandbox belongs to Lectern itself." : reason;
  const forgets = cluster.deployments > 0;
  return (
    <ConfirmDialog
      trigger={<Button disabledReason={refusal}>Unlink</Button>}
      title={`Unlink ${cluster.name}?`}
      description={forgets ? `${formatCount(cluster.deployments, "deployment")} run there. Better delete them first; unlinked, Lectern forgets them and they run on, and are paid.` : undefined}
      goes={["The sealed credential", ...(forgets ? [`Lectern's knowledge of ${formatCount(cluster.deployments, "deployment")}`] : [])]}
      stays={["Everything in the cluster itself", "The environments, without a cluster", "Usage, costs and the audit log"]}
      typedName={cluster.name}
      actionLabel={forgets ? "Unlink and forget" : "Unlink cluster"}
      onConfirm={async () => {
        await unlink.mutateAsync({ id: cluster.id, forget: forgets });
        router.push("/clusters");
      }}
    />
  );
}
