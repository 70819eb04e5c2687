"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toaster";
import { useCan, useWrite } from "@/lib/client/hooks";
import { LinkForm } from "./link-form";

export function LinkDialog({ isInCluster }: { isInCluster: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const [namespace, setNamespace] = useState("lectern");
  const router = useRouter();
  const link = useWrite("clusters.link");
  const { reason } = useCan("portal.manage", null);
  const toggle = (open: boolean) => {
    setOpen(open);
    if (open) link.reset();
  };
  return (
    <Dialog
      open={isOpen}
      onOpenChange={toggle}
      size="lg"
      trigger={
        <Button variant="primary" disabledReason={reason}>
          Link a cluster
        </Button>
      }
      title="Link a cluster"
      description="Lectern tries the credential first: the way to the cluster, its version, and every right that is needed."
    >
      <LinkForm
        isInCluster={isInCluster}
        namespace={namespace}
        onNamespace={setNamespace}
        problem={link.error?.message ?? null}
        pending={link.isPending}
        action="Link cluster"
        onSubmit={(source, values) => {
          const input = { name: String(values.get("name")), namespace: String(values.get("namespace")), source };
          link.mutate(input, { onSuccess: ({ id, name }) => (toast.success(`${name} is linked.`), toggle(false), router.push(`/clusters/${id}`)) });
        }}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Name" hint="As your people call it: “Paris production”." required>
            <Input name="name" required maxLength={60} autoComplete="off" />
          </Field>
          <Field label="Namespace" hint="Where rights are checked; environments may use others." required>
            <Input name="namespace" mono required value={namespace} onChange={(event) => setNamespace(event.target.value)} />
          </Field>
        </div>
      </LinkForm>
    </Dialog>
  );
}
