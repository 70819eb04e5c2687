import "server-only";
import { randomUUID } from "node:crypto";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { DomainError } from "@/lib/domain/errors";
import type { EndReason } from "@/lib/domain/preview-words";
import type { Db } from "@/lib/platform/db";
import { log } from "@/lib/platform/log";
import { kubeOf } from "./clusters";
import { deploymentsPreview } from "./deployment-preview";
import { deploymentsApply } from "./deployment-writes";
import { publish } from "./live";
import { execute } from "./pipeline";
import { comment, type Commented } from "./preview-environments-comment";
import { costsOf } from "./preview-environments-cost";
import { ALIVE, closeEnvironment } from "./preview-environments-open";
import { previewCaller, purgeDocuments, removeEnvironment, removeNamespace, type Proof } from "./preview-environments-remove";

/** A process that dies with an environment in hand leaves it to another one after so long. */
const LEASE_MS = 60_000;
/** What failed is tried again after so long; a removal is looked at again sooner, as it only waits for the cluster. */
const AGAIN_MS = 30_000;
const LOOK_AGAIN_MS = 2_000;
/** Environments that one call works on at the same time. */
const AT_ONCE = 5;
/** Leftovers are looked for this long after a removal; comments are tried for as long. */
const SWEPT_MS = 30 * 86_400_000;
const DELIVERIES_KEPT_MS = 90 * 86_400_000;

