"use client";

import { Button } from "@/components/ui/button";
import { NextChange } from "@/components/ui/next-change";
import { Panel } from "@/components/ui/panel";
import { ErrorState, LoadingText } from "@/components/ui/states";
import { ClockTime } from "@/components/ui/time";
import { toast } from "@/components/ui/toaster";
import type { Output } from "@/lib/client/api";
import { useCan, useRead, useWrite } from "@/lib/client/hooks";
import { useLive } from "@/lib/client/live";
import { ScheduleDialog } from "./schedule-dialog";
import type { Settings } from "./schedule-draft";

type Schedule = Output<"schedules.get">;
const REFRESH_MS = 30_000;
const HOUR_MS = 3_600_000;

/** "Mon, Tue 08:00–18:00 (Europe/Paris); stops after 30 min without pages". */
export function settingsText(settings: Settings | null): string {
  if (!settings) return "No working hours and no idle stop.";
  const { rule, idleMinutes } = settings;
  const hours = rule ? `${rule.week.map(({ days, hours: { from, to } }) => `${days.map((day) => day[0]?.toUpperCase() + day.slice(1)).join(", ")} ${from}–${to}`).join("; ")} (${rule.timeZone})` : "No working hours";
  const idle = idleMinutes === null ? "" : `; stops after ${idleMinutes} min without pages`;
  const days = rule && rule.holidays.length + rule.exceptions.length > 0 ? `; ${rule.holidays.length} holidays, ${rule.exceptions.length} single days` : "";
  return `${hours}${days}${idle}.`;
}

type PanelProps = { environmentId: string; deploymentId: string; name: string };

/** When a deployment runs: its own hours or its environment's, what changes next, and how to keep it running. */
export function DeploymentSchedulePanel({ environmentId, deploymentId, name }: PanelProps) {
  useLive(`environment:${environmentId}`);
  const schedule = useRead("schedules.get", { environmentId, deploymentId });
  const rows = useRead("schedules.list", { environmentId }, { refetchInterval: REFRESH_MS });
  const save = useWrite("schedules.setDeployment", ["deployments"]);
  const may = useCan("deployment.stop", environmentId);
  const row = rows.data?.deployments.find((each) => each.deploymentId === deploymentId);
  if (schedule.error) return <Panel title="Schedule"><ErrorState problem={schedule.error} onRetry={() => void schedule.refetch()} /></Panel>;
  if (!schedule.data) return <Panel title="Schedule"><LoadingText lines={2} /></Panel>;
  const { own, inherited } = schedule.data;
  return (
    <Panel title="Schedule" actions={<ScheduleDialog title={`When ${name} runs`} settings={own} disabledReason={may.reason} onSave={async (settings) => save.mutateAsync({ id: deploymentId, ...settings })} />}>
      <div className="grid gap-3">
        <p>{own ? settingsText(own) : inherited ? `From its environment: ${settingsText(inherited)}` : "Runs until somebody stops it: set working hours or an idle stop to pay less."}</p>
        {row && <NextChange next={row.next} keepUntil={row.keepUntil} failure={row.last?.state === "failed" ? row.last.message : null} />}
        {row?.idleNote && <p className="text-sm text-muted-foreground">{row.idleNote}</p>}
        <KeepButtons id={deploymentId} keepUntil={schedule.data.keepUntil} disabledReason={may.reason} />
        <Firings firings={schedule.data.firings} />
      </div>
    </Panel>
  );
}

function KeepButtons({ id, keepUntil, disabledReason }: { id: string; keepUntil: string | null; disabledReason: string | undefined }) {
  const keep = useWrite("schedules.keep", ["deployments"]);
  const set = (until: string | null) => keep.mutate({ id, until }, { onError: (error) => toast.error(error.message) });
  const refused = disabledReason ? { disabledReason } : {};
  const tonight = () => {
    const at = new Date();
    at.setHours(22, 0, 0, 0);
    return at.getTime() > Date.now() ? at : new Date(at.getTime() + 24 * HOUR_MS);
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-sm text-muted-foreground">Keep it running:</span>
      {[2, 4].map((hours) => <Button key={hours} size="sm" {...refused} pending={keep.isPending} onClick={() => set(new Date(Date.now() + hours * HOUR_MS).toISOString())}>{hours} h more</Button>)}
      <Button size="sm" {...refused} pending={keep.isPending} onClick={() => set(tonight().toISOString())}>Until 22:00</Button>
      {keepUntil && <Button size="sm" variant="ghost" {...refused} pending={keep.isPending} onClick={() => set(null)}>No longer</Button>}
    </div>
  );
}

const CAUSES = { hours: "by its working hours", idle: "for want of pages", wake: "woken by a page" };

function Firings({ firings }: { firings: Schedule["firings"] }) {
  const shown = firings.filter((each) => each.state !== "nothing").slice(0, 4);
  if (shown.length === 0) return null;
  return (
    <ul className="grid gap-1 text-sm text-muted-foreground">
      {shown.map((each) => (
        <li key={`${each.slot}${each.action}`}>
          <ClockTime at={each.slot} />: {each.action === "stop" ? "stop" : "start"} {CAUSES[each.cause]}, {each.state === "claimed" ? "under way" : each.state}
          {each.message && <>: {each.message}</>}
        </li>
      ))}
    </ul>
  );
}

/** The hours of a whole environment, and what its sleeping deployments saved this month. */
export function EnvironmentSchedulePanel({ environmentId, name }: { environmentId: string; name: string }) {
  const schedule = useRead("schedules.get", { environmentId });
  const rows = useRead("schedules.list", { environmentId }, { refetchInterval: REFRESH_MS });
  const deployments = useRead("deployments.list", { environmentId });
  const save = useWrite("schedules.setEnvironment", ["deployments"]);
  const may = useCan("environment.edit", environmentId);
  if (!schedule.data) return schedule.error ? <ErrorState problem={schedule.error} onRetry={() => void schedule.refetch()} /> : <LoadingText lines={2} />;
  const nameOf = (id: string) => deployments.data?.deployments.find((each) => each.id === id)?.name ?? "";
  return (
    <Panel title="Schedule" description="For every deployment here that has no hours of its own." actions={<ScheduleDialog title={`When ${name} runs`} settings={schedule.data.own} disabledReason={may.reason} onSave={async (settings) => save.mutateAsync({ environmentId, ...settings })} />}>
      <div className="grid gap-3">
        <p>{settingsText(schedule.data.own)}</p>
        {rows.data?.deployments.filter((row) => row.next ?? row.keepUntil).map((row) => (
          <p key={row.deploymentId}><span className="font-medium">{nameOf(row.deploymentId)}</span> <NextChange next={row.next} keepUntil={row.keepUntil} failure={row.last?.state === "failed" ? row.last.message : null} /></p>
        ))}
      </div>
    </Panel>
  );
}
