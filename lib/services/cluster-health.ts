import "server-only";
import { NEEDS, type RightsAnswer } from "@/lib/domain/cluster-rights";
import { DomainError } from "@/lib/domain/errors";
import type { Db } from "@/lib/platform/db";
import { inClusterCredentials } from "@/lib/platform/in-cluster";
import type { AccessQuestion, Kube } from "@/lib/platform/kube";
import { log } from "@/lib/platform/log";
import { fingerprintOf, kubeOf, saveCluster } from "./clusters";
import { publish } from "./live";

const EVERY_MS = 60_000;
const DEADLINE_MS = 10_000;
const AT_ONCE = 8;

export type Contact = { version: string; latencyMs: number };

/** One round trip to the cluster: its version, and how long it took. Rejects with what stands in the way. */
export async function contact(kube: Kube): Promise<Contact> {
  const started = performance.now();
  const { gitVersion } = await kube.version(AbortSignal.timeout(DEADLINE_MS));
  return { version: String(gitVersion).slice(0, 60), latencyMs: Math.round(performance.now() - started) };
}

export type Rights = { answer: RightsAnswer; isClusterAdmin: boolean };

/** Asks the API server itself about every right that Lectern needs, and whether the credential has all there are. */
export async function askRights(kube: Kube, namespace: string): Promise<Rights> {
  const signal = AbortSignal.timeout(3 * DEADLINE_MS);
  const questions = NEEDS.flatMap(({ id, verbs, group, resource, subresource, scope }) =>
    verbs.map((verb) => ({ id, question: { verb, group, resource, ...(subresource ? { subresource } : {}), ...(scope === "namespace" ? { namespace } : {}) } satisfies AccessQuestion })),
  );
  const everything = await kube.mayI({ verb: "*", group: "*", resource: "*" }, signal);
  const denied = new Map<string, string[]>();
  const waiting = [...questions];
  const ask = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { allowed } = await kube.mayI(next.question, signal);
      if (!allowed) denied.set(next.id, [...(denied.get(next.id) ?? []), next.question.verb]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return { answer: { namespace, denied: [...denied].map(([id, verbs]) => ({ id, verbs })) }, isClusterAdmin: everything.allowed };
}

/** Why the cluster cannot be used, as one sentence. */
export function problemOf(error: unknown): string {
  if (error instanceof DomainError) return error.message;
  if (error instanceof Error && error.name === "TimeoutError") return `The cluster did not answer within ${DEADLINE_MS / 1000} s: check that it runs and that nothing in between stops the connection.`;
  throw error;
}

/** The service account's token of Lectern's own pod is renewed every hour: what is stored follows it. */
async function renewOwn(db: Db, row: { name: string; origin: string; fingerprint: string }): Promise<void> {
  if (row.origin !== "in-cluster") return;
  const credentials = await inClusterCredentials();
  if (fingerprintOf(credentials) !== row.fingerprint) await saveCluster(db, { name: row.name, kind: "linked", origin: "in-cluster", credentials });
}

/** Asks one cluster how it is and writes it down; those who follow its environments hear of a change. Answers the problem, empty when there is none. */
export async function checkHealth(db: Db, clusterId: string, now: Date): Promise<string> {
  const row = await db.cluster.findUniqueOrThrow({ where: { id: clusterId }, include: { environments: { select: { id: true } } } });
  const seen = await renewOwn(db, row)
    .then(() => kubeOf(db, clusterId))
    .then(contact)
    .then((answer) => ({ ...answer, problem: "" }), (error: unknown) => ({ problem: problemOf(error) }));
  await db.$transaction(async (tx) => {
    const known = "version" in seen ? { version: seen.version, latencyMs: seen.latencyMs, lastContactAt: now } : {};
    await tx.cluster.update({ where: { id: clusterId }, data: { ...known, problem: seen.problem, checkedAt: now } });
    if (seen.problem === row.problem) return;
    for (const { id } of row.environments) await publish(tx, `environment:${id}`, { data: { clusterId, problem: seen.problem } });
  });
  return seen.problem;
}

/** Asks every cluster once a minute, each on its own: one that hangs keeps no other waiting. */
export function startClusterHealth(db: Db): { stop(): void } {
  const underWay = new Set<string>();
  const checkOne = async (id: string) => {
    if (underWay.has(id)) return;
    underWay.add(id);
    try {
      await checkHealth(db, id, new Date());
    } catch (error) {
      log().error({ clusterId: id, kind: error instanceof Error ? error.name : typeof error }, "cluster health");
    } finally {
      underWay.delete(id);
    }
  };
  const checkAll = () =>
    db.cluster.findMany({ select: { id: true } }).then(
      (rows) => void Promise.all(rows.map(({ id }) => checkOne(id))),
      (error: unknown) => log().error({ kind: error instanceof Error ? error.name : typeof error }, "cluster health"),
    );
  void checkAll();
  const timer = setInterval(() => void checkAll(), EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
