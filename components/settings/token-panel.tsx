"use client";

import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/alert-dialog";
import { Panel } from "@/components/ui/panel";
import { problemOf } from "@/components/ui/problem";
import { Empty, ErrorState, LoadingTable } from "@/components/ui/states";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow, TableRowHeader } from "@/components/ui/table";
import { RelativeTime } from "@/components/ui/time";
import { useRead, useWrite } from "@/lib/client/hooks";
import { formatCount } from "@/components/ui/format";
import type { Output } from "@/lib/client/api";
import { TokenDialog } from "./token-dialog";

type TokenRow = Output<"tokens.list">["tokens"][number];

export function TokenPanel() {
  const { data, error, refetch } = useRead("tokens.list", {});
  if (error) return <ErrorState problem={problemOf(error)} onRetry={() => void refetch()} />;
  if (!data) return <LoadingTable label="Loading tokens" columns={5} />;
  // The dialog keeps its place in both cases: it must still stand when the first token is in the list, to show it.
  return (
    <Panel title="API tokens" description="Each has at most your own rights at the time of use. Those that no longer work stay listed." actions={<TokenDialog />} padded={false}>
      {data.tokens.length === 0 ? (
        <Empty title="A token lets a script or an agent do what you may do, or less." example={<code>curl -H &quot;Authorization: Bearer lct_…&quot; https://…/api/environments.list</code>} className="m-4" />
      ) : (
        <TokenTable tokens={data.tokens} />
      )}
    </Panel>
  );
}

function TokenTable({ tokens }: { tokens: TokenRow[] }) {
  return (
    <Table caption="Your API tokens">
      <TableHead>
        <TableHeader>Name</TableHeader>
        <TableHeader>Token</TableHeader>
        <TableHeader>May</TableHeader>
        <TableHeader>Last used</TableHeader>
        <TableHeader>Ends</TableHeader>
        <TableHeader>
          <span className="sr-only">Actions</span>
        </TableHeader>
      </TableHead>
      <TableBody>
        {tokens.map((token) => (
          <TableRow key={token.id} className={token.state === "live" ? undefined : "text-muted-foreground"}>
            <TableRowHeader>
              <span className="flex items-center gap-2">
                {token.name}
                {token.state !== "live" && <Badge tone={token.state === "revoked" ? "failed" : "neutral"}>{token.state}</Badge>}
              </span>
            </TableRowHeader>
            <TableCell mono>{token.prefix}…</TableCell>
            <TableCell title={token.scope.permissions.join(", ")}>
              {formatCount(token.scope.permissions.length, "right")} in {token.scope.environmentIds ? formatCount(token.scope.environmentIds.length, "environment") : "all your environments"}
            </TableCell>
            <TableCell>{token.lastUsedAt ? <RelativeTime at={token.lastUsedAt} /> : "never"}</TableCell>
            <TableCell>
              <RelativeTime at={token.revokedAt ?? token.expiresAt} />
            </TableCell>
            <TableCell className="text-right">{token.state === "live" && <RevokeButton token={token} />}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function RevokeButton({ token }: { token: TokenRow }) {
  const revoke = useWrite("tokens.revoke");
  return (
    <ConfirmDialog
      trigger={<Button size="sm">Revoke</Button>}
      title={`Revoke the token ${token.name}?`}
      goes={["Every program that uses it is refused from now on"]}
      stays={["The token in this list, and what it did in the audit log"]}
      actionLabel="Revoke token"
      onConfirm={async () => void (await revoke.mutateAsync({ tokenId: token.id }))}
    />
  );
}
