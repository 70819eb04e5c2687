import { findSku } from "./catalog";
import { engines } from "./catalog-engine";
import type { Autoscaling, Exposure, Monitoring } from "./deployment-options";

type Asked = {
  modelId: string;
  skuId: string;
  engine: string;
  replicas: number;
  accessMode: string;
  offline: boolean;
  prefetch?: boolean | undefined;
  autoscaling?: Autoscaling | undefined;
  exposure?: Exposure | undefined;
  monitoring?: Monitoring | undefined;
};
export type SpecProblem = { path: readonly string[]; message: string };

const problem = (path: string | readonly string[], message: string): SpecProblem => ({ path: typeof path === "string" ? [path] : path, message });

/** What in a spec does not go together, each with the field to change and why. */
export function specProblems(spec: Asked): SpecProblem[] {
  return [...replicaProblems(spec), ...weightProblems(spec), ...engineProblems(spec), ...exposureProblems(spec)];
}

function replicaProblems({ replicas, accessMode, autoscaling }: Asked): SpecProblem[] {
  const oneNode = "A ReadWriteOnce volume attaches to one node: use one replica, or a ReadWriteMany storage class.";
  const isOneNode = accessMode === "ReadWriteOnce";
  return [
    ...(isOneNode && replicas > 1 ? [problem("replicas", oneNode)] : []),
    ...(isOneNode && autoscaling && autoscaling.maxReplicas > 1 ? [problem(["autoscaling", "maxReplicas"], oneNode)] : []),
    ...(autoscaling && autoscaling.maxReplicas < autoscaling.minReplicas ? [problem(["autoscaling", "maxReplicas"], "The most replicas are fewer than the least.")] : []),
  ];
}

function weightProblems({ offline, prefetch, engine }: Asked): SpecProblem[] {
  return [
    ...(offline && prefetch ? [problem("prefetch", "Offline says that the weights are on the volume already: choose one of the two.")] : []),
    ...(prefetch && engine === "llama-cpp" ? [problem("prefetch", "llama.cpp cannot download without serving: let it download once, then change it to offline.")] : []),
  ];
}

function engineProblems({ modelId, engine, autoscaling, monitoring }: Asked): SpecProblem[] {
  const facts = engines.find((each) => each.deployable === engine);
  if (!facts) return [];
  const served = facts.copies === null || facts.copies[modelId] !== undefined;
  return [
    ...(served ? [] : [problem("engine", `${facts.name} reads only quantised copies, and none of ${modelId} is known. Choose vLLM, or another model.`)]),
    ...(facts.queue === null && autoscaling ? [problem("autoscaling", `${facts.name} tells no queue length: nothing could scale by it.`)] : []),
    ...(facts.metricsPath === null && monitoring ? [problem("monitoring", `${facts.name} has no metrics to scrape.`)] : []),
  ];
}

/** AKS' own class gives a public address unless it was reconfigured. Source: learn.microsoft.com, app-routing-nginx-configuration. */
const publicClass = "webapprouting.kubernetes.azure.com";

function exposureProblems({ skuId, exposure }: Asked): SpecProblem[] {
  if (exposure?.kind !== "ingress") return [];
  const cloud = findSku(skuId)?.cloud;
  const path = ["exposure", "className"];
  if (exposure.className === publicClass) return [problem(path, "This class is public by default. Make an NginxIngressController with an internal address, and name its class.")];
  if (exposure.className === undefined && cloud !== "aws" && cloud !== "gcp") return [problem(path, "Name the internal ingress class of the cluster: this cloud has none of its own.")];
  return [];
}
