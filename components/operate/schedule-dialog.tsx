"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { Field, Input, Textarea } from "@/components/ui/field";
import { ClockTime } from "@/components/ui/time";
import { nextChange, WEEKDAYS, type Weekday } from "@/lib/domain/schedule";
import { draftOf, settingsOf, type ScheduleDraft, type Settings } from "./schedule-draft";

const NAMES: Record<Weekday, string> = { mon: "Mon", tue: "Tue", wed: "Wed", thu: "Thu", fri: "Fri", sat: "Sat", sun: "Sun" };

type ScheduleDialogProps = { title: string; settings: Settings | null; disabledReason: string | undefined; onSave: (settings: Settings) => Promise<unknown> };

/** Working hours and idle stop; the next change is worked out while one types. */
export function ScheduleDialog({ title, settings, disabledReason, onSave }: ScheduleDialogProps) {
  const [isOpen, setOpen] = useState(false);
  const [draft, setDraft] = useState<ScheduleDraft | null>(null);
  const [refusal, setRefusal] = useState("");
  const [isSaving, setSaving] = useState(false);
  if (disabledReason) return <Button size="sm" disabledReason={disabledReason}>Change</Button>;
  const present = draft ?? draftOf(settings, Intl.DateTimeFormat().resolvedOptions().timeZone);
  const read = settingsOf(present, settings);
  const open = (next: boolean) => {
    setOpen(next);
    setDraft(null);
    setRefusal("");
  };
  const save = async () => {
    if (!("settings" in read)) return;
    setSaving(true);
    try {
      await onSave(read.settings);
      open(false);
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : "It was not saved.");
    } finally {
      setSaving(false);
    }
  };
  const problem = refusal || ("problem" in read ? read.problem : "");
  return (
    <Dialog
      open={isOpen}
      onOpenChange={open}
      trigger={<Button size="sm">Change</Button>}
      title={title}
      description="It counts from now on: a change of the clock that has passed is not made up for."
      footer={
        <>
          <DialogClose asChild><Button>Cancel</Button></DialogClose>
          <Button variant="primary" pending={isSaving} {...(problem && !refusal ? { disabledReason: problem } : {})} onClick={() => void save()}>Save</Button>
        </>
      }
    >
      <ScheduleFields draft={present} onChange={setDraft} />
      {problem ? <p role="alert" className="text-sm text-failed">{problem}</p> : "settings" in read && read.settings.rule && <Outlook rule={read.settings.rule} />}
    </Dialog>
  );
}

function Outlook({ rule }: { rule: NonNullable<Settings["rule"]> }) {
  const [now] = useState(() => Date.now());
  const next = nextChange({ rule }, now);
  if (!next) return <p className="text-sm text-muted-foreground">With these hours nothing changes within a year.</p>;
  return <p className="text-sm text-muted-foreground">The next change: {next.isOn ? "starts" : "stops"} <ClockTime at={next.at} /> on your clock.</p>;
}

function ScheduleFields({ draft, onChange }: { draft: ScheduleDraft; onChange: (draft: ScheduleDraft) => void }) {
  const set = (more: Partial<ScheduleDraft>) => onChange({ ...draft, ...more });
  const toggle = (day: Weekday) => set({ days: WEEKDAYS.filter((each) => (each === day) !== draft.days.includes(each)) });
  return (
    <div className="grid gap-4">
      <Checkbox label="Working hours" hint="It starts and stops by them; a start by hand lasts until the next stop." checked={draft.hasHours} onChange={(event) => set({ hasHours: event.target.checked })} />
      {draft.hasHours && (
        <>
          <fieldset className="flex flex-wrap gap-x-4 gap-y-2">
            <legend className="mb-1.5 font-medium">Days</legend>
            {WEEKDAYS.map((day) => <Checkbox key={day} label={NAMES[day]} checked={draft.days.includes(day)} onChange={() => toggle(day)} />)}
          </fieldset>
          <div className="grid gap-4 sm:grid-cols-[1fr_1fr_2fr]">
            <Field label="From"><Input type="time" value={draft.from} onChange={(event) => set({ from: event.target.value })} /></Field>
            <Field label="To"><Input type="time" value={draft.to} onChange={(event) => set({ to: event.target.value })} /></Field>
            <Field label="Time zone"><Input value={draft.timeZone} onChange={(event) => set({ timeZone: event.target.value })} /></Field>
          </div>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label="Holidays" hint="One date a line: 2026-12-25"><Textarea mono value={draft.holidays} onChange={(event) => set({ holidays: event.target.value })} /></Field>
            <Field label="Single days" hint="2026-12-24 09:00-12:00, or 2026-12-31 off"><Textarea mono value={draft.exceptions} onChange={(event) => set({ exceptions: event.target.value })} /></Field>
          </div>
        </>
      )}
      <Field label="Stop after minutes without pages" hint="Pages of the portal and requests past it both count, by the engine's own metrics. Empty: never."><Input inputMode="numeric" value={draft.idleMinutes} onChange={(event) => set({ idleMinutes: event.target.value })} /></Field>
    </div>
  );
}
