import { Panel } from "@/components/ui/panel";
import { Status } from "@/components/ui/status";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow, TableRowHeader } from "@/components/ui/table";
import type { Output } from "@/lib/client/api";

type Details = Output<"clusters.get">;
type Right = NonNullable<Details["rights"]>[number];

export function RightsPanel({ rights, namespace }: { rights: Details["rights"]; namespace: string | null }) {
  const gaps = rights?.filter((line) => line.level !== "fine").length ?? 0;
  const description = rights ? `What Lectern uses against what the API server allows, in the namespace ${namespace ?? ""} and across the cluster. ${gaps === 0 ? "Nothing is missing." : `${gaps} of ${rights.length} have gaps.`}` : undefined;
  return (
    <Panel title="Rights" description={description} padded={rights === null}>
      {rights === null ? (
        <p className="text-muted-foreground">Nobody has asked the cluster yet. “Check now” does.</p>
      ) : (
        <Table caption="Rights that Lectern needs">
          <TableHead>
            <TableHeader>Resource</TableHeader>
            <TableHeader>Where</TableHeader>
            <TableHeader>Needed</TableHeader>
            <TableHeader>Allowed</TableHeader>
          </TableHead>
          <TableBody>
            {[...rights].sort((left, right) => order[left.level] - order[right.level]).map((line) => (
              <RightRow key={line.id} line={line} />
            ))}
          </TableBody>
        </Table>
      )}
    </Panel>
  );
}

const order = { blocker: 0, warning: 1, fine: 2 };

function RightRow({ line }: { line: Right }) {
  return (
    <TableRow>
      <TableRowHeader>{line.title}</TableRowHeader>
      <TableCell>{line.where}</TableCell>
      <TableCell mono>{line.verbs.join(" ")}</TableCell>
      <TableCell wrap>
        {line.level === "fine" ? (
          <Status state="ready">all</Status>
        ) : (
          <span className="grid gap-0.5 py-1">
            <Status state={line.level === "blocker" ? "failed" : "waiting"}>
              without <code className="font-mono text-sm">{line.missing.join(" ")}</code>
            </Status>
            <span className="text-sm text-muted-foreground">{line.without}</span>
          </span>
        )}
      </TableCell>
    </TableRow>
  );
}
