import "server-only";
import { z } from "zod";
import { ClusterName, PrivateRange } from "@/lib/domain/cluster";
import { RightsAnswer } from "@/lib/domain/cluster-rights";
import { NamespaceName } from "@/lib/domain/deployment";
import { DomainError, notFound } from "@/lib/domain/errors";
import { maxKubeconfigBytes, parseKubeconfig, type ClusterCredentials } from "@/lib/domain/kubeconfig";
import type { Db, Tx } from "@/lib/platform/db";
import { inClusterCredentials } from "@/lib/platform/in-cluster";
import { KubeStatusError } from "@/lib/platform/kube/status";
import { askRights, checkHealth, contact, problemOf, type Contact, type Rights } from "./cluster-health";
import { connectTo, expiryOf, fingerprintOf, kubeOf, PRIVATE_RANGES_SETTING, privateRanges, saveCluster } from "./clusters";
import { publish } from "./live";
import { read, write } from "./operation";

const Source = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("kubeconfig"), kubeconfig: z.string().min(1, "Paste the kubeconfig.").max(maxKubeconfigBytes, "A kubeconfig has at most 256 KiB.") }),
  z.strictObject({ kind: z.literal("in-cluster") }),
]);
type Source = z.output<typeof Source>;
const Namespace = NamespaceName.default("lectern");
const One = z.strictObject({ id: z.uuid() });

/** What linking answers: facts about the credential, never the credential. */
const Linked = One.extend({
  name: z.string(),
  server: z.string(),
  fingerprint: z.string(),
  expiresAt: z.iso.datetime().nullable(),
  version: z.string(),
  isClusterAdmin: z.boolean(),
});

type Tried = Contact & Rights & { credentials: ClusterCredentials };

/** Reads the credential and tries it on the cluster. Throws what stands in the way, before anything is stored. */
async function tryOut(db: Db, source: Source, namespace: string): Promise<Tried> {
  const credentials = source.kind === "in-cluster" ? await inClusterCredentials() : parseKubeconfig(source.kubeconfig);
  expiryOf(credentials);
  const kube = connectTo(credentials, { kind: "linked", origin: source.kind, ranges: await privateRanges(db) });
  try {
    return { credentials, ...(await contact(kube)), ...(await askRights(kube, namespace)) };
  } catch (error) {
    if (error instanceof KubeStatusError && error.status === 401)
      throw new DomainError("unprocessable", "The cluster refused the credential: it has ended or was made for another cluster. Make a new token and paste the kubeconfig again.");
    if (error instanceof DomainError) throw error;
    throw new DomainError("unavailable", problemOf(error));
  }
}

type Storing = { name: string; source: Source; tried: Tried; userId: string | null; now: Date };

async function store(db: Db, { name, source, tried, userId, now }: Storing): Promise<z.input<typeof Linked>> {
  const { credentials, version, latencyMs, answer, isClusterAdmin } = tried;
  const id = await saveCluster(db, { name, kind: "linked", credentials, origin: source.kind, linkedById: userId });
  const seen = { version, latencyMs, rights: answer, isClusterAdmin, problem: "", checkedAt: now, lastContactAt: now };
  await db.cluster.update({ where: { id }, data: seen });
  return { id, name, server: credentials.server, fingerprint: fingerprintOf(credentials), expiresAt: expiryOf(credentials)?.toISOString() ?? null, version, isClusterAdmin };
}

const owners = { permission: "portal.manage", environment: "portal" } as const;
const facts = (id: string | null, result?: z.output<typeof Linked>) => ({
  type: "cluster",
  id: result?.id ?? id,
  name: result?.name ?? null,
  detail: result ? { server: result.server, fingerprint: result.fingerprint, expiresAt: result.expiresAt, isClusterAdmin: result.isClusterAdmin } : {},
});

export const clustersLink = write({
  ...owners,
  effect: "outside",
  name: "clusters.link",
  summary: "Link a cluster by a kubeconfig, or the one that Lectern runs in; the credential is sealed and never shown again",
  input: z.strictObject({ name: ClusterName, namespace: Namespace, source: Source }),
  output: Linked,
  target: (input, result) => ({ ...facts(null, result), name: input.name }),
  run: async ({ caller, db, input, now }) => {
    const { name, namespace, source } = input;
    if (await db.cluster.findUnique({ where: { name }, select: { id: true } })) throw new DomainError("conflict", `There is a cluster named ${name} already. Choose another name, or link that one again.`);
    const tried = await tryOut(db, source, namespace);
    return store(db, { name, source, tried, userId: caller.actor.userId, now });
  },
});

async function linkedRow(db: Db | Tx, id: string) {
  const row = await db.cluster.findUnique({ where: { id }, include: { environments: { select: { id: true, namespace: true } } } });
  if (!row) throw notFound("cluster");
  return row;
}

