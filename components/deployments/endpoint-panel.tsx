"use client";

import Link from "next/link";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Figure, Figures } from "@/components/ui/figure";
import { formatNumber } from "@/components/ui/format";
import { Panel } from "@/components/ui/panel";
import { Notice } from "@/components/ui/notice";
import { Segmented } from "@/components/ui/segmented";
import { LoadingText } from "@/components/ui/states";
import { RelativeTime, useNow } from "@/components/ui/time";
import type { DeploymentView } from "./deployment-page";
import { snippetsOf } from "./snippets";

/** After so long nobody is reading the sample any more. */
const GIVEN_UP_MS = 5 * 60_000;

/** Where the model answers: inside the cluster only. */
export function EndpointPanel({ view }: { view: DeploymentView }) {
  const [chosen, setChosen] = useState("curl");
  const { deployment } = view;
  const snippets = snippetsOf({ name: deployment.name, namespace: view.namespace, modelId: deployment.modelId });
  const snippet = snippets.find((each) => each.id === chosen) ?? snippets[0];
  return (
    <Panel
      title="Endpoint"
      description="It has no public address: it answers inside the cluster, and here through the cluster's API."
      actions={deployment.state === "ready" ? <Button asChild size="sm"><Link href={`/playground?engine=${deployment.id}`}>Read a document with it</Link></Button> : undefined}
    >
      <div className="grid gap-4">
        <SampleRead view={view} />
        <Measured view={view} />
        <Segmented label="Language" value={chosen} onChange={setChosen} options={snippets.map(({ id, label }) => ({ value: id, label }))} />
        {snippet && <CodeBlock code={snippet.code} label={`${snippet.label} from inside the cluster`} className="max-h-80" />}
      </div>
    </Panel>
  );
}

/** A page was really read, or was not: what the engine says of itself is no proof. */
function SampleRead({ view }: { view: DeploymentView }) {
  const smoke = view.revisions.flatMap((revision) => revision.rollouts).find((rollout) => rollout.smoke !== null)?.smoke;
  if (!smoke) return null;
  if (smoke.state === "reading") return <Reading since={smoke.at} />;
  if (smoke.state === "failed") return <Notice tone="warning" title="It says that it is ready, and a sample page could not be read.">{smoke.message}</Notice>;
  const tokens = smoke.tokensPerSecond === null ? "the engine did not count tokens" : `${formatNumber(smoke.tokensPerSecond, { digits: 0 })} tokens/s`;
  return (
    <Figures>
      <Figure label="Sample page read in" value={`${formatNumber(smoke.seconds, { digits: 1 })} s`} note={<>measured, <RelativeTime at={smoke.at} /></>} />
      <Figure label="Pages a second" value={formatNumber(smoke.pagesPerSecond, { digits: 2 })} note={`measured, one page at a time; ${tokens}`} />
    </Figures>
  );
}

function Reading({ since }: { since: string }) {
  const now = useNow();
  return now - Date.parse(since) > GIVEN_UP_MS ? null : <LoadingText label="Reading a sample page through the service" />;
}

const gib = (value: number | null) => (value === null ? "–" : `${formatNumber(value, { digits: 1 })} GiB`);

/** What the engine logged at its last start, in the place of the estimates before it. */
function Measured({ view }: { view: DeploymentView }) {
  const facts = view.revisions.flatMap((revision) => revision.rollouts).find((rollout) => rollout.facts !== null)?.facts;
  if (!facts) return null;
  return (
    <Figures>
      <Figure label="Weights on the GPU" value={gib(facts.weightsGib)} note="logged by the engine" />
      <Figure label="Room for pages (KV cache)" value={gib(facts.kvGib)} note={facts.kvTokens === null ? "logged by the engine" : `${formatNumber(facts.kvTokens)} tokens, logged by the engine`} />
    </Figures>
  );
}
