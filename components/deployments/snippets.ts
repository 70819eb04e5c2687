import { findModel } from "@/lib/domain/catalog";

export type Snippet = { id: string; label: string; code: string };
type Served = { name: string; namespace: string; modelId: string };

const PORT = 8000;

/** Requests that read one page, from a pod of a namespace that may call the model. */
export function snippetsOf({ name, namespace, modelId }: Served): Snippet[] {
  const model = findModel(modelId) ?? { hfId: modelId, thinkingSwitch: false };
  const base = `http://${name}.${namespace}.svc:${PORT}/v1`;
  const thinking = model.thinkingSwitch ? { chat_template_kwargs: { enable_thinking: false } } : {};
  const content = [
    { type: "image_url", image_url: { url: "data:image/png;base64,…" } },
    { type: "text", text: "grounding" },
  ];
  const body = { model: model.hfId, messages: [{ role: "user", content }], temperature: 0.2, ...thinking };
  return [
    { id: "curl", label: "curl", code: `curl ${base}/chat/completions \\\n  -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(body, null, 2)}'\n` },
    { id: "python", label: "Python", code: python(base, model.hfId, model.thinkingSwitch) },
    { id: "javascript", label: "JavaScript", code: javascript(base, body) },
  ];
}

function python(base: string, model: string, hasThinking: boolean): string {
  const extra = hasThinking ? '\n    extra_body={"chat_template_kwargs": {"enable_thinking": False}},' : "";
  return `import base64
from openai import OpenAI

client = OpenAI(base_url="${base}", api_key="none")
page = base64.b64encode(open("page.png", "rb").read()).decode()
answer = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": [
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{page}"}},
        {"type": "text", "text": "grounding"},
    ]}],
    temperature=0.2,${extra}
)
print(answer.choices[0].message.content)
`;
}

function javascript(base: string, body: object): string {
  const text = JSON.stringify(body, null, 2).replace('"data:image/png;base64,…"', "`data:image/png;base64,${page}`");
  return `import { readFile } from "node:fs/promises";

const page = await readFile("page.png", "base64");
const answer = await fetch("${base}/chat/completions", {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(${text.replaceAll("\n", "\n  ")}),
});
console.log((await answer.json()).choices[0].message.content);
`;
}
