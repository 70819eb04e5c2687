import "server-only";
import { z } from "zod";
import { clusterHealth } from "@/lib/domain/cluster";
import { rightLines, RightsAnswer } from "@/lib/domain/cluster-rights";
import { EnvironmentKind } from "@/lib/domain/environment";
import { notFound } from "@/lib/domain/errors";
import { environmentsWith, type Actor } from "@/lib/domain/policy";
import type { Db } from "@/lib/platform/db";
import { isInCluster } from "@/lib/platform/in-cluster";
import { read } from "./operation";

const ClusterRow = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  kind: z.enum(["sandbox", "linked"]),
  origin: z.enum(["kubeconfig", "in-cluster"]),
  server: z.string(),
  fingerprint: z.string(),
  expiresAt: z.iso.datetime().nullable(),
  linkedAt: z.iso.datetime(),
  linkedBy: z.string().nullable(),
  health: z.enum(["fine", "warning", "down", "unknown"]),
  problem: z.string(),
  warnings: z.array(z.string()),
  version: z.string(),
  latencyMs: z.number().int().nullable(),
  lastContactAt: z.iso.datetime().nullable(),
  checkedAt: z.iso.datetime().nullable(),
  /** Only those that the caller may see. */
  environments: z.array(z.strictObject({ id: z.uuid(), slug: z.string(), name: z.string(), kind: EnvironmentKind, namespace: z.string() })),
  deployments: z.number().int(),
});

const RightLine = z.strictObject({
  id: z.string(),
  title: z.string(),
  where: z.enum(["namespace", "cluster"]),
  verbs: z.array(z.string()),
  missing: z.array(z.string()),
  level: z.enum(["fine", "warning", "blocker"]),
  without: z.string(),
});

/** Rows of the clusters in which the actor has an environment; owners see all. Read from what was last written down: a cluster that is down keeps nobody waiting. */
async function visible(db: Db, actor: Actor, id?: string) {
  const ids = environmentsWith(actor, "environment.read");
  const mine = ids === "all" ? {} : { id: { in: ids } };
  const select = { id: true, slug: true, name: true, kind: true, namespace: true, _count: { select: { deployments: { where: { deletedAt: null } } } } } as const;
  const rows = await db.cluster.findMany({
    where: { ...(id ? { id } : {}), ...(ids === "all" ? {} : { environments: { some: mine } }) },
    omit: { sealedCredentials: true },
    include: { environments: { where: mine, select, orderBy: { createdAt: "asc" } } },
    orderBy: { createdAt: "asc" },
  });
  const people = await db.user.findMany({ where: { id: { in: rows.flatMap((row) => row.linkedById ?? []) } }, select: { id: true, name: true } });
  return rows.map((row) => ({ ...row, linkedBy: people.find((one) => one.id === row.linkedById)?.name ?? null }));
}

/** The cluster, if the actor has an environment there. Throws `not_found`. */
export async function visibleCluster(db: Db, actor: Actor, id: string) {
  const [row] = await visible(db, actor, id);
  if (!row) throw notFound("cluster");
  return row;
}

type Row = Awaited<ReturnType<typeof visible>>[number];

function toRow(row: Row, now: Date): z.input<typeof ClusterRow> {
  const { id, name, server, fingerprint, problem, version, latencyMs, linkedBy } = row;
  return {
    ...{ id, name, server, fingerprint, problem, version, latencyMs, linkedBy },
    kind: row.kind === "sandbox" ? "sandbox" : "linked",
    origin: row.origin === "in-cluster" ? "in-cluster" : "kubeconfig",
    ...clusterHealth(row, now),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    linkedAt: row.linkedAt.toISOString(),
    lastContactAt: row.lastContactAt?.toISOString() ?? null,
    checkedAt: row.checkedAt?.toISOString() ?? null,
    environments: row.environments.map(({ _count, kind, ...one }) => ({ ...one, kind: EnvironmentKind.parse(kind) })),
    deployments: row.environments.reduce((sum, one) => sum + one._count.deployments, 0),
  };
}

export const clustersList = read({
  name: "clusters.list",
  summary: "The clusters that my environments run on: health, version, last contact, end of the credential",
  permission: "environment.read",
  environment: "each",
  input: z.strictObject({}),
  output: z.strictObject({ clusters: z.array(ClusterRow), /** Lectern runs in a cluster itself, which can be linked without a kubeconfig. */ isInCluster: z.boolean() }),
  run: async ({ caller, db, now }) => ({ clusters: (await visible(db, caller.actor)).map((row) => toRow(row, now)), isInCluster: isInCluster() }),
});

export const clustersGet = read({
  name: "clusters.get",
  summary: "One cluster with the rights that Lectern needs there against what the cluster allows",
  permission: "environment.read",
  environment: "each",
  input: z.strictObject({ id: z.uuid() }),
  output: z.strictObject({ cluster: ClusterRow, namespace: z.string().nullable(), rights: z.array(RightLine).nullable() }),
  run: async ({ caller, db, input, now }) => {
    const row = await visibleCluster(db, caller.actor, input.id);
    const answer = RightsAnswer.safeParse(row.rights).data;
    const rights = rightLines(answer)?.map(({ id, title, scope, verbs, missing, level, without }) => ({ id, title, where: scope, verbs: [...verbs], missing, level, without }));
    return { cluster: toRow(row, now), namespace: answer?.namespace ?? null, rights: rights ?? null };
  },
});
