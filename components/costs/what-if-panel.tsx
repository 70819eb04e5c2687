import { Badge, EstimatedBadge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Field, Input, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { Segmented } from "@/components/ui/segmented";
import { formatMoney, formatPages, formatPer1000, formatShare } from "@/lib/domain/cost-format";
import type { WhatIf } from "@/lib/domain/cost-whatif";
import type { PriceBook } from "@/lib/domain/price-book";
import { newestRate } from "@/lib/domain/price-rate";
import { DecimalInput } from "./decimal-input";
import { MixFields } from "./mix-fields";
import { NodePicker } from "./node-picker";
import type { WhatIfState } from "./use-what-if";
import { WhatIfField } from "./what-if-field";

export type WhatIfPanelProps = { state: WhatIfState; book: PriceBook };

/** Every input of the solver; the chart and the intervals follow. */
export function WhatIfPanel({ state, book }: WhatIfPanelProps) {
  const { input, set, changes, reset } = state;
  const isAnyChanged = Object.keys(changes).length > 0;
  return (
    <Panel
      title="What if"
      description="Begins with the month as logged. Nothing here changes what was logged."
      actions={
        <Button size="sm" onClick={reset} disabledReason={isAnyChanged ? null : "Nothing is changed."}>
          Back to the month
        </Button>
      }
    >
      <div className="grid gap-4">
        <Outcome state={state} />
        <MainFields input={input} set={set} changes={changes} />
        <details className="grid gap-4">
          <summary className="min-h-6 cursor-pointer text-sm text-muted-foreground hover:text-foreground">Node, engineering time, commitment, features and rate</summary>
          <div className="mt-4 grid gap-4">
            <NodePicker input={input} book={book} onPick={set} />
            <MoreFields input={input} set={set} changes={changes} />
            <RateField input={input} set={set} changes={changes} usual={newestRate(book)} />
            <MixFields apis={input.apis} book={book} set={set} />
          </div>
        </details>
      </div>
    </Panel>
  );
}

function Outcome({ state: { input, result, problem } }: { state: WhatIfState }) {
  if (problem) return <Notice tone="warning" title={problem} />;
  if (!result) return null;
  const [api] = result.apis;
  const compared = api?.comparison.soFar;
  return (
    <p aria-live="polite">
      {formatPages(input.pages)} a month cost <strong>{formatMoney(result.self)}</strong> on your GPUs ({formatPer1000(result.per1000)}
      {result.load && `, load ${formatShare(result.load.share)}, idle ${formatMoney(result.load.idleCost)}`}
      {result.nodes !== null && `, ${result.nodes} ${result.nodes === 1 ? "node" : "nodes"}`}
      {result.capacity === null && input.way === "nodes" && ", capacity not checked"}
      ){api && compared && `; that is ${compared.outcome === "tie" ? "level with" : `${formatMoney(compared.difference)} ${compared.outcome} than`} ${api.name}`}
      {api?.unpriced && `; ${api.fullName} is unpriced: ${api.unpriced}`}.
    </p>
  );
}

type FieldsProps = Pick<WhatIfState, "input" | "set" | "changes">;

function isCount(text: string): boolean {
  return /^\d+$/.test(text);
}

/** Stores a whole number, or nothing while the text is none. */
function whole(text: string, store: (value: number) => void, least = 0) {
  if (isCount(text)) store(Math.max(least, Number(text)));
}

function MainFields({ input, set, changes }: FieldsProps) {
  const top = Math.max(1_000_000, 4 * input.pages);
  return (
    <>
      <WhatIfField label="Pages a month" value={String(input.pages)} isChanged={"pages" in changes} range={{ min: 0, max: roundUp(top), step: 1000 }} words={formatPages(input.pages)} onChange={(text) => whole(text, (pages) => set({ pages: Math.min(pages, 1_000_000_000) }))} />
      <WhatIfField label={`Price per node-hour, ${input.currency}`} value={input.perHour} isChanged={"perHour" in changes} range={{ min: 0.05, max: Math.max(4, 3 * Number(input.perHour)), step: 0.0001 }} onChange={(perHour) => set({ perHour })} />
      <WhatIfField
        label="Pages per second"
        value={input.pagesPerSecond ?? "0"}
        isChanged={"pagesPerSecond" in changes}
        range={{ min: 0.05, max: 8, step: 0.01 }}
        aside={<RateBadge kind={"pagesPerSecond" in changes ? "typed" : input.rateKind} isKnown={input.pagesPerSecond !== null} />}
        onChange={(pagesPerSecond) => set({ pagesPerSecond, rateKind: "typed" })}
      />
      <WhatIfField label="Usable share of that rate" value={input.utilisation} isChanged={"utilisation" in changes} range={{ min: 0.05, max: 1, step: 0.05 }} words={formatShare(input.utilisation)} onChange={(utilisation) => Number(utilisation) <= 1 && set({ utilisation })} />
      <Segmented
        label="How nodes run"
        value={input.way}
        onChange={(way) => set({ way })}
        options={[
          { value: "nodes", label: "Always on or on a schedule" },
          { value: "scale_to_zero", label: "Scale to zero" },
        ]}
      />
      {input.way === "nodes" ? (
        <>
          <WhatIfField label="Hours a month on schedule" value={input.hours} isChanged={"hours" in changes} range={{ min: 1, max: 744, step: 1 }} onChange={(hours) => Number(hours) > 0 && Number(hours) <= 744 && set({ hours })} />
          <WhatIfField label="Fewest nodes" value={String(input.minNodes)} isChanged={"minNodes" in changes} range={{ min: 1, max: 8, step: 1 }} onChange={(text) => whole(text, (minNodes) => set({ minNodes: Math.min(minNodes, 50) }), 1)} />
        </>
      ) : (
        <WhatIfField label="Paid start-up hours a month" value={input.startupHours} isChanged={"startupHours" in changes} range={{ min: 0, max: 100, step: 1 }} onChange={(startupHours) => set({ startupHours })} />
      )}
      <WhatIfField label="Engineering hours a month" value={input.engineeringHours} isChanged={"engineeringHours" in changes} range={{ min: 0, max: 80, step: 1 }} onChange={(engineeringHours) => set({ engineeringHours })} />
    </>
  );
}

function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return Math.ceil(value / power) * power;
}

