"use client";

import { useState, type FormEvent } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Facts } from "@/components/ui/figure";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { LoadingText } from "@/components/ui/states";
import { RelativeTime } from "@/components/ui/time";
import { toast } from "@/components/ui/toaster";
import type { Output } from "@/lib/client/api";
import { useCan, useRead, useWrite } from "@/lib/client/hooks";

type Scaling = Output<"scaling.get">;
const OWNERS: Record<Scaling["owner"], string> = { person: "whoever deploys", lectern: "Lectern, by the queue", hpa: "the cluster’s HorizontalPodAutoscaler", keda: "the cluster’s KEDA" };

/** Who sets the replicas, and by which rule; one owner at a time. */
export function ScalingPanel({ deploymentId, environmentId }: { deploymentId: string; environmentId: string }) {
  const { data } = useRead("scaling.get", { id: deploymentId }, { refetchInterval: 30_000 });
  return (
    <Panel title="Scaling" description="Replicas by the length of the queue. One owner sets them at a time; going down, pages under way are finished first.">
      {data ? <Scaled scaling={data} deploymentId={deploymentId} environmentId={environmentId} /> : <LoadingText lines={3} />}
    </Panel>
  );
}

function Scaled({ scaling, deploymentId, environmentId }: { scaling: Scaling; deploymentId: string; environmentId: string }) {
  const { owner, rule, replicas, sentence, changedAt, cluster, mostReplicas } = scaling;
  const isCluster = owner === "hpa" || owner === "keda";
  const offers = cluster ? [cluster.keda ? "KEDA" : "", cluster.hpa ? "HPA with engine metrics" : ""].filter((each) => each !== "").join(" and ") : "";
  const facts = [
    { name: "Replicas", value: String(replicas) },
    { name: "Set by", value: OWNERS[owner] },
    { name: "Cluster offers", value: cluster === null ? "cannot be asked now" : offers === "" ? "no autoscaler that reads the engine’s queue: Lectern’s own does it" : `${offers}: choose it under Change` },
    { name: "Last decision", value: <>{sentence}{changedAt && rule && <> Last change <RelativeTime at={changedAt} />.</>}</> },
  ];
  return (
    <div className="grid gap-4">
      <Facts facts={facts} />
      {!isCluster && mostReplicas === 1 && <p className="text-sm text-muted-foreground">Its volume attaches to one node (ReadWriteOnce), so there is one replica. A ReadWriteMany storage class lets it scale.</p>}
      {!isCluster && mostReplicas > 1 && <ScalingForm key={JSON.stringify(rule)} rule={rule} most={mostReplicas} deploymentId={deploymentId} environmentId={environmentId} />}
    </div>
  );
}

type FormProps = { rule: Scaling["rule"]; most: number; deploymentId: string; environmentId: string };

function ScalingForm({ rule, most, deploymentId, environmentId }: FormProps) {
  const [values, setValues] = useState(rule ?? { minReplicas: 1, maxReplicas: Math.min(2, most), pagesPerReplica: 8 });
  const { reason } = useCan("deployment.apply", environmentId);
  const set = useWrite("scaling.set", ["deployments"]);
  const field = (key: keyof typeof values, label: string, max: number) => (
    <Field label={label}>
      <Input type="number" min={1} max={max} required className="tabular-nums" value={values[key]} onChange={(event) => setValues({ ...values, [key]: Number(event.target.value) })} />
    </Field>
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    set.mutate({ id: deploymentId, rule: values }, { onSuccess: () => toast.success("Replicas follow the queue.") });
  };
  return (
    <form onSubmit={submit} className="grid gap-3">
      {set.error && <Notice tone="failed" title={set.error.message} />}
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {field("minReplicas", "At least", most)}
        {field("maxReplicas", "At most", most)}
        {field("pagesPerReplica", "Pages a replica", 1024)}
      </div>
      <span className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" pending={set.isPending} disabledReason={reason}>{rule ? "Change" : "Follow the queue"}</Button>
        {rule && <Button disabledReason={reason} onClick={() => set.mutate({ id: deploymentId, rule: null })}>Keep as it is now</Button>}
      </span>
    </form>
  );
}