/** Where to ask for rights when nobody says: the namespace of an environment, else the one that was asked about last. */
function namespaceOf(row: Awaited<ReturnType<typeof linkedRow>>): string {
  return row.environments[0]?.namespace ?? RightsAnswer.safeParse(row.rights).data?.namespace ?? "lectern";
}

async function changeable(db: Db | Tx, id: string) {
  const row = await linkedRow(db, id);
  if (row.kind === "sandbox") throw new DomainError("unprocessable", "The sandbox belongs to Lectern itself and is linked at every start. Switch it off with LECTERN_EMBEDDED=off.");
  return row;
}

export const clustersRelink = write({
  ...owners,
  effect: "outside",
  name: "clusters.relink",
  summary: "Replace a cluster's credential; its environments and deployments stay",
  input: One.extend({ source: Source }),
  output: Linked,
  target: (input, result) => facts(input.id, result),
  run: async ({ caller, db, input, now }) => {
    const row = await changeable(db, input.id);
    const tried = await tryOut(db, input.source, namespaceOf(row));
    return store(db, { name: row.name, source: input.source, tried, userId: caller.actor.userId, now });
  },
});

export const clustersCheck = write({
  ...owners,
  effect: "outside",
  name: "clusters.check",
  summary: "Ask a cluster now how it is and what Lectern may do there",
  input: One.extend({ namespace: NamespaceName.optional() }),
  output: One.extend({ problem: z.string() }),
  target: (input) => ({ type: "cluster", id: input.id }),
  run: async ({ db, input, now }) => {
    const row = await linkedRow(db, input.id);
    const problem = await checkHealth(db, row.id, now);
    if (problem !== "") return { id: row.id, problem };
    const { answer, isClusterAdmin } = await askRights(await kubeOf(db, row.id), input.namespace ?? namespaceOf(row));
    await db.cluster.update({ where: { id: row.id }, data: { rights: answer, isClusterAdmin } });
    return { id: row.id, problem };
  },
});

export const clustersUnlink = write({
  ...owners,
  effect: "database",
  name: "clusters.unlink",
  summary: "Unlink a cluster; refused while deployments run there, unless they are to be forgotten",
  input: One.extend({ /** Lectern forgets the deployments; in the cluster they run on. */ forget: z.boolean().default(false) }),
  output: z.strictObject({ name: z.string(), forgotten: z.number().int() }),
  target: (input, result) => ({ type: "cluster", id: input.id, name: result?.name ?? null, detail: { forget: input.forget, forgotten: result?.forgotten ?? null } }),
  run: async ({ db, input, now }) => {
    const row = await changeable(db, input.id);
    const there = { environmentId: { in: row.environments.map((one) => one.id) }, deletedAt: null };
    const count = await db.deployment.count({ where: there });
    if (count > 0 && !input.forget) throw new DomainError("conflict", `${count} ${count === 1 ? "deployment runs" : "deployments run"} on ${row.name}. Delete them first, or say that Lectern shall forget them: in the cluster they then run on.`);
    await db.deployment.updateMany({ where: there, data: { deletedAt: now, state: "deleting", message: "Forgotten when the cluster was unlinked; it may run on in the cluster" } });
    await db.nodeInterval.updateMany({ where: { environmentId: there.environmentId, endedAt: null }, data: { endedAt: now, endSource: "inferred" } });
    await db.environment.updateMany({ where: { clusterId: row.id }, data: { clusterId: null } });
    await db.cluster.delete({ where: { id: row.id } });
    for (const { id } of row.environments) await publish(db, `environment:${id}`, { data: { clusterId: null } });
    return { name: row.name, forgotten: count };
  },
});

const Ranges = z.strictObject({ ranges: z.array(PrivateRange).max(50) });

export const clustersRanges = read({
  ...owners,
  name: "clusters.ranges",
  summary: "The ranges of private addresses that Lectern may connect to",
  input: z.strictObject({}),
  output: Ranges,
  run: async ({ db }) => ({ ranges: await privateRanges(db) }),
});

export const clustersSetRanges = write({
  ...owners,
  effect: "database",
  name: "clusters.setRanges",
  summary: "Set the ranges of private addresses that Lectern may connect to",
  input: Ranges,
  output: z.strictObject({ before: z.array(z.string()) }),
  target: (input, result) => ({ type: "setting", name: PRIVATE_RANGES_SETTING, detail: { ranges: input.ranges, before: result?.before ?? null } }),
  run: async ({ db, input }) => {
    const before = await privateRanges(db);
    const value = [...new Set(input.ranges)];
    await db.setting.upsert({ where: { key: PRIVATE_RANGES_SETTING }, create: { key: PRIVATE_RANGES_SETTING, value }, update: { value } });
    return { before };
  },
});
