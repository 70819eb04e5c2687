import "server-only";
import { z } from "zod";
import { DomainError, notFound } from "@/lib/domain/errors";
import { deploymentLabel } from "@/lib/domain/manifest/metadata";
import type { LivePod } from "@/lib/domain/rollout-objects";
import type { Db } from "@/lib/platform/db";
import type { Kube } from "@/lib/platform/kube";
import type { LogOptions } from "@/lib/platform/kube/logs";
import { KubeStatusError } from "@/lib/platform/kube/status";
import { kubeOfEnvironment } from "./clusters";
import { deploymentRow, environmentOfDeployment } from "./deployment-rows";
import { read } from "./operation";

const MOST_BYTES = 8 * 1024 * 1024;
const PodName = z.string().max(253).regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, "Give the name of a pod.");

const Where = z.strictObject({ id: z.uuid(), pod: PodName, container: z.string().max(63).optional() });
const Line = z.strictObject({ at: z.string(), text: z.string() });
/** Following goes back this far at most: what is older is read by `logs.read`, which is on the trail. */
const FOLLOW_BACK_MS = 5 * 60_000;

/** Lines of a model server may carry text of documents: that somebody read them is on the trail. */
export const logsRead = read({
  name: "logs.read",
  summary: "The last lines of a container's log, or of the container before a crash",
  permission: "logs.read",
  environment: environmentOfDeployment,
  audited: true,
  input: Where.extend({ previous: z.boolean().default(false), tailLines: z.number().int().min(1).max(100_000).default(1000) }),
  output: z.strictObject({ lines: z.array(Line), isCut: z.boolean(), note: z.string() }),
  target: (input) => ({ type: "deployment", id: input.id, detail: { pod: input.pod, container: input.container ?? null, previous: input.previous } }),
  run: async ({ db, input, signal }) => {
    const { text, note } = await logOf(db, input, { previous: input.previous, tailLines: input.tailLines, ...(signal ? { signal } : {}) });
    const lines = linesOf(text);
    return { lines, isCut: text.length >= MOST_BYTES || lines.length === input.tailLines, note };
  },
});

export const logsFollow = read({
  name: "logs.follow",
  summary: "Lines of a container's log after the last one that is known; repeat it to follow the log",
  permission: "logs.read",
  environment: environmentOfDeployment,
  input: Where.extend({ after: z.string().max(40).refine((text) => !Number.isNaN(Date.parse(text)), "Give the time of the last line that is known.") }),
  output: z.strictObject({ lines: z.array(Line), note: z.string() }),
  run: async ({ db, input, now, signal }) => {
    const backMs = Math.min(FOLLOW_BACK_MS, Math.max(0, now.getTime() - Date.parse(input.after)));
    const { text, note } = await logOf(db, input, { sinceSeconds: Math.ceil(backMs / 1000) + 1, ...(signal ? { signal } : {}) });
    return { lines: linesOf(text).filter((line) => line.at > input.after), note };
  },
});

async function logOf(db: Db, { id, pod, container }: z.infer<typeof Where>, options: LogOptions): Promise<{ text: string; note: string }> {
  const row = await deploymentRow(db, id);
  const { kube, namespace } = await kubeOfEnvironment(db, row.environmentId);
  await assertOwnPod(kube, { namespace, name: pod, deploymentId: row.id });
  return readLog(kube, { namespace, name: pod }, { ...options, timestamps: true, limitBytes: MOST_BYTES, ...(container ? { container } : {}) });
}

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
