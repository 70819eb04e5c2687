"use client";

import Link from "next/link";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Figure, Figures } from "@/components/ui/figure";
import { formatNumber } from "@/components/ui/format";
import { Panel } from "@/components/ui/panel";
import { Segmented } from "@/components/ui/segmented";
import type { DeploymentView } from "./deployment-page";
import { snippetsOf } from "./snippets";

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
        <Measured view={view} />
        <Segmented label="Language" value={chosen} onChange={setChosen} options={snippets.map(({ id, label }) => ({ value: id, label }))} />
        {snippet && <CodeBlock code={snippet.code} label={`${snippet.label} from inside the cluster`} className="max-h-80" />}
      </div>
    </Panel>
  );
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
