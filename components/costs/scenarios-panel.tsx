"use client";

import { type FormEvent, useState } from "react";
import { ConfirmDialog } from "@/components/ui/alert-dialog";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { CopyButton } from "@/components/ui/copy-button";
import { Field, Input } from "@/components/ui/field";
import { Panel } from "@/components/ui/panel";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow, TableRowHeader } from "@/components/ui/table";
import { toast } from "@/components/ui/toaster";
import type { Output } from "@/lib/client/api";
import { useRead, useWrite } from "@/lib/client/hooks";
import { formatCount, formatMoney } from "@/lib/domain/cost-format";
import { solveWhatIf, type WhatIf } from "@/lib/domain/cost-whatif";
import type { PriceBook } from "@/lib/domain/price-book";

export type ScenariosPanelProps = { environmentId: string; input: WhatIf; sentence: string; book: PriceBook; onOpen: (inputs: WhatIf) => void };
type Scenario = Output<"scenarios.list">["scenarios"][number];

const MOST_SIDE_BY_SIDE = 4;

/** Saved what-ifs, up to four side by side; a link shows one to whoever may see the environment. */
export function ScenariosPanel({ environmentId, input, sentence, book, onOpen }: ScenariosPanelProps) {
  const list = useRead("scenarios.list", { environmentId });
  const [chosen, setChosen] = useState<string[]>([]);
  const scenarios = list.data?.scenarios ?? [];
  const shown = scenarios.filter((one) => chosen.includes(one.id));
  return (
    <Panel title="Scenarios" description="Saved what-ifs of this environment. A frozen one keeps its prices and rates for good.">
      <div className="grid gap-4">
        <SaveForm environmentId={environmentId} input={input} sentence={sentence} />
        {scenarios.length > 0 && (
          <ul className="grid gap-2">
            {scenarios.map((one) => (
              <ScenarioRow
                key={one.id}
                scenario={one}
                isChosen={chosen.includes(one.id)}
                isFull={chosen.length >= MOST_SIDE_BY_SIDE}
                onChoose={(isOn) => setChosen(isOn ? [...chosen, one.id] : chosen.filter((id) => id !== one.id))}
                onOpen={onOpen}
              />
            ))}
          </ul>
        )}
        {shown.length > 1 && <SideBySide scenarios={shown} book={book} />}
      </div>
    </Panel>
  );
}

function SaveForm({ environmentId, input, sentence }: Pick<ScenariosPanelProps, "environmentId" | "input" | "sentence">) {
  const save = useWrite("scenarios.save");
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const values = new FormData(form);
    save.mutate({ environmentId, name: String(values.get("name")), isFrozen: values.get("frozen") !== null, inputs: input, sentence }, { onSuccess: () => (form.reset(), toast.success("Saved")) });
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-3 print:hidden">
      <Field label="Save this what-if as" className="w-64" error={save.error?.message ?? null}>
        <Input name="name" required maxLength={80} />
      </Field>
      <Checkbox name="frozen" label="Freeze prices and rates" />
      <Button type="submit" pending={save.isPending}>
        Save
      </Button>
    </form>
  );
}

type RowProps = { scenario: Scenario; isChosen: boolean; isFull: boolean; onChoose: (isOn: boolean) => void; onOpen: (inputs: WhatIf) => void };

function ScenarioRow({ scenario, isChosen, isFull, onChoose, onOpen }: RowProps) {
  const remove = useWrite("scenarios.delete");
  const link = typeof window === "undefined" ? "" : `${window.location.origin}/costs?scenario=${scenario.id}`;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b pb-2 last:border-b-0 last:pb-0">
      <Checkbox label={scenario.name} checked={isChosen} disabled={!isChosen && isFull} onChange={(event) => onChoose(event.target.checked)} />
      {scenario.frozenAt && <Badge>frozen {scenario.frozenAt.slice(0, 10)}</Badge>}
      <span className="text-sm text-muted-foreground">by {scenario.by}</span>
      <span className="ml-auto flex gap-2 print:hidden">
        <Button size="sm" onClick={() => onOpen(scenario.inputs)}>
          Open
        </Button>
        <CopyButton text={link} label={`Copy the link to ${scenario.name}`} />
        <ConfirmDialog
          trigger={<Button size="sm">Delete</Button>}
          title={`Delete the scenario ${scenario.name}?`}
          goes={["Its inputs, and the numbers that it was frozen with"]}
          stays={["Everything that was logged"]}
          actionLabel="Delete the scenario"
          onConfirm={async () => void (await remove.mutateAsync({ id: scenario.id }))}
        />
      </span>
    </li>
  );
}

const INPUTS: [string, (input: WhatIf) => string][] = [
  ["Pages a month", (input) => formatCount(input.pages)],
  ["Node", (input) => `${input.skuId} ${input.region} ${input.mode}`],
  ["Price per node-hour", (input) => formatMoney({ amount: input.perHour, currency: input.currency }, 4)],
  ["Pages per second", (input) => `${input.pagesPerSecond ?? "not known"} (${input.rateKind})`],
  ["Usable share", (input) => input.utilisation],
  ["How nodes run", (input) => (input.way === "nodes" ? `${input.hours} h, at least ${input.minNodes}` : "scale to zero")],
  ["Engineering hours", (input) => input.engineeringHours],
];

/** Inputs and results in columns; inputs that differ stand out. Frozen ones are solved with today's book here, and with their own when opened by link. */
function SideBySide({ scenarios, book }: { scenarios: Scenario[]; book: PriceBook }) {
  const solved = scenarios.map((one) => solveWhatIf(one.inputs, book));
  return (
    <Table caption="Scenarios side by side" showCaption>
      <TableHead>
        <TableHeader>Input or result</TableHeader>
        {scenarios.map((one) => (
          <TableHeader key={one.id} numeric>
            {one.name}
          </TableHeader>
        ))}
      </TableHead>
      <TableBody>
        {INPUTS.map(([label, words]) => {
          const values = scenarios.map((one) => words(one.inputs));
          const differs = new Set(values).size > 1;
          return (
            <TableRow key={label}>
              <TableRowHeader>{label}</TableRowHeader>
              {values.map((value, index) => (
                <TableCell key={scenarios[index]?.id} numeric className={differs ? "font-semibold" : "text-muted-foreground"}>
                  {value}
                </TableCell>
              ))}
            </TableRow>
          );
        })}
        <TableRow>
          <TableRowHeader>Your GPUs a month</TableRowHeader>
          {solved.map((one, index) => (
            <TableCell key={scenarios[index]?.id} numeric>
              {formatMoney(one.self)}
            </TableCell>
          ))}
        </TableRow>
        <TableRow>
          <TableRowHeader>First API a month</TableRowHeader>
          {solved.map((one, index) => (
            <TableCell key={scenarios[index]?.id} numeric>
              {one.apis[0]?.converted ? `${formatMoney(one.apis[0].converted)} (${one.apis[0].name})` : "unpriced"}
            </TableCell>
          ))}
        </TableRow>
      </TableBody>
    </Table>
  );
}
