"use client";

import { useState, type FormEvent } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { LoadingText } from "@/components/ui/states";
import { RelativeTime } from "@/components/ui/time";
import { toast } from "@/components/ui/toaster";
import type { Output } from "@/lib/client/api";
import { useCan, useRead, useWrite } from "@/lib/client/hooks";
import { ALERT_KINDS, ALERT_RULES, type AlertKind } from "@/lib/domain/alert";

/** Open alerts of one deployment, where they cannot be missed. Nothing while all is well. */
export function OpenAlerts({ deploymentId }: { deploymentId: string }) {
  const { data } = useRead("alerts.list", { deploymentId, onlyOpen: true }, { refetchInterval: 30_000 });
  if (!data || data.alerts.length === 0) return null;
  return (
    <div className="grid gap-3">
      {data.alerts.map((alert) => (
        <Notice key={alert.id} tone="warning" title={alert.sentence}>
          Since <RelativeTime at={alert.startedAt} />. It is among the environment’s notices.
        </Notice>
      ))}
    </div>
  );
}

/** Of what the people of an environment are told. */
export function AlertRulesPanel({ environmentId }: { environmentId: string }) {
  const { data } = useRead("alerts.rules", { environmentId });
  return (
    <Panel title="Alerts" description="Said once when a rule begins to be broken, and once when it is over, to the channels under Notices.">
      {data ? <RulesForm key={JSON.stringify(data.rules)} environmentId={environmentId} stored={data.rules} /> : <LoadingText lines={3} />}
    </Panel>
  );
}

type Rules = Output<"alerts.rules">["rules"];

function RulesForm({ environmentId, stored }: { environmentId: string; stored: Rules }) {
  const [rules, setRules] = useState<Rules>(stored);
  const { reason } = useCan("environment.edit", environmentId);
  const save = useWrite("alerts.setRules");
  const isChanged = JSON.stringify(rules) !== JSON.stringify(stored);
  const change = (kind: AlertKind, threshold: number | null) => {
    const others = rules.filter((rule) => rule.kind !== kind);
    setRules(threshold === null ? others : [...others, { kind, threshold }].sort((left, right) => left.kind.localeCompare(right.kind)));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ environmentId, rules }, { onSuccess: () => toast.success("The alerts are set.") });
  };
  return (
    <form onSubmit={submit} className="grid gap-3">
      {save.error && <Notice tone="failed" title={save.error.message} />}
      {ALERT_KINDS.map((kind) => (
        <RuleRow key={kind} kind={kind} threshold={rules.find((rule) => rule.kind === kind)?.threshold ?? null} isFixed={reason !== undefined} onChange={(threshold) => change(kind, threshold)} />
      ))}
      {(isChanged || save.isPending) && (
        <Button type="submit" variant="primary" pending={save.isPending} disabledReason={reason} className="justify-self-start">
          Set alerts
        </Button>
      )}
    </form>
  );
}

type RuleRowProps = { kind: AlertKind; threshold: number | null; isFixed: boolean; onChange: (threshold: number | null) => void };

function RuleRow({ kind, threshold, isFixed, onChange }: RuleRowProps) {
  const { title, unit, least, most, usual, hint } = ALERT_RULES[kind];
  return (
    <div className="grid gap-x-3 gap-y-1 sm:grid-cols-[15rem_1fr] sm:items-center">
      <Checkbox label={title} checked={threshold !== null} disabled={isFixed} onChange={(event) => onChange(event.target.checked ? usual : null)} />
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1 max-sm:pl-6">
        <span className="flex items-center gap-2">
          <Input type="number" aria-label={`${title}, in ${unit}`} className="w-24 tabular-nums" min={least} max={most} disabled={threshold === null || isFixed} value={threshold ?? ""} placeholder={String(usual)} onChange={(event) => onChange(Number(event.target.value))} />
          {unit}
        </span>
        <span className="text-sm text-muted-foreground">{hint}</span>
      </span>
    </div>
  );
}
