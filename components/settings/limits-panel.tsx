"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Panel } from "@/components/ui/panel";
import { problemOf } from "@/components/ui/problem";
import { ErrorState, LoadingTable } from "@/components/ui/states";
import { toast } from "@/components/ui/toaster";
import type { Output } from "@/lib/client/api";
import { useRead, useWrite } from "@/lib/client/hooks";
import { BatchQuotas, defaultBatchQuotas, defaultGatewayLimits, GatewayLimits } from "@/lib/domain/rate-limit";

type Limits = Output<"gateway.limits">;
type LimitField = { id: string; label: string; hint: string; of: (limits: Limits) => number; path: string };

const GATEWAY: LimitField[] = [
  { id: "ofToken", label: "Pages a minute of a token", hint: "A page is one unit, whichever path it comes by", of: ({ gateway }) => gateway.pagesPerMinute.ofToken, path: "pagesPerMinute.ofToken" },
  { id: "ofPerson", label: "Pages a minute of a person", hint: "All tokens of a person together", of: ({ gateway }) => gateway.pagesPerMinute.ofPerson, path: "pagesPerMinute.ofPerson" },
  { id: "ofEnvironment", label: "Pages a minute of an environment", hint: "Everybody’s tokens together", of: ({ gateway }) => gateway.pagesPerMinute.ofEnvironment, path: "pagesPerMinute.ofEnvironment" },
  { id: "parallel", label: "Requests at once of a token", hint: "Those that wait are counted too", of: ({ gateway }) => gateway.parallel, path: "parallel" },
  { id: "refused", label: "Refused tokens a minute", hint: "From one address; at least 5", of: ({ gateway }) => gateway.refusedPerMinute, path: "refusedPerMinute" },
];
const BATCHES: LimitField[] = [
  { id: "batchesOfPerson", label: "Open batches of a person", hint: "Working and held ones", of: ({ batches }) => batches.batchesOfPerson, path: "batchesOfPerson" },
  { id: "pagesOfPerson", label: "Open pages of a person", hint: "Pages not yet read", of: ({ batches }) => batches.pagesOfPerson, path: "pagesOfPerson" },
  { id: "pagesOfEnvironment", label: "Open pages of an environment", hint: "Everybody’s batches together", of: ({ batches }) => batches.pagesOfEnvironment, path: "pagesOfEnvironment" },
];

const usual: Limits = { gateway: defaultGatewayLimits, batches: defaultBatchQuotas };
const textsOf = (limits: Limits) => Object.fromEntries([...GATEWAY, ...BATCHES].map(({ id, of }) => [id, String(of(limits))]));

/** How much a token, a person and an environment may ask: owners see and change it. */
export function LimitsPanel() {
  const { data, error, refetch } = useRead("gateway.limits", {});
  if (error) return <ErrorState problem={problemOf(error)} onRetry={() => void refetch()} />;
  if (!data) return <LoadingTable label="Loading limits" />;
  return <LimitsForm key={JSON.stringify(data)} limits={data} />;
}

function LimitsForm({ limits }: { limits: Limits }) {
  const [texts, setTexts] = useState(() => textsOf(limits));
  const save = useWrite("gateway.setLimits");
  const number = (id: string) => Number(texts[id] || NaN);
  const gateway = GatewayLimits.safeParse({ pagesPerMinute: { ofToken: number("ofToken"), ofPerson: number("ofPerson"), ofEnvironment: number("ofEnvironment") }, parallel: number("parallel"), refusedPerMinute: number("refused") });
  const batches = BatchQuotas.safeParse({ batchesOfPerson: number("batchesOfPerson"), pagesOfPerson: number("pagesOfPerson"), pagesOfEnvironment: number("pagesOfEnvironment") });
  const parsed = gateway.success && batches.success ? { gateway: gateway.data, batches: batches.data } : null;
  const wrong = new Map([...(gateway.error?.issues ?? []), ...(batches.error?.issues ?? [])].map((issue) => [issue.path.join("."), issue.message]));
  const isChanged = JSON.stringify(texts) !== JSON.stringify(textsOf(limits));
  const fields = { texts, wrong, onChange: (id: string, text: string) => setTexts({ ...texts, [id]: text }) };
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (parsed) save.mutate(parsed, { onSuccess: () => toast.success("Saved. It holds within seconds."), onError: (problem) => toast.error(problem.message) });
      }}
    >
      <Panel title="Gateway" description="Counted in each process. Over a limit the answer is 429 with the limit’s name and the seconds to wait.">
        <LimitFields fields={GATEWAY} {...fields} />
      </Panel>
      <Panel title="Batches" description="A batch that would pass one is not begun; those that are open go on.">
        <LimitFields fields={BATCHES} {...fields} />
      </Panel>
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="ghost" onClick={() => setTexts(textsOf(usual))} disabledReason={JSON.stringify(texts) === JSON.stringify(textsOf(usual)) ? "These are the usual limits." : null}>
          Usual limits
        </Button>
        <Button type="submit" variant="primary" pending={save.isPending} disabledReason={!parsed ? "A value is out of its range." : isChanged ? null : "Nothing was changed."}>
          Save limits
        </Button>
      </div>
    </form>
  );
}

type LimitFieldsProps = { fields: LimitField[]; texts: Record<string, string>; wrong: Map<string, string>; onChange: (id: string, text: string) => void };

function LimitFields({ fields, texts, wrong, onChange }: LimitFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {fields.map(({ id, label, hint, path }) => (
        <Field key={id} label={label} hint={hint} error={wrong.get(path) ?? null}>
          <Input inputMode="numeric" value={texts[id] ?? ""} onChange={(event) => onChange(id, event.target.value)} />
        </Field>
      ))}
    </div>
  );
}