/** One look at the environments of pull requests: ends those whose time or budget is over, opens, removes and comments. Returns how many it worked on. */
export async function tendPreviewEnvironments(db: Db, now: Date): Promise<number> {
  await endOverdue(db, now);
  const free = { OR: [{ leasedUntil: null }, { leasedUntil: { lte: now } }] };
  const uncommented = { template: { sealedToken: { not: null } }, OR: [{ state: "open", commented: "" }, { state: "removed", commented: "open", removedAt: { gte: new Date(now.getTime() - SWEPT_MS) } }] };
  const rows = await db.pullRequestEnvironment.findMany({ where: { AND: [free, { OR: [{ state: { in: ["opening", "removing"] } }, uncommented] }] }, include: { template: true, environment: { select: { slug: true } } }, orderBy: { openedAt: "asc" }, take: 50 });
  let done = 0;
  const queue = [...rows];
  const work = async () => {
    for (let row = queue.shift(); row; row = queue.shift()) if (await workOn(db, row, now)) done += 1;
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return done;
}

async function endOverdue(db: Db, now: Date): Promise<void> {
  const expired = await db.pullRequestEnvironment.findMany({ where: { ...ALIVE, expiresAt: { lte: now } }, select: { id: true } });
  for (const { id } of expired) await end(db, id, { reason: "expired", now });
  const bounded = await db.pullRequestEnvironment.findMany({ where: { ...ALIVE, expiresAt: { gt: now }, template: { budget: { not: null } } }, include: { template: { select: { budget: true } } } });
  const costs = await costsOf(db, bounded.map((row) => row.environmentId), now);
  for (const { id, environmentId, template } of bounded) if ((costs.get(environmentId)?.cost?.amount ?? 0) >= (template.budget?.toNumber() ?? Infinity)) await end(db, id, { reason: "budget", now });
}

async function end(db: Db, id: string, { reason, now }: { reason: EndReason; now: Date }): Promise<void> {
  await db.$transaction((tx) => closeEnvironment(tx, { where: { id }, reason, now }));
}

/** Takes the row for a while, so that of any number of processes one works on it. */
async function workOn(db: Db, row: Commented, now: Date): Promise<boolean> {
  const { count } = await db.pullRequestEnvironment.updateMany({ where: { id: row.id, state: row.state, OR: [{ leasedUntil: null }, { leasedUntil: { lte: now } }] }, data: { leasedUntil: new Date(now.getTime() + LEASE_MS) } });
  if (count === 0) return false;
  try {
    if (row.state === "opening") await bringUp(db, row, now);
    else if (row.state === "removing") await takeDown(db, row, now);
    else await comment(db, row, row.state === "open" ? "open" : "removed");
    if (row.state !== "removing") await release(db, row, null);
  } catch (error) {
    // One environment in trouble does not keep the others from being looked at.
    if (!(error instanceof DomainError)) log().error({ previewId: row.id, kind: error instanceof Error ? error.name : typeof error, error: error instanceof Error ? error.message : "" }, "preview environment");
    const words = error instanceof DomainError ? error.message : "Lectern itself failed here; the server log has the cause.";
    const note = row.state === "open" || row.state === "removed" ? { commentNote: words } : { message: words };
    await db.pullRequestEnvironment.update({ where: { id: row.id }, data: { ...note, leasedUntil: new Date(now.getTime() + AGAIN_MS) } });
  }
  return true;
}

async function release(db: Db, row: { id: string; state: string }, until: Date | null): Promise<void> {
  await db.pullRequestEnvironment.updateMany({ where: { id: row.id }, data: { leasedUntil: until } });
}

/** Previews and applies the template's deployment as anybody would; a process that died in between is made up for by the next one. */
async function bringUp(db: Db, row: Commented, now: Date): Promise<void> {
  const { environmentId } = row;
  const there = await db.deployment.findFirst({ where: { environmentId, deletedAt: null }, select: { id: true } });
  if (!there) {
    const caller = previewCaller(row.id);
    const spec = DeploymentSpec.parse(row.template.spec);
    const preview = await execute(deploymentsPreview, { db, caller, input: { environmentId, deploymentId: randomUUID(), spec, note: "For a pull request" }, now });
    if (preview.digest === null) throw new DomainError("unprocessable", preview.blockers[0] ?? preview.basisNote);
    await execute(deploymentsApply, { db, caller, input: { digest: preview.digest }, now });
  }
  await db.$transaction(async (tx) => {
    const { count } = await tx.pullRequestEnvironment.updateMany({ where: { id: row.id, state: "opening" }, data: { state: "open", message: "" } });
    if (count === 1) await publish(tx, `environment:${environmentId}`, { data: { preview: "open" } });
  });
}

async function takeDown(db: Db, row: Commented, now: Date): Promise<void> {
  const proof = await removeEnvironment(db, row, now);
  const left = wordsFor(proof);
  if (left !== "") await db.pullRequestEnvironment.updateMany({ where: { id: row.id, state: "removing" }, data: { message: left, leasedUntil: new Date(now.getTime() + LOOK_AGAIN_MS) } });
}

function wordsFor({ objects, documents, openIntervals }: Proof): string {
  const parts = [objects > 0 ? `${objects} objects in the cluster` : "", documents > 0 ? `${documents} documents` : "", openIntervals > 0 ? `${openIntervals} nodes that are still held` : ""].filter((part) => part !== "");
  return parts.length === 0 ? "" : `Waits for ${parts.join(" and ")} to go.`;
}

/** Looks for what came back after a removal: a namespace that somebody made anew under its name, documents, open hours. Returns how many things it took away. */
export async function sweepPreviewEnvironments(db: Db, now: Date): Promise<number> {
  await db.hookDelivery.deleteMany({ where: { at: { lt: new Date(now.getTime() - DELIVERIES_KEPT_MS) } } });
  const rows = await db.pullRequestEnvironment.findMany({ where: { state: "removed", removedAt: { gte: new Date(now.getTime() - SWEPT_MS) } }, include: { template: { select: { clusterId: true } }, environment: { select: { namespace: true } } } });
  let count = 0;
  for (const clusterId of new Set(rows.map((row) => row.template.clusterId))) count += await sweepCluster(db, { clusterId, rows: rows.filter((row) => row.template.clusterId === clusterId) });
  for (const { environmentId } of rows) count += await purgeDocuments(db, environmentId);
  const { count: hours } = await db.nodeInterval.updateMany({ where: { environmentId: { in: rows.map((row) => row.environmentId) }, endedAt: null }, data: { endedAt: now, endSource: "inferred" } });
  return count + hours;
}

async function sweepCluster(db: Db, { clusterId, rows }: { clusterId: string; rows: { environmentId: string; environment: { namespace: string } }[] }): Promise<number> {
  try {
    const kube = await kubeOf(db, clusterId);
    const { items } = await kube.list<{ metadata: { name: string } }>({ apiVersion: "v1", resource: "namespaces" }, { labelSelector: "app.kubernetes.io/managed-by=lectern" });
    let count = 0;
    for (const { environment } of rows) {
      const isThere = items.some((item) => item.metadata.name === environment.namespace);
      if (isThere && (await removeNamespace(kube, environment.namespace))) count += 1;
    }
    return count;
  } catch (error) {
    if (error instanceof DomainError) return 0; // away, or namespaces may not be listed: looked at again next time
    throw error;
  }
}
