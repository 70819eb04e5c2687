"use client";

import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Switch } from "@/components/ui/checkbox";
import { Field, Input, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { problemOf } from "@/components/ui/problem";
import { ErrorState, LoadingText } from "@/components/ui/states";
import type { Output } from "@/lib/client/api";
import { useCan, useRead, useWrite } from "@/lib/client/hooks";

type Rules = Output<"environments.rules">;
type Approver = Rules["approvers"][number];
export type RulesPanelProps = { environmentId: string; kind: string };

const keyOf = (one: Approver) => (one.kind === "person" ? one.userId : one.group);

/** Whether deploying here needs an approval by somebody else, and by whom. */
export function RulesPanel({ environmentId, kind }: RulesPanelProps) {
  const { data, error, refetch } = useRead("environments.rules", { environmentId });
  const save = useWrite("environments.setRules", ["approvals"]);
  const { allowed, reason } = useCan("environment.edit", environmentId);
  const set = (change: Partial<Pick<Rules, "needsApproval" | "approvers">>) => data && save.mutate({ environmentId, needsApproval: data.needsApproval, approvers: data.approvers, ...change });
  return (
    <Panel title="Rules" description="What must hold before anything is applied here. The same for people, tokens and agents.">
      {error && <ErrorState problem={problemOf(error)} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingText label="Loading the rules" lines={2} />}
      {data && (
        <div className="grid gap-4">
          {save.error && <Notice tone="failed" title={save.error.message} />}
          {kind === "production" && !data.needsApproval && <Notice tone="warning" title="Production is deployed to without anybody else looking at it." />}
          <Switch
            label="Deploying needs an approval by somebody else"
            hint={allowed ? "For exactly the previewed version, within 24 hours, once. Admins may bypass it with a reason that everybody sees." : reason}
            checked={data.needsApproval}
            disabled={!allowed || save.isPending}
            onCheckedChange={(needsApproval) => set({ needsApproval })}
          />
          {data.needsApproval && <Approvers rules={data} allowed={allowed} environmentId={environmentId} onChange={(approvers) => set({ approvers })} />}
        </div>
      )}
    </Panel>
  );
}

type ApproversProps = { rules: Rules; allowed: boolean; environmentId: string; onChange: (approvers: Approver[]) => void };

function Approvers({ rules, allowed, environmentId, onChange }: ApproversProps) {
  const nameOf = (one: Approver) => (one.kind === "person" ? (rules.people.find((person) => person.userId === one.userId)?.name ?? "somebody who is gone") : `group ${one.group}`);
  return (
    <section className="grid gap-3">
      <h3 className="font-medium">Who may approve</h3>
      <ul className="flex flex-wrap items-center gap-2">
        <li>
          <Badge tone="accent">owners of the portal</Badge>
        </li>
        {rules.approvers.map((one) => (
          <li key={keyOf(one)} className="flex items-center gap-1">
            <Badge>{nameOf(one)}</Badge>
            {allowed && (
              <Button variant="link" size="sm" aria-label={`${nameOf(one)} may no longer approve`} onClick={() => onChange(rules.approvers.filter((other) => keyOf(other) !== keyOf(one)))}>
                remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      {allowed && <AddApprover environmentId={environmentId} taken={rules.approvers.map(keyOf)} onAdd={(one) => onChange([...rules.approvers, one])} />}
    </section>
  );
}

function AddApprover({ environmentId, taken, onAdd }: { environmentId: string; taken: string[]; onAdd: (one: Approver) => void }) {
  const [group, setGroup] = useState("");
  const members = useRead("members.list", { environmentId }).data?.members ?? [];
  const people = members.flatMap((one) => (one.member.kind === "person" && !taken.includes(one.member.userId) ? [{ userId: one.member.userId, name: one.name }] : []));
  return (
    <div className="grid max-w-2xl gap-4 sm:grid-cols-2">
      <Field label="Add a member" hint={people.length === 0 ? "Every member is named already, or there are none." : "Being able to deploy does not imply it."}>
        <Select value="" onChange={(event) => event.target.value && onAdd({ kind: "person", userId: event.target.value })}>
          <option value="">Choose a person</option>
          {people.map((one) => (
            <option key={one.userId} value={one.userId}>
              {one.name}
            </option>
          ))}
        </Select>
      </Field>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (group.trim() !== "" && !taken.includes(group.trim())) onAdd({ kind: "group", group: group.trim() });
          setGroup("");
        }}
        className="flex items-start gap-2"
      >
        <Field label="Add a group" hint="As the identity provider names it." className="flex-1">
          <Input mono value={group} maxLength={200} onChange={(event) => setGroup(event.target.value)} />
        </Field>
        <Button type="submit" className="mt-7">
          Add
        </Button>
      </form>
    </div>
  );
}
