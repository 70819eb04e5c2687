import { Badge } from "./badge";

export type FieldChange = { path: string; op: "add" | "remove" | "change"; before: string | null; after: string | null; owner: string | null; isOverride?: boolean };

/** Changed fields, one under the other. Removed and added values are told apart by sign and element, not by colour alone. */
export function FieldChanges({ changes }: { changes: readonly FieldChange[] }) {
  return (
    <ul className="grid gap-2">
      {changes.map((change, index) => (
        <li key={`${change.path} ${index}`} className="grid gap-0.5 text-sm">
          <span className="flex flex-wrap gap-x-2 text-muted-foreground">
            <span className="font-mono break-all">{change.path.replace(/^\./, "")}</span>
            {change.isOverride && <Badge tone="accent">override</Badge>}
            {change.owner && <span>owned by {change.owner}</span>}
          </span>
          {change.before !== null && <del className="bg-failed/8 px-2 font-mono break-all whitespace-pre-wrap no-underline before:content-['−_']">{change.before}</del>}
          {change.after !== null && <ins className="bg-ready/8 px-2 font-mono break-all whitespace-pre-wrap no-underline before:content-['+_']">{change.after}</ins>}
        </li>
      ))}
    </ul>
  );
}
