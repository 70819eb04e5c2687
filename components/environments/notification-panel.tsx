"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input, Textarea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { problemOf } from "@/components/ui/problem";
import { ShownOnce } from "@/components/ui/shown-once";
import { ErrorState, LoadingText } from "@/components/ui/states";
import type { Output } from "@/lib/client/api";
import { useCan, useRead, useWrite } from "@/lib/client/hooks";
import { NoticeList } from "./notice-list";

export type NotificationPanelProps = { environmentId: string };

/** Where notices of this environment go, and which there were. */
export function NotificationPanel({ environmentId }: NotificationPanelProps) {
  const { allowed } = useCan("environment.edit", environmentId);
  return (
    <Panel title="Notices" description="Budgets, alerts and what needs a look: said once, to a webhook or by e-mail. No text of documents is ever in them.">
      <div className="grid gap-6">
        {allowed && <Channels environmentId={environmentId} />}
        <NoticeList environmentId={environmentId} />
      </div>
    </Panel>
  );
}

function Channels({ environmentId }: NotificationPanelProps) {
  const { data, error, refetch } = useRead("notifications.get", { environmentId });
  if (error) return <ErrorState problem={problemOf(error)} onRetry={() => void refetch()} />;
  if (!data) return <LoadingText label="Loading the channels" lines={2} />;
  return <ChannelForm key={`${data.webhookUrl} ${data.emails.join(" ")}`} environmentId={environmentId} stored={data} />;
}

const listOf = (text: string) => text.split(/[\s,;]+/).filter((part) => part !== "");

function ChannelForm({ environmentId, stored }: { environmentId: string; stored: Output<"notifications.get"> }) {
  const [webhookUrl, setWebhookUrl] = useState(stored.webhookUrl);
  const [emails, setEmails] = useState(stored.emails.join("\n"));
  const [secret, setSecret] = useState<string | null>(null);
  const save = useWrite("notifications.set");
  const test = useWrite("notifications.test");
  const isChanged = webhookUrl !== stored.webhookUrl || listOf(emails).join() !== stored.emails.join();
  const hasChannel = stored.webhookUrl !== "" || stored.emails.length > 0;
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    save.mutate({ environmentId, webhookUrl: webhookUrl.trim(), emails: listOf(emails) }, { onSuccess: ({ webhookSecret }) => setSecret(webhookSecret) });
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Webhook" hint="https. Each call is signed as standardwebhooks.com describes, and comes again until it is taken.">
          <Input mono inputMode="url" placeholder="https://chat.example.com/hook" value={webhookUrl} onChange={(event) => setWebhookUrl(event.target.value)} />
        </Field>
        <Field label="E-mail" hint={stored.hasMail ? "One address a line." : "This installation has no mail server: whoever runs it sets SMTP_HOST."}>
          <Textarea rows={2} className="min-h-8" disabled={!stored.hasMail} placeholder="team@example.com" value={emails} onChange={(event) => setEmails(event.target.value)} />
        </Field>
      </div>
      {save.error && <Notice tone="failed" title={save.error.message} />}
      {secret && <ShownOnce title="Your receiver checks calls with this secret." secret={secret} label="the webhook's secret" />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" pending={save.isPending} disabled={!isChanged}>
          Save channels
        </Button>
        <Button variant="ghost" pending={test.isPending} disabled={isChanged || !hasChannel} onClick={() => test.mutate({ environmentId })}>
          Send a test
        </Button>
      </div>
      <TestResults results={test.data?.results ?? []} failure={test.error?.message ?? null} />
    </form>
  );
}

function TestResults({ results, failure }: { results: Output<"notifications.test">["results"]; failure: string | null }) {
  if (failure) return <Notice tone="failed" title={failure} />;
  return (
    <ul className="grid gap-1 empty:hidden" aria-live="polite">
      {results.map(({ channel, address, problem }) => (
        <li key={`${channel} ${address}`} className={problem ? "text-failed" : "text-muted-foreground"}>
          <span className="font-mono text-sm">{address}</span> {problem ?? "has taken it."}
        </li>
      ))}
    </ul>
  );
}
