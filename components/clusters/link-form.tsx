"use client";

import { useState, type FormEvent, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Segmented } from "@/components/ui/segmented";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs";
import type { Input } from "@/lib/client/api";
import { KubeconfigField } from "./kubeconfig-field";
import { LinkGuide } from "./link-guide";

type Source = Input<"clusters.link">["source"];

export type LinkFormProps = {
  /** The cluster that Lectern itself runs in may be chosen. */
  isInCluster: boolean;
  namespace: string;
  onNamespace: (namespace: string) => void;
  /** Fields that stand before the credential. */
  children?: ReactNode;
  problem: string | null;
  pending: boolean;
  action: string;
  onSubmit: (source: Source, values: FormData) => void;
};

/** A credential in one of three ways: pasted, made with the ready manifest, or the one of Lectern's own pod. */
export function LinkForm({ isInCluster, namespace, onNamespace, children, problem, pending, action, onSubmit }: LinkFormProps) {
  const [kind, setKind] = useState<Source["kind"]>("kubeconfig");
  const [kubeconfig, setKubeconfig] = useState("");

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    onSubmit(kind === "kubeconfig" ? { kind, kubeconfig } : { kind }, new FormData(event.currentTarget));
  }

  return (
    <Tabs defaultValue="paste">
      <TabsList>
        <TabsTrigger value="paste">Paste</TabsTrigger>
        <TabsTrigger value="guide">How to get one</TabsTrigger>
      </TabsList>
      <TabsContent value="paste" forceMount className="data-[state=inactive]:hidden">
        <form onSubmit={submit} className="grid gap-4">
          {problem && <Notice tone="failed" title={problem}>Under “How to get one” stands a manifest and three commands that make what is accepted.</Notice>}
          {children}
          {isInCluster && (
            <Segmented
              label="Credential"
              value={kind}
              onChange={setKind}
              options={[
                { value: "kubeconfig", label: "A kubeconfig" },
                { value: "in-cluster", label: "The cluster Lectern runs in" },
              ]}
            />
          )}
          {kind === "kubeconfig" && <KubeconfigField value={kubeconfig} onChange={setKubeconfig} />}
          <Button type="submit" variant="primary" pending={pending} className="justify-self-end">
            {action}
          </Button>
        </form>
      </TabsContent>
      <TabsContent value="guide">
        <LinkGuide namespace={namespace} onNamespace={onNamespace} />
      </TabsContent>
    </Tabs>
  );
}
