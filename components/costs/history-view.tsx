"use client";

import { ConfirmDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { Panel } from "@/components/ui/panel";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow, TableRowHeader } from "@/components/ui/table";
import { toast } from "@/components/ui/toaster";
import { useCan, useRead, useWrite } from "@/lib/client/hooks";
import { CostSettingsForm } from "./cost-settings-form";
import { ImportForm } from "./import-form";

export type HistoryViewProps = { environmentId: string };

/** History from files, and how the whole portal counts. */
export function HistoryView({ environmentId }: HistoryViewProps) {
  const list = useRead("imports.list", { environmentId });
  const may = useCan("environment.edit", environmentId);
  const imports = list.data?.imports ?? [];
  return (
    <div className="grid gap-6">
      <Panel title="Import history" description="Pages by hour, or node hours, from before Lectern. All of a file counts, or nothing of it.">
        <ImportForm environmentId={environmentId} reason={may.reason ?? null} />
      </Panel>
      <Panel title="Imported files" padded={false}>
        {imports.length === 0 ? (
          <p className="p-4 text-muted-foreground">No file was imported into this environment.</p>
        ) : (
          <Table caption="Imported files">
            <TableHead>
              <TableHeader>File</TableHeader>
              <TableHeader>Holds</TableHeader>
              <TableHeader numeric>Rows</TableHeader>
              <TableHeader>By</TableHeader>
              <TableHeader>State</TableHeader>
            </TableHead>
            <TableBody>
              {imports.map((one) => (
                <TableRow key={one.id}>
                  <TableRowHeader wrap>{one.fileName}</TableRowHeader>
                  <TableCell>{one.kind === "pages" ? "pages by hour" : "node hours"}</TableCell>
                  <TableCell numeric>{one.rows}</TableCell>
                  <TableCell>
                    {one.by}, {one.createdAt.slice(0, 10)}
                  </TableCell>
                  <TableCell>{one.undoneAt ? `taken back on ${one.undoneAt.slice(0, 10)}` : <UndoButton id={one.id} fileName={one.fileName} reason={may.reason ?? null} />}</TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        )}
      </Panel>
      <CostSettingsForm />
    </div>
  );
}

function UndoButton({ id, fileName, reason }: { id: string; fileName: string; reason: string | null }) {
  const undo = useWrite("imports.undo", ["costs"]);
  if (reason) return <Button size="sm" disabledReason={reason}>Take back</Button>;
  return (
    <ConfirmDialog
      trigger={<Button size="sm">Take back</Button>}
      title={`Take ${fileName} back?`}
      goes={["All pages or node hours that came with this file, from every figure"]}
      stays={["What was logged by Lectern itself", "The line in this table, and the audit log"]}
      actionLabel="Take the file back"
      onConfirm={async () => {
        await undo.mutateAsync({ id });
        toast.success("The file is taken back");
      }}
    />
  );
}
