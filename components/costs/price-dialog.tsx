"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Segmented } from "@/components/ui/segmented";
import { toast } from "@/components/ui/toaster";
import type { Input as InputOf, Output } from "@/lib/client/api";
import { callRead } from "@/lib/client/api";
import { useWrite } from "@/lib/client/hooks";
import { formatMoney } from "@/lib/domain/cost-format";
import { PriceDraft } from "@/lib/domain/price-draft";
import { PriceFields, type PriceFormKind } from "./price-fields";
import { draftOf } from "./price-form";
import { RateFile } from "./rate-file";

export type PriceDialogProps = { reason: string | null; prices: Output<"prices.list">["prices"] };
type Effect = Output<"prices.previewCorrection">;
type Draft = InputOf<"prices.set">["draft"];

/** Enters a price that counts from now on, or corrects a past one after showing what that changes. */
export function PriceDialog({ reason, prices }: PriceDialogProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Dialog open={isOpen} onOpenChange={setOpen} trigger={<Button variant="primary" disabledReason={reason}>Enter a price</Button>} title="Enter or correct a price" size="lg">
      <PriceForm prices={prices} onDone={() => setOpen(false)} />
    </Dialog>
  );
}

function PriceForm({ prices, onDone }: { prices: PriceDialogProps["prices"]; onDone: () => void }) {
  const [kind, setKind] = useState<PriceFormKind>("api");
  const [problem, setProblem] = useState<string | null>(null);
  const [asked, setAsked] = useState<{ draft: Draft; effect: Effect } | null>(null);
  const set = useWrite("prices.set", ["costs"]);
  const correct = useWrite("prices.correct", ["costs"]);
  const finish = (warnings: string[]) => {
    toast.success(["The price is entered", ...warnings].join(". "));
    onDone();
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const parsed = PriceDraft.safeParse(draftOf(kind, new FormData(event.currentTarget)));
    if (!parsed.success) return setProblem(parsed.error.issues.map((issue) => `${issue.path.join(" ")}: ${issue.message}`).join(" "));
    const draft = parsed.data;
    setProblem(null);
    const isPast = "effectiveFrom" in draft && (draft.effectiveFrom === null || Date.parse(draft.effectiveFrom) < Date.now() - 60_000);
    try {
      if (isPast) setAsked({ draft, effect: await callRead("prices.previewCorrection", { draft }) });
      else finish((await set.mutateAsync({ draft })).warnings);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "The price was not entered.");
    }
  };
  if (asked)
    return (
      <CorrectionForm
        effect={asked.effect}
        problem={correct.error?.message ?? null}
        isPending={correct.isPending}
        onBack={() => setAsked(null)}
        onCorrect={(why) => correct.mutate({ draft: asked.draft, reason: why, digest: asked.effect.digest }, { onSuccess: () => finish(asked.effect.warnings) })}
      />
    );
  return (
    <form onSubmit={(event) => void submit(event)} className="grid gap-4">
      <Segmented
        label="What kind of price"
        value={kind}
        onChange={setKind}
        options={[
          { value: "api", label: "API, feature, tiers, commitment" },
          { value: "node", label: "Node-hour" },
          { value: "node_type", label: "Node type" },
          { value: "rate", label: "Exchange rate" },
        ]}
      />
      {problem && <Notice tone="failed" title={problem} />}
      <PriceFields key={kind} kind={kind} prices={prices} />
      <Button type="submit" variant="primary" pending={set.isPending} className="justify-self-end">
        Enter the price
      </Button>
      {kind === "rate" && <RateFile onDone={(count) => finish([`${count} rates from the file`])} />}
    </form>
  );
}

type CorrectionProps = { effect: Effect; problem: string | null; isPending: boolean; onBack: () => void; onCorrect: (reason: string) => void };

/** What a correction of the past changes, before it does. */
function CorrectionForm({ effect, problem, isPending, onBack, onCorrect }: CorrectionProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onCorrect(String(new FormData(event.currentTarget).get("reason")));
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      <Notice tone="warning" title={effect.changes.length === 0 ? "No figure of the past changes" : `${effect.changes.length} figures of the past change`}>
        {effect.monthsLooked} months with logged use were solved again. The correction is kept in the audit log.
      </Notice>
      {problem && <Notice tone="failed" title={problem} />}
      <ul className="grid max-h-72 gap-1 overflow-y-auto text-sm tabular-nums" aria-label="What changes">
        {effect.changes.map((change) => (
          <li key={`${change.environmentId} ${change.month} ${change.what}`}>
            {change.environmentName}, {change.month}, {change.what}: {change.before ? formatMoney(change.before) : "unpriced"} → <strong>{change.after ? formatMoney(change.after) : "unpriced"}</strong>
          </li>
        ))}
      </ul>
      <Field label="Why the past price was wrong" required>
        <Input name="reason" required minLength={3} maxLength={500} autoFocus />
      </Field>
      <div className="flex justify-end gap-2">
        <Button onClick={onBack}>Back</Button>
        <Button type="submit" variant="primary" pending={isPending}>
          Correct the past
        </Button>
      </div>
    </form>
  );
}
