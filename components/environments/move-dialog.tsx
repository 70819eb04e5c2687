"use client";

import { useState, type FormEvent } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/components/ui/toaster";
import { useCan, useWrite } from "@/lib/client/hooks";
import type { EnvironmentProps } from "./edit-dialog";
import { PlaceFields, placeOf } from "./place-fields";

export function MoveDialog({ environment }: EnvironmentProps) {
  const [isOpen, setOpen] = useState(false);
  const move = useWrite("environments.move", ["clusters", "approvals"]);
  const { reason } = useCan("portal.manage", null);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    move.mutate({ id: environment.id, ...placeOf(new FormData(event.currentTarget)) }, { onSuccess: () => (toast.success(`${environment.name} has a new place.`), setOpen(false)) });
  }

  return (
    <Dialog open={isOpen} onOpenChange={setOpen} trigger={<Button disabledReason={reason}>Move</Button>} title={`Move ${environment.name}`} description="To another cluster or namespace, while it has no deployments. Approvals that were given become void.">
      <form onSubmit={submit} className="grid gap-4">
        {move.error && <Notice tone="failed" title={move.error.message} />}
        <PlaceFields clusterId={environment.cluster?.id ?? null} namespace={environment.namespace} />
        <Button type="submit" variant="primary" pending={move.isPending} className="justify-self-end">
          Move environment
        </Button>
      </form>
    </Dialog>
  );
}
