"use client";

import { ConfirmDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/components/ui/toaster";
import { useCan, useWrite } from "@/lib/client/hooks";

/** Says that nothing here was measured, and takes it away. */
export function SampleNotice() {
  const remove = useWrite("samples.remove", ["environments", "costs", "deployments"]);
  const may = useCan("portal.manage", null);
  return (
    <Notice
      tone="warning"
      title="This is sample data"
      action={
        may.reason ? (
          <Button disabledReason={may.reason}>Remove the sample data</Button>
        ) : (
          <ConfirmDialog
            trigger={<Button>Remove the sample data</Button>}
            title="Remove the sample data?"
            goes={["The environment Showcase", "90 days of invented usage and node hours"]}
            stays={["Everything that was really measured"]}
            actionLabel="Remove the sample data"
            onConfirm={async () => {
              await remove.mutateAsync({});
              toast.success("The sample data is gone");
            }}
          />
        )
      }
    >
      Ninety days of invented usage, so that a first look is not empty. Nothing of it was measured.
    </Notice>
  );
}
