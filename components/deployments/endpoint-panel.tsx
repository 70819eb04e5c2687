"use client";

import Link from "next/link";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Panel } from "@/components/ui/panel";
import { modelById } from "@/lib/domain/catalog";
import type { DeploymentView } from "./deployment-page";

const PORT = 8000;

/** A request that reads one page, from a pod of a namespace that may call the model. */
function curl(view: DeploymentView): string {
  const model = modelById(view.deployment.modelId);
  const body = {
    model: model.hfId,
    messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png;base64,…" } }, { type: "text", text: "grounding" }] }],
    temperature: 0.2,
    ...(model.thinkingSwitch ? { chat_template_kwargs: { enable_thinking: false } } : {}),
  };
  return `curl http://${view.deployment.name}.${view.namespace}.svc:${PORT}/v1/chat/completions \\\n  -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(body, null, 2)}'\n`;
}

/** Where the model answers: inside the cluster only. */
export function EndpointPanel({ view }: { view: DeploymentView }) {
  const { deployment } = view;
  return (
    <Panel
      title="Endpoint"
      description="It has no public address: it answers inside the cluster, and here through the cluster's API."
      actions={deployment.state === "ready" ? <Button asChild size="sm"><Link href={`/playground?engine=${deployment.id}`}>Read a document with it</Link></Button> : undefined}
    >
      <CodeBlock code={curl(view)} label="curl from inside the cluster" className="max-h-80" />
    </Panel>
  );
}
