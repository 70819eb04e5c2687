"use client";

import { Plus, X } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input, Select } from "@/components/ui/field";
import { formatCount } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { Page, PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import type { Input as OperationInput } from "@/lib/client/api";
import { useRead, useWrite } from "@/lib/client/hooks";
import { useUrlState } from "@/lib/client/url-state";
import { laneLimits } from "@/lib/domain/compare-lane";
import { pageIndexes } from "@/lib/domain/mistral-ocr";
import { LaneLetter } from "./lane-letter";
import { MODE_WORDS, PRESET_WORDS } from "./lane-style";

type Lane = Required<OperationInput<"compare.create">["lanes"][number]>;
const EMBEDDED = "embedded";

export function NewComparison({ documentId }: { documentId: string | null }) {
  const url = useUrlState();
  const documents = (useRead("documents.list", { limit: 200 }).data?.documents ?? []).filter(({ isHeld }) => !isHeld);
  const engines = useRead("engines.list", {}).data?.engines ?? [];
  const first = engines[0]?.deploymentId ?? null;
  const [lanes, setLanes] = useState<Lane[]>();
  const [pages, setPages] = useState("");
  const create = useWrite("compare.create", ["runs"]);
  const document = documents.find(({ id }) => id === documentId);
  const shown: Lane[] = lanes ?? [{ deploymentId: first, mode: "grounding", preset: "standard" }, { deploymentId: engines[1]?.deploymentId ?? first, mode: "grounding", preset: engines[1] ? "standard" : "fast" }];
  const wanted = parsePages(pages);
  const missing = !document ? "Choose a document first." : engines.length === 0 ? "No engine is ready." : wanted === null ? "Write page numbers like 1, 3-5." : null;

  async function start() {
    if (missing || !document) return;
    const made = await create.mutateAsync({ documentId: document.id, lanes: shown, ...(wanted?.length ? { pages: wanted } : {}) }).catch(() => null);
    if (made) url.set({ id: made.id, doc: undefined, new: undefined });
  }

  return (
    <Page>
      <PageHeader back={<Link href="/compare">Compare</Link>} title="New comparison" sentence="Every lane reads the same pages. Change one thing between lanes to see what it does." />
      <form className="grid min-w-0 gap-6" onSubmit={(event) => (event.preventDefault(), void start())}>
        <Panel title="Pages">
          <div className="grid items-start gap-4 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <Field label="Document">
              <Select value={documentId ?? ""} onChange={(event) => url.set({ doc: event.target.value })}>
                <option value="">Choose a stored document</option>
                {documents.map(({ id, name, pages: all }) => <option key={id} value={id}>{name} ({formatCount(all.length, "page")})</option>)}
              </Select>
            </Field>
            <Field label="Pages" hint={document ? `Of ${document.pages.length}; empty means ${document.pages.length > 50 ? "the first 50" : "all"}.` : undefined}>
              <Input value={pages} placeholder="1, 3-5" onChange={(event) => setPages(event.target.value)} />
            </Field>
          </div>
        </Panel>
        <Panel title="Lanes" actions={<Button size="sm" onClick={() => setLanes([...shown, { ...(shown.at(-1) ?? { deploymentId: first, mode: "grounding", preset: "standard" }) }])} disabledReason={shown.length >= laneLimits.most ? "Four lanes are the most." : null}><Plus aria-hidden /> Add a lane</Button>}>
          <ol className="grid gap-4">
            {shown.map((lane, index) => (
              <LaneFields key={index} index={index} lane={lane} engines={engines} onChange={(change) => setLanes(shown.map((each, at) => (at === index ? { ...each, ...change } : each)))} onRemove={shown.length > laneLimits.least ? () => setLanes(shown.filter((_, at) => at !== index)) : null} />
            ))}
          </ol>
        </Panel>
        {create.error && <Notice tone="failed" title={create.error.message} />}
        <Button type="submit" variant="primary" className="justify-self-start" pending={create.isPending} disabledReason={missing}>Read {shown.length} lanes</Button>
      </form>
    </Page>
  );
}

/** Numbers from 1; none for all; null for what is neither. */
function parsePages(text: string): number[] | null {
  if (text.trim() === "") return [];
  try {
    return pageIndexes(text);
  } catch {
    return null;
  }
}

type LaneFieldsProps = { index: number; lane: Lane; engines: { deploymentId: string | null; title: string }[]; onChange: (change: Partial<Lane>) => void; onRemove: (() => void) | null };

function LaneFields({ index, lane, engines, onChange, onRemove }: LaneFieldsProps) {
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-3">
      <span className="pt-7"><LaneLetter index={index} /></span>
      <div className="grid min-w-0 gap-3 md:grid-cols-3">
        <Field label="Engine and model">
          <Select value={lane.deploymentId ?? EMBEDDED} onChange={(event) => onChange({ deploymentId: event.target.value === EMBEDDED ? null : event.target.value })}>
            {engines.map(({ deploymentId, title }) => <option key={deploymentId ?? EMBEDDED} value={deploymentId ?? EMBEDDED}>{title}</option>)}
          </Select>
        </Field>
        <Field label="Resolution">
          <Select value={lane.preset} onChange={(event) => onChange({ preset: event.target.value === "fast" ? "fast" : event.target.value === "best" ? "best" : "standard" })}>
            {Object.entries(PRESET_WORDS).map(([value, word]) => <option key={value} value={value}>{word}</option>)}
          </Select>
        </Field>
        <Field label="Prompt">
          <Select value={lane.mode} onChange={(event) => onChange({ mode: event.target.value === "plain" ? "plain" : "grounding" })}>
            {Object.entries(MODE_WORDS).map(([value, word]) => <option key={value} value={value}>{word}</option>)}
          </Select>
        </Field>
      </div>
      <span className="pt-6">{onRemove ? <Button variant="ghost" size="icon" aria-label={`Remove lane ${index + 1}`} onClick={onRemove}><X aria-hidden /></Button> : <span className="block size-8" />}</span>
    </li>
  );
}
