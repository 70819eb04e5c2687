"use client";

import { useState } from "react";
import { Field, Textarea } from "@/components/ui/field";
import type { DeployDraft, DeployForm } from "./use-deploy-form";

const example = `[{ "kind": "Deployment", "patch": [{ "op": "add", "path": "/spec/template/spec/containers/0/args/-", "value": "--max-num-seqs=64" }] }]`;

/** Text that is no JSON goes on as it is: the spec's own check then refuses it. */
function overlayOf(text: string): DeployDraft["overlay"] {
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text) as DeployDraft["overlay"]; // checked by DeploymentSpec
  } catch {
    return text as unknown as DeployDraft["overlay"]; // refused by DeploymentSpec
  }
}

/** Any field of any object, by hand. What it changes is marked in every comparison. */
export function OverlayField({ form: { draft, set, errorOf, overlayProblem } }: { form: DeployForm }) {
  const [text, setText] = useState(draft.overlay ? JSON.stringify(draft.overlay, null, 2) : "");
  const isBroken = typeof draft.overlay === "string";
  const error = isBroken ? "This is not valid JSON yet: a list of overrides, each with kind and patch or merge." : (errorOf("overlay") ?? overlayProblem);
  return (
    <Field label="Overrides" hint="A JSON list; each names a kind, and a JSON patch or a strategic merge. Kinds, names, selectors and pod security stay." error={error}>
      <Textarea
        mono
        rows={5}
        value={text}
        placeholder={example}
        onChange={(event) => {
          setText(event.target.value);
          set({ overlay: overlayOf(event.target.value) });
        }}
      />
    </Field>
  );
}
