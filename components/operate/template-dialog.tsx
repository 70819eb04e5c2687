"use client";

import { useState, type FormEvent } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { ShownOnce } from "@/components/ui/shown-once";
import type { Output } from "@/lib/client/api";
import { useRead, useWrite } from "@/lib/client/hooks";
import { models, skus } from "@/lib/domain/catalog";
import { FORGE_API, FORGE_NAMES, FORGES, type Forge } from "@/lib/domain/preview-words";

type Made = Output<"templates.create">;

/** Makes a template and shows, once, what the repository's webhook needs. */
export function TemplateDialog() {
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<Made | null>(null);
  const toggle = (open: boolean) => {
    setOpen(open);
    if (open) setMade(null);
  };
  return (
    <Dialog open={isOpen} onOpenChange={toggle} size="lg" trigger={<Button variant="primary">New template</Button>} title="New template" description="Every pull request of the repository gets an environment of this shape.">
      {made ? <Hook made={made} onDone={() => toggle(false)} /> : <TemplateForm onMade={setMade} />}
    </Dialog>
  );
}

function Hook({ made, onDone }: { made: Made; onDone: () => void }) {
  return (
    <div className="grid gap-4">
      <p>Add a webhook to the repository: this address, this secret, content type <code className="font-mono">application/json</code>, and the events of pull requests (GitHub) or merge requests (GitLab). A script may send the secret as a bearer token instead.</p>
      <Field label="Address"><Input mono readOnly value={made.hookUrl} /></Field>
      <ShownOnce title="The secret is shown now and never again." label="webhook secret" secret={made.hookSecret} />
      <Button variant="primary" className="justify-self-end" onClick={onDone}>Done</Button>
    </div>
  );
}

function inputOf(values: FormData, forge: Forge) {
  const text = (name: string) => String(values.get(name) ?? "").trim();
  const group = text("group");
  return {
    name: text("name"),
    clusterId: text("clusterId"),
    spec: { name: "ocr", modelId: text("modelId"), skuId: text("skuId"), spot: false },
    roles: group === "" ? [] : [{ role: "analyst" as const, member: { kind: "group" as const, group } }],
    hoursToLive: Number(text("hoursToLive")),
    idleMinutes: Number(text("idleMinutes")),
    budget: text("budget") === "" ? null : Number(text("budget")),
    forge,
    repository: text("repository"),
    apiUrl: text("apiUrl"),
    forgeToken: text("forgeToken") === "" ? null : text("forgeToken"),
  };
}

function TemplateForm({ onMade }: { onMade: (made: Made) => void }) {
  const [forge, setForge] = useState<Forge>("github");
  const create = useWrite("templates.create");
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    create.mutate(inputOf(new FormData(event.currentTarget), forge), { onSuccess: onMade });
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      {create.error && <Notice tone="failed" title={create.error.message} />}
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Name" required><Input name="name" required maxLength={60} autoComplete="off" autoFocus /></Field>
        <Field label="Forge">
          <Select value={forge} onChange={(event) => setForge(FORGES.find((one) => one === event.target.value) ?? "github")}>
            {FORGES.map((one) => <option key={one} value={one}>{FORGE_NAMES[one]}</option>)}
          </Select>
        </Field>
        <Field label="Repository" hint="owner/name" required><Input name="repository" mono required placeholder="acme/portal" /></Field>
        <Field label="Address of its API" required><Input name="apiUrl" mono required key={forge} defaultValue={FORGE_API[forge]} /></Field>
        <Field label="Token for comments" hint="May write comments in this repository. Empty: the address is not commented."><Input name="forgeToken" type="password" autoComplete="off" /></Field>
        <Field label="Group that may read documents there" hint="As the identity provider calls it. Empty: owners only."><Input name="group" /></Field>
      </div>
      <ShapeFields />
      <Button type="submit" variant="primary" pending={create.isPending} className="justify-self-end">Make template</Button>
    </form>
  );
}

function ShapeFields() {
  const clusters = useRead("clusters.list", {}).data?.clusters ?? [];
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Cluster" required>
        <Select name="clusterId" required key={clusters.length} defaultValue={clusters[0]?.id}>{clusters.map((one) => <option key={one.id} value={one.id}>{one.name}</option>)}</Select>
      </Field>
      <Field label="Model"><Select name="modelId">{models.map((one) => <option key={one.id} value={one.id}>{one.name}</option>)}</Select></Field>
      <Field label="GPU size"><Select name="skuId" defaultValue="aws-g6-xlarge">{skus.map((one) => <option key={one.id} value={one.id}>{one.name} ({one.gpu.name})</option>)}</Select></Field>
      <Field label="Budget of one environment" hint="In the currency of the node’s price. Empty: none."><Input name="budget" type="number" min={0.01} step={0.01} /></Field>
      <Field label="Time to live" hint="Hours from the last push."><Input name="hoursToLive" type="number" min={1} max={720} defaultValue={72} required /></Field>
      <Field label="Asleep after" hint="Minutes without pages."><Input name="idleMinutes" type="number" min={5} max={1440} defaultValue={30} required /></Field>
    </div>
  );
}
