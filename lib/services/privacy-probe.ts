import "server-only";
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { DomainError } from "@/lib/domain/errors";
import { PROBE_IMAGE, probeEnd, probeVerdict, type ProbeVerdict } from "@/lib/domain/privacy-probe";
import type { Db } from "@/lib/platform/db";
import type { Kube } from "@/lib/platform/kube";
import { callJson } from "@/lib/platform/kube/request";
import { kubeOfEnvironment } from "./clusters";
import { deploymentRow, environmentOfDeployment } from "./deployment-rows";
import { write } from "./operation";

const EVERY_MS = 86_400_000;
const LEASE_MS = 120_000;
const DEADLINE_MS = 60_000;
const LOOK_MS = 250;
/** There is one in every cluster; a probe comes from the first that may not call. */
const NAMESPACES = ["default", "kube-public"];
const PORT = 8000;
/** Says that it got through: an end without a word proves nothing. The address is an argument and no part of the script. */
const TRY = '/agnhost connect --timeout=5s "$0" && echo REACHED > /dev/termination-log';

/** Sends a pod from a namespace that may not call the engine, keeps what it found, and takes it away again. Throws what the cluster says. */
export async function probePrivacy(db: Db, deploymentId: string, now: Date): Promise<ProbeVerdict> {
  const row = await deploymentRow(db, deploymentId);
  const spec = DeploymentSpec.parse(row.spec);
  const { kube, namespace } = await kubeOfEnvironment(db, row.environmentId);
  const from = NAMESPACES.find((each) => each !== namespace && !spec.callerNamespaces.includes(each));
  const found = await tryFrom(kube, { from, name: row.name, namespace, isReady: row.state === "ready" });
  const data = { ...found, at: now, leasedUntil: null };
  await db.privacyProbe.upsert({ where: { deploymentId }, create: { deploymentId, ...data }, update: data });
  return found;
}

type Trying = { from: string | undefined; name: string; namespace: string; isReady: boolean };

async function tryFrom(kube: Kube, { from, name, namespace, isReady }: Trying): Promise<ProbeVerdict> {
  const unproved = (sentence: string): ProbeVerdict => ({ verdict: "not_proved", sentence });
  if (!from) return unproved("Every namespace from which Lectern could try is among its callers.");
  if (!isReady) return unproved("It does not answer now, so that a refused connection would prove nothing. It is tried when it runs.");
  const rights = await Promise.all(["create", "get", "delete"].map((verb) => kube.mayI({ verb, group: "", resource: "pods", namespace: from })));
  if (rights.some((right) => !right.allowed)) return unproved(`Lectern may not start pods in the namespace ${from}, so no probe was made. A cluster ignores policies silently without an enforcing network plugin.`);
  const service = await kube.get<{ spec: { clusterIP?: string } }>({ apiVersion: "v1", resource: "services", namespace, name });
  const address = service.spec.clusterIP;
  if (!address || address === "None") return unproved("Its Service has no address of its own to try.");
  const pod = probePod(from, address.includes(":") ? `[${address}]:${PORT}` : `${address}:${PORT}`);
  const ref = { apiVersion: "v1", resource: "pods", namespace: from, name: pod.metadata.name };
  await callJson(kube.send, { method: "POST", path: `/api/v1/namespaces/${from}/pods`, headers: { "content-type": "application/json" }, body: JSON.stringify(pod) });
  try {
    return probeVerdict(await endOf(kube, ref), from);
  } finally {
    await kube.remove(ref).catch(() => undefined); // its own deadline ends it otherwise
  }
}

function probePod(namespace: string, target: string) {
  const restricted = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: `lectern-probe-${randomBytes(4).toString("hex")}`, namespace, labels: { "app.kubernetes.io/managed-by": "lectern", "app.kubernetes.io/component": "probe" } },
    spec: {
      restartPolicy: "Never",
      activeDeadlineSeconds: DEADLINE_MS / 1000,
      terminationGracePeriodSeconds: 1,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, runAsUser: 65534, seccompProfile: { type: "RuntimeDefault" } },
      containers: [{ name: "probe", image: PROBE_IMAGE, command: ["sh", "-c", TRY, target], terminationMessagePolicy: "FallbackToLogsOnError", resources: { requests: { cpu: "10m", memory: "16Mi" }, limits: { memory: "64Mi" } }, securityContext: restricted }],
    },
  };
}

type Probed = { status?: { containerStatuses?: { state?: { terminated?: { exitCode?: number; message?: string }; waiting?: { reason?: string } } }[] } };

async function endOf(kube: Kube, ref: { apiVersion: string; resource: string; namespace: string; name: string }) {
  const end = Date.now() + DEADLINE_MS;
  for (;;) {
    const { status } = await kube.get<Probed>(ref);
    const state = status?.containerStatuses?.[0]?.state;
    const isStuck = ["ErrImagePull", "ImagePullBackOff", "InvalidImageName", "CreateContainerConfigError"].includes(state?.waiting?.reason ?? "");
    if (state?.terminated || isStuck || Date.now() > end) return probeEnd(state?.terminated, state?.waiting?.reason);
    await sleep(LOOK_MS);
  }
}

/** Probes every running deployment once a day, one process at a time each; where rights or the cluster are missing, that is what is kept. */
export async function probeAllPrivacy(db: Db, now: Date): Promise<void> {
  const due = new Date(now.getTime() - EVERY_MS);
  const rows = await db.deployment.findMany({ where: { deletedAt: null, state: "ready", environment: { clusterId: { not: null } }, OR: [{ privacyProbe: null }, { privacyProbe: { at: { lt: due } } }] }, select: { id: true } });
  for (const { id } of rows) {
    const leasedUntil = new Date(now.getTime() + LEASE_MS);
    const [mine] = await db.$queryRaw<{ id: string }[]>`
      INSERT INTO privacy_probe AS p (deployment_id, verdict, sentence, at, leased_until) VALUES (${id}::uuid, 'not_proved', 'A probe is under way.', ${new Date(0)}, ${leasedUntil})
      ON CONFLICT (deployment_id) DO UPDATE SET leased_until = EXCLUDED.leased_until WHERE p.at < ${due} AND (p.leased_until IS NULL OR p.leased_until <= ${now}) RETURNING deployment_id::text AS id`;
    if (!mine) continue;
    await probePrivacy(db, id, now).catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
    });
  }
}

export const privacyProbe = write({
  name: "privacy.probe",
  summary: "Try now whether a pod of a namespace that may not call the engine can reach it",
  permission: "deployment.stop",
  environment: environmentOfDeployment,
  effect: "outside",
  input: z.strictObject({ id: z.uuid() }),
  output: z.strictObject({ verdict: z.enum(["proved", "broken", "not_proved"]), sentence: z.string() }),
  target: (input, result) => ({ type: "deployment", id: input.id, detail: result ? { verdict: result.verdict } : {} }),
  run: async ({ db, input, now }) => probePrivacy(db, input.id, now),
});
