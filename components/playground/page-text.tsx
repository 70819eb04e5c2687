"use client";

import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { Panel } from "@/components/ui/panel";
import { Segmented } from "@/components/ui/segmented";
import type { Block } from "@/lib/domain/grounding";
import { exportBlock } from "@/lib/domain/grounding-markdown";
import { LabelFilter } from "./label-filter";
import { Attempts, pageFacts, PageNotice } from "./page-notice";
import type { BlockLink } from "./page-overlay";
import { TextPanel } from "./text-panel";
import type { TextForm } from "./use-playground";
import type { RunPage } from "./use-run";

type PageTextProps = {
  page: RunPage | undefined;
  runId: string | null;
  blocks: readonly Block[];
  hidden: ReadonlySet<string>;
  isShown: (block: Block) => boolean;
  onHidden: (labels: ReadonlySet<string>) => void;
  link: BlockLink;
  form: TextForm;
  onForm: (form: TextForm) => void;
  query: string;
};

const FORMS: { value: TextForm; label: string }[] = [
  { value: "rendered", label: "Text" },
  { value: "raw", label: "Raw" },
  { value: "json", label: "Blocks" },
];

/** The text of the page in the form that is asked for, with what is to be known of it. */
export function PageText({ page, runId, blocks, hidden, isShown, onHidden, link, form, onForm, query }: PageTextProps) {
  const toggle = (label: string) => onHidden(new Set(hidden.has(label) ? [...hidden].filter((each) => each !== label) : [...hidden, label]));
  return (
    <Panel title="Text" description={page ? pageFacts(page) : "Not read yet."} actions={<Segmented label="Form of the text" value={form} onChange={onForm} options={FORMS} />}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {page && runId && <PageNotice page={page} runId={runId} />}
        {page && <Attempts page={page} />}
        <LabelFilter blocks={blocks} hidden={hidden} onToggle={toggle} onHidden={onHidden} />
        <div className="max-h-[calc(100dvh-18rem)] overflow-y-auto" tabIndex={0} role="region" aria-label="Text">
          {form === "rendered" && <TextPanel blocks={blocks} isShown={isShown} link={link} isWriting={page?.state === "running"} query={query} />}
          {form === "raw" && <RawText text={page?.text ?? ""} />}
          {form === "json" && <BlocksAsJson blocks={blocks.filter(isShown)} />}
        </div>
      </div>
    </Panel>
  );
}

/** Untouched, as the model wrote it. */
function RawText({ text }: { text: string }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <CopyButton text={text} label="Copy the raw text" showLabel className="justify-self-end" />
      <pre className="font-mono text-sm break-words whitespace-pre-wrap">{text}</pre>
    </div>
  );
}

function BlocksAsJson({ blocks }: { blocks: readonly Block[] }) {
  return <CodeBlock code={JSON.stringify(blocks.map(exportBlock), null, 2)} label="Blocks as JSON" wrap />;
}
