"use client";

import { Check, Minus } from "lucide-react";
import { Panel } from "@/components/ui/panel";
import { problemOf } from "@/components/ui/problem";
import { ErrorState, LoadingTable } from "@/components/ui/states";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow, TableRowHeader } from "@/components/ui/table";
import { useRead } from "@/lib/client/hooks";

export function RoleTable() {
  const { data, error, refetch } = useRead("roles.list", {});
  if (error) return <ErrorState problem={problemOf(error)} onRetry={() => void refetch()} />;
  if (!data) return <LoadingTable label="Loading roles" columns={6} rows={10} />;
  const inEnvironment = data.rights.filter((right) => right.scope === "environment");
  const inPortal = data.rights.filter((right) => right.scope === "portal");
  return (
    <div className="grid gap-4">
      <Panel title="In an environment" description="A role holds in the one environment in which it was given. Owners have every right everywhere." padded={false}>
        <Table caption="Rights by role">
          <TableHead>
            <TableHeader>Right</TableHeader>
            {data.roles.map(({ role }) => (
              <TableHeader key={role} className="text-center">
                {role}
              </TableHeader>
            ))}
          </TableHead>
          <TableBody>
            {inEnvironment.map((right) => (
              <TableRow key={right.permission}>
                <TableRowHeader>{right.title}</TableRowHeader>
                {data.roles.map(({ role }) => (
                  <TableCell key={role} className="text-center">
                    <Mark isGiven={right.roles.includes(role)} />
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Panel>
      <Panel title="In the portal" padded={false}>
        <Table caption="Rights in the portal">
          <TableHead>
            <TableHeader>Right</TableHeader>
            <TableHeader>Who</TableHeader>
          </TableHead>
          <TableBody>
            {inPortal.map((right) => (
              <TableRow key={right.permission}>
                <TableRowHeader>{right.title}</TableRowHeader>
                <TableCell>{{ anyone: "anyone", "signed-in": "everyone who is signed in", owner: "owners" }[right.who ?? "owner"]}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Panel>
      <dl className="grid gap-x-4 gap-y-1 text-muted-foreground sm:grid-cols-[8rem_1fr]">
        {data.roles.map(({ role, meaning }) => (
          <div key={role} className="contents">
            <dt className="font-medium">{role}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Mark({ isGiven }: { isGiven: boolean }) {
  const Icon = isGiven ? Check : Minus;
  return (
    <>
      <Icon aria-hidden className={isGiven ? "mx-auto size-4 text-ready" : "mx-auto size-4 text-muted-foreground"} />
      <span className="sr-only">{isGiven ? "yes" : "no"}</span>
    </>
  );
}
