"use client";

import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { formatCount, formatMoney, formatNumber } from "@/components/ui/format";
import { Page, PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { problemOf } from "@/components/ui/problem";
import { Empty, ErrorState, LoadingTable } from "@/components/ui/states";
import { Status, type State } from "@/components/ui/status";
import { RelativeTime } from "@/components/ui/time";
import { toast } from "@/components/ui/toaster";
import type { Output } from "@/lib/client/api";
import { useCan, useRead, useWrite } from "@/lib/client/hooks";
import { END_WORDS } from "@/lib/domain/preview-words";
import { TemplateDialog } from "./template-dialog";
import { TemplatesPanel } from "./templates-panel";

type Preview = Output<"previewEnvironments.list">["environments"][number];

/** Environments of pull requests: what is open, what each costs, and the proof that closed ones left nothing. */
export function PreviewEnvironmentsPage() {
  const { data, error, refetch } = useRead("previewEnvironments.list", {}, { refetchInterval: 5_000 });
  const may = useCan("portal.manage", null);
  const open = data?.environments.filter((one) => one.state !== "removed") ?? [];
  const removed = data?.environments.filter((one) => one.state === "removed") ?? [];
  const sentence = data ? `${open.length === 0 ? "None is open" : `${formatCount(open.length, "is", "are")} open`}. Each is made when a pull request opens, sleeps when nobody uses it, and leaves nothing when it closes.` : undefined;
  return (
    <Page>
      <PageHeader title="Preview environments" sentence={sentence} action={may.allowed ? <TemplateDialog /> : undefined} />
      {error && <ErrorState problem={problemOf(error)} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingTable label="Loading preview environments" rows={3} />}
      {data && (
        <Panel title="Open" padded={false}>
          {open.length === 0 ? <div className="p-4"><Empty title="No pull request has an environment now. Make a template, give its address to the repository’s webhooks, and open one." /></div> : <PreviewList previews={open} />}
        </Panel>
      )}
      {may.allowed && <TemplatesPanel />}
      {removed.length > 0 && (
        <Panel title="Removed" description="With what was counted afterwards." padded={false}>
          <PreviewList previews={removed} />
        </Panel>
      )}
    </Page>
  );
}

function PreviewList({ previews }: { previews: Preview[] }) {
  return (
    <ul className="divide-y">
      {previews.map((preview) => (
        <li key={preview.id} className="grid gap-x-6 gap-y-1 px-4 py-3 sm:grid-cols-[minmax(0,1fr)_auto]">
          <Title preview={preview} />
          <Cost preview={preview} />
          <Details preview={preview} />
          {preview.mayRemove && <RemoveButton preview={preview} />}
        </li>
      ))}
    </ul>
  );
}

function Title({ preview }: { preview: Preview }) {
  const { number, title, url, repository, slug, state } = preview;
  const name = `${repository} #${number}`;
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
      <StateOf preview={preview} />
      {state === "removed" ? <span className="font-medium">{name}</span> : <Link href={`/environments/${slug}`} className="font-medium underline-offset-4 hover:underline">{name}</Link>}
      {url ? <a href={url} rel="noreferrer noopener" target="_blank" className="min-w-0 truncate text-muted-foreground underline-offset-4 hover:underline">{title || "the request"}</a> : <span className="min-w-0 truncate text-muted-foreground">{title}</span>}
    </p>
  );
}

const STATES: Record<string, State> = { ready: "ready", failed: "failed", timed_out: "failed", stopped: "asleep", working: "working" };

function StateOf({ preview: { state, deployment } }: { preview: Preview }) {
  if (state === "removed") return <Badge>removed</Badge>;
  if (state !== "open" || !deployment) return <Status state="working">{state === "open" ? "opening" : state}</Status>;
  if (deployment.isAsleep) return <Status state="asleep" />;
  return <Status state={STATES[deployment.state] ?? "unknown"}>{deployment.state.replace("_", " ")}</Status>;
}

function Cost({ preview: { nodeHours, cost, budget } }: { preview: Preview }) {
  const money = cost ? `${formatMoney(cost.amount, cost.currency, 2)}${budget === null ? "" : ` of ${formatMoney(budget, cost.currency, 2)}`}` : nodeHours > 0 ? "no price" : "0";
  return <p className="tabular-nums sm:text-right">{money} <span className="text-sm text-muted-foreground">{formatNumber(nodeHours, { digits: 1 })} node h</span></p>;
}

function Details({ preview }: { preview: Preview }) {
  const { state, message, commentNote, templateName, namespace, openedAt, expiresAt, removedAt, endReason, proof } = preview;
  return (
    <div className="grid min-w-0 gap-0.5 text-sm text-muted-foreground">
      {state === "removed" && removedAt ? (
        <p>Removed <RelativeTime at={removedAt} />{endReason && `: ${END_WORDS[endReason]}`}. {proof && `Left behind: ${proof.objects} objects, ${proof.documents} documents, ${proof.openIntervals} paid nodes.`}</p>
      ) : (
        <p>{templateName}, namespace <code className="font-mono break-all">{namespace}</code>; opened <RelativeTime at={openedAt} />{state !== "removing" && <>, ends <RelativeTime at={expiresAt} /></>}.</p>
      )}
      {message !== "" && <p className="text-working">{message}</p>}
      {commentNote !== "" && <p className="text-working">{commentNote}</p>}
    </div>
  );
}

function RemoveButton({ preview }: { preview: Preview }) {
  const remove = useWrite("previewEnvironments.remove", ["environments"]);
  return (
    <Button size="sm" className="self-start sm:justify-self-end" pending={remove.isPending} onClick={() => remove.mutate({ id: preview.id }, { onSuccess: () => toast.success(`${preview.repository} #${preview.number} is being removed.`), onError: (error) => toast.error(error.message) })}>
      Remove
    </Button>
  );
}
