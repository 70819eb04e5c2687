import "server-only";
import { z } from "zod";
import { DomainError, notFound } from "@/lib/domain/errors";
import { deploymentLabel } from "@/lib/domain/manifest/metadata";
import type { LivePod } from "@/lib/domain/rollout-objects";
import type { Kube } from "@/lib/platform/kube";
import type { LogOptions } from "@/lib/platform/kube/logs";
import { KubeStatusError } from "@/lib/platform/kube/status";
import { kubeOfEnvironment } from "./clusters";
import { deploymentRow, environmentOfDeployment } from "./deployment-rows";
import { read } from "./operation";

const MOST_BYTES = 8 * 1024 * 1024;
const PodName = z.string().max(253).regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, "Give the name of a pod.");

/** Reading a log is on the trail: lines of a model server may carry text of documents. */
export const logsRead = read({
  name: "logs.read",
  summary: "Lines of a container's log: the last ones, those after a time, or those of the container before a crash",
  permission: "logs.read",
  environment: environmentOfDeployment,
  audited: true,
  input: z.strictObject({
    id: z.uuid(),
    pod: PodName,
    container: z.string().max(63).optional(),
    previous: z.boolean().default(false),
    tailLines: z.number().int().min(1).max(100_000).default(1000),
    /** Only lines written after this time: to follow a log, give the time of the last line that is known. */
    after: z.iso.datetime({ precision: undefined }).optional(),
  }),
  output: z.strictObject({ lines: z.array(z.strictObject({ at: z.string(), text: z.string() })), isCut: z.boolean(), note: z.string() }),
  target: (input) => ({ type: "deployment", id: input.id, detail: { pod: input.pod, container: input.container ?? null, previous: input.previous } }),
  run: async ({ db, input, now, signal }) => {
    const row = await deploymentRow(db, input.id);
    const { kube, namespace } = await kubeOfEnvironment(db, row.environmentId);
    await assertOwnPod(kube, { namespace, name: input.pod, deploymentId: row.id });
    const since = input.after === undefined ? {} : { sinceSeconds: Math.max(1, Math.ceil((now.getTime() - Date.parse(input.after)) / 1000) + 1) };
    const options = { previous: input.previous, tailLines: input.tailLines, timestamps: true, limitBytes: MOST_BYTES, ...since, ...(input.container ? { container: input.container } : {}), ...(signal ? { signal } : {}) };
    const { text, note } = await readLog(kube, { namespace, name: input.pod }, options);
    const lines = linesOf(text).filter((line) => input.after === undefined || line.at > input.after);
    return { lines, isCut: text.length >= MOST_BYTES || lines.length === input.tailLines, note };
  },
});

/** A pod of another deployment is as good as missing. */
async function assertOwnPod(kube: Kube, { namespace, name, deploymentId }: { namespace: string; name: string; deploymentId: string }): Promise<void> {
  const pod = await kube.get<LivePod>({ apiVersion: "v1", resource: "pods", namespace, name }).catch((error: unknown) => {
    if (error instanceof KubeStatusError && error.status === 404) throw notFound("pod");
    throw error;
  });
  if (pod.metadata.labels?.[deploymentLabel] !== deploymentId) throw notFound("pod");
}

/** A container that has not started has no log yet: that is a state to show, and not an error. */
async function readLog(kube: Kube, pod: { namespace: string; name: string }, options: LogOptions): Promise<{ text: string; note: string }> {
  try {
    return { text: await kube.log(pod, options), note: "" };
  } catch (error) {
    if (error instanceof KubeStatusError && error.status === 400) return { text: "", note: error.message };
    if (error instanceof DomainError && error.code === "not_found") throw notFound("log");
    throw error;
  }
}

function linesOf(text: string): { at: string; text: string }[] {
  const rows = text.split("\n");
  if (rows.at(-1) === "") rows.pop();
  return rows.map((row) => {
    const end = row.indexOf(" ");
    const at = row.slice(0, Math.max(0, end));
    return Number.isNaN(Date.parse(at)) ? { at: "", text: row } : { at, text: row.slice(end + 1) };
  });
}