function RateBadge({ kind, isKnown }: { kind: WhatIf["rateKind"]; isKnown: boolean }) {
  if (!isKnown) return <Badge tone="warning">not known</Badge>;
  return kind === "estimated" ? <EstimatedBadge /> : <Badge>{kind}</Badge>;
}

/** The pinned rate between the node's currency and the APIs', from half to twice the price book's newest. */
function RateField({ input: { rate }, set, changes, usual }: FieldsProps & { usual: WhatIf["rate"] }) {
  if (!rate) return null;
  const middle = Number(usual?.base === rate.base && usual.quote === rate.quote ? usual.rate : rate.rate);
  const origin = `${rate.date}, ${URL.canParse(rate.source) ? new URL(rate.source).hostname : rate.source}`;
  return (
    <WhatIfField
      label={`${rate.quote} for one ${rate.base}`}
      value={rate.rate}
      isChanged={"rate" in changes}
      range={{ min: middle / 2, max: middle * 2, step: 0.0001 }}
      aside={origin}
      onChange={(typed) => Number(typed) > 0 && set({ rate: { ...rate, rate: typed, source: "typed here" } })}
    />
  );
}

function MoreFields({ input, set }: FieldsProps) {
  const text = (label: string, name: "engineeringRate" | "fixed" | "setUp" | "variablePer1000" | "committedPerHour") => (
    <Field label={label}>
      <DecimalInput value={input[name]} onChange={(value) => set({ [name]: value })} />
    </Field>
  );
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
      {text(`An engineering hour, ${input.currency}`, "engineeringRate")}
      {text("Other fixed cost a month", "fixed")}
      {text("Set-up, once", "setUp")}
      <Field label="Spread over, months">
        <Input inputMode="numeric" value={input.setUpMonths} onChange={(event) => whole(event.target.value, (setUpMonths) => set({ setUpMonths: Math.min(setUpMonths, 120) }), 1)} />
      </Field>
      {text("Cost per 1,000 pages on top", "variablePer1000")}
      <Field label="Committed nodes">
        <Input inputMode="numeric" value={input.committedNodes} onChange={(event) => whole(event.target.value, (committedNodes) => set({ committedNodes: Math.min(committedNodes, 50) }))} />
      </Field>
      {text("A committed node-hour", "committedPerHour")}
      <Field label="Free allowances of the APIs">
        <Select value={String(input.withFreeAllowance)} onChange={(event) => set({ withFreeAllowance: event.target.value === "true" })}>
          <option value="false">left out</option>
          <option value="true">counted</option>
        </Select>
      </Field>
    </div>
  );
}
