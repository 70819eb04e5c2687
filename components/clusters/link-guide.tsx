"use client";

import { useState } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import { Field, Input } from "@/components/ui/field";
import { Segmented } from "@/components/ui/segmented";
import { LINK_FILE, linkCommands, linkYaml, PROVIDER_NAMES, PROVIDERS, type Provider } from "@/lib/domain/cluster-manifest";
import { NamespaceName } from "@/lib/domain/deployment";

export type LinkGuideProps = { namespace: string; onNamespace: (namespace: string) => void };

/** How to get a kubeconfig that Lectern accepts: an account with just the rights that it uses, and three commands. */
export function LinkGuide({ namespace, onNamespace }: LinkGuideProps) {
  const [provider, setProvider] = useState<Provider>("eks");
  const parsed = NamespaceName.min(1).safeParse(namespace);
  const place = parsed.data ?? "lectern";
  const [signIn, apply, print] = linkCommands(provider, place);
  return (
    <div className="grid gap-4">
      <Field label="Namespace" hint="Where the environment will run; one for each environment." error={parsed.success ? null : "Use lower-case letters, digits and dashes."}>
        <Input mono value={namespace} onChange={(event) => onNamespace(event.target.value)} className="max-w-80" />
      </Field>
      <CodeBlock label={LINK_FILE} code={linkYaml(place)} className="max-h-56" />
      <Segmented label="Where the cluster runs" value={provider} onChange={setProvider} options={PROVIDERS.map((value) => ({ value, label: PROVIDER_NAMES[value] }))} />
      <ol className="grid gap-3">
        <li className="grid gap-1.5">
          <p>Sign in to the cluster as yourself. What Lectern gets is not this credential.</p>
          <CodeBlock label="1. your own access" code={signIn ?? ""} wrap />
        </li>
        <li className="grid gap-1.5">
          <p>Create Lectern&apos;s account from the file above.</p>
          <CodeBlock label="2. the account" code={apply ?? ""} wrap />
        </li>
        <li className="grid gap-1.5">
          <p>Print a kubeconfig that holds nothing but that account, and paste it under “Paste”.</p>
          <CodeBlock label="3. the kubeconfig" code={print ?? ""} wrap />
        </li>
      </ol>
    </div>
  );
}
