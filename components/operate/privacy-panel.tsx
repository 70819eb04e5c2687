"use client";

import { CircleCheck, CircleHelp, TriangleAlert } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Panel } from "@/components/ui/panel";
import { ErrorState, LoadingText } from "@/components/ui/states";
import { RelativeTime } from "@/components/ui/time";
import { toast } from "@/components/ui/toaster";
import { readUrl, type Output } from "@/lib/client/api";
import { useCan, useRead, useWrite } from "@/lib/client/hooks";

type Fact = Output<"privacy.get">["facts"][number];

const WORDS: Record<Fact["verdict"], string> = { proved: "proved", broken: "not so", not_proved: "not proved" };

function VerdictIcon({ verdict }: { verdict: Fact["verdict"] }) {
  if (verdict === "proved") return <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-ready" />;
  if (verdict === "broken") return <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-failed" />;
  return <CircleHelp aria-hidden className="mt-0.5 size-4 shrink-0 text-muted-foreground" />;
}

/** What is proved of a deployment's privacy, by its live objects, and when; as a page for a data protection officer. */
export function PrivacyPanel({ deploymentId, environmentId }: { deploymentId: string; environmentId: string }) {
  const privacy = useRead("privacy.get", { id: deploymentId }, { refetchInterval: 30_000 });
  const link = (format: "html" | "json") => readUrl("privacy.report", { id: deploymentId, format });
  return (
    <Panel
      title="Private by proof"
      description={privacy.data?.checkedAt ? <>Checked in the cluster <RelativeTime at={privacy.data.checkedAt} />; every half minute.</> : "Not checked yet: it is within half a minute of the first apply."}
      actions={
        <>
          <ProbeButton deploymentId={deploymentId} environmentId={environmentId} />
          <Button asChild size="sm"><a href={link("html")} download>Page to print</a></Button>
          <Button asChild size="sm"><a href={link("json")} download>JSON</a></Button>
        </>
      }
    >
      {privacy.error ? <ErrorState problem={privacy.error} onRetry={() => void privacy.refetch()} /> : !privacy.data ? <LoadingText /> : <Facts facts={privacy.data.facts} />}
    </Panel>
  );
}

/** Whether policies are enforced shows only when somebody tries: a pod of another namespace, for a minute at most. */
function ProbeButton({ deploymentId, environmentId }: { deploymentId: string; environmentId: string }) {
  const probe = useWrite("privacy.probe");
  const { reason } = useCan("deployment.stop", environmentId);
  const run = () => probe.mutate({ id: deploymentId }, { onSuccess: ({ sentence }) => toast.success(sentence), onError: (error) => toast.error(error.message) });
  return <Button size="sm" pending={probe.isPending} disabledReason={reason} onClick={run}>Try the policy</Button>;
}

function Facts({ facts }: { facts: Fact[] }) {
  return (
    <ul className="grid gap-3">
      {facts.map((fact) => (
        <li key={fact.id} className="flex items-start gap-2">
          <VerdictIcon verdict={fact.verdict} />
          <div className="grid min-w-0 gap-0.5">
            <p><span className="font-medium">{fact.title}</span> <span className="text-sm text-muted-foreground">({WORDS[fact.verdict]})</span></p>
            <p className="text-sm text-muted-foreground">{fact.sentence}</p>
            {fact.verdict === "broken" && fact.evidence.length > 0 && <p className="font-mono text-sm break-all">{fact.evidence.join(" · ")}</p>}
          </div>
        </li>
      ))}
    </ul>
  );
}
