"use client";

import { Ellipsis } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem } from "@/components/ui/dropdown-menu";
import { Field, Input } from "@/components/ui/field";
import { formatCount } from "@/components/ui/format";
import { Panel } from "@/components/ui/panel";
import { problemOf } from "@/components/ui/problem";
import { Empty, ErrorState, LoadingTable } from "@/components/ui/states";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow, TableRowHeader } from "@/components/ui/table";
import { RelativeTime } from "@/components/ui/time";
import { toast } from "@/components/ui/toaster";
import { useRead, useWrite } from "@/lib/client/hooks";
import type { Output } from "@/lib/client/api";

type UserRow = Output<"users.list">["users"][number];

export function PeoplePanel() {
  const [query, setQuery] = useState("");
  const { data, error, refetch } = useRead("users.list", { query: useDeferredValue(query) }, { keepPrevious: true });
  return (
    <div className="grid gap-4">
      <Field label="Find a person" hint="New people come by invitation: open an environment, Members." className="max-w-80">
        <Input type="search" value={query} onChange={(event) => setQuery(event.target.value)} placeholder="Name or e-mail" />
      </Field>
      {error && <ErrorState problem={problemOf(error)} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingTable label="Loading people" />}
      {data && data.users.length === 0 && <Empty title="Nobody has that name or e-mail address." />}
      {data && data.users.length > 0 && (
        <Panel title={formatCount(data.total, "person", "people")} description={data.total > data.users.length ? `The first ${data.users.length} are shown.` : undefined} padded={false}>
          <PeopleTable users={data.users} />
        </Panel>
      )}
    </div>
  );
}

function PeopleTable({ users }: { users: UserRow[] }) {
  return (
    <Table caption="People of the portal">
      <TableHead>
        <TableHeader>Name</TableHeader>
        <TableHeader>E-mail</TableHeader>
        <TableHeader>Signs in with</TableHeader>
        <TableHeader numeric>Environments</TableHeader>
        <TableHeader>Last seen</TableHeader>
        <TableHeader>
          <span className="sr-only">Actions</span>
        </TableHeader>
      </TableHead>
      <TableBody>
        {users.map((user) => (
          <TableRow key={user.id}>
            <TableRowHeader>
              <span className="flex items-center gap-2">
                {user.name}
                {user.isOwner && <Badge tone="accent">owner</Badge>}
                {user.disabledAt && <Badge tone="failed">disabled</Badge>}
              </span>
            </TableRowHeader>
            <TableCell>{user.email ?? "–"}</TableCell>
            <TableCell>{user.method === "oidc" ? "identity provider" : "password"}</TableCell>
            <TableCell numeric>{new Set(user.grants.map((grant) => grant.environmentId)).size}</TableCell>
            <TableCell>{user.lastSeenAt ? <RelativeTime at={user.lastSeenAt} /> : "never"}</TableCell>
            <TableCell className="text-right">
              <PersonActions user={user} isLastOwner={user.isOwner && users.filter((one) => one.isOwner && !one.disabledAt).length === 1} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function PersonActions({ user, isLastOwner }: { user: UserRow; isLastOwner: boolean }) {
  const touched = ["members", "sessions", "account"];
  const disable = useWrite("users.disable", touched);
  const enable = useWrite("users.enable", touched);
  const setOwner = useWrite("users.setOwner", touched);
  const options = (done: string) => ({ onSuccess: () => void toast.success(done), onError: (error: Error) => void toast.error(error.message) });
  const reason = isLastOwner ? "The last owner stays: make somebody else an owner first." : null;
  return (
    <Menu
      align="end"
      trigger={
        <Button variant="ghost" size="icon" aria-label={`Actions for ${user.name}`}>
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      <MenuItem disabledReason={user.isOwner ? reason : null} onSelect={() => setOwner.mutate({ userId: user.id, isOwner: !user.isOwner }, options(user.isOwner ? `${user.name} is no longer an owner.` : `${user.name} is an owner now.`))}>
        {user.isOwner ? "No longer an owner" : "Make an owner"}
      </MenuItem>
      {user.disabledAt ? (
        <MenuItem onSelect={() => enable.mutate({ userId: user.id }, options(`${user.name} can sign in again.`))}>Enable the account</MenuItem>
      ) : (
        <MenuItem destructive disabledReason={reason} onSelect={() => disable.mutate({ userId: user.id }, options(`${user.name} is signed out everywhere and cannot sign in.`))}>
          Disable the account
        </MenuItem>
      )}
    </Menu>
  );
}
