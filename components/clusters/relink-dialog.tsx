"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toaster";
import { useCan, useWrite } from "@/lib/client/hooks";
import type { Cluster } from "./cluster-health";
import { LinkForm } from "./link-form";

export function RelinkDialog({ cluster, isInCluster }: { cluster: Cluster; isInCluster: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const [namespace, setNamespace] = useState(cluster.environments[0]?.namespace ?? "lectern");
  const relink = useWrite("clusters.relink", ["preflight"]);
  const { reason } = useCan("portal.manage", null);
  const refusal = cluster.kind === "sandbox" ? "The sandbox is linked anew at every start." : reason;
  return (
    <Dialog open={isOpen} onOpenChange={setOpen} size="lg" trigger={<Button disabledReason={refusal}>Link again</Button>} title={`Link ${cluster.name} again`} description="The new credential replaces the old one; environments and deployments stay as they are.">
      <LinkForm
        isInCluster={isInCluster}
        namespace={namespace}
        onNamespace={setNamespace}
        problem={relink.error?.message ?? null}
        pending={relink.isPending}
        action="Replace the credential"
        onSubmit={(source) => relink.mutate({ id: cluster.id, source }, { onSuccess: ({ fingerprint }) => (toast.success(`The credential is now ${fingerprint}.`), setOpen(false)) })}
      />
    </Dialog>
  );
}
