import "server-only";
import { createHash } from "node:crypto";
import { DomainError, notFound } from "@/lib/domain/errors";
import { ClusterCredentials } from "@/lib/domain/kubeconfig";
import type { Db, Tx } from "@/lib/platform/db";
import { createKube, type Kube } from "@/lib/platform/kube";
import { createSend } from "@/lib/platform/send";
import { vault } from "@/lib/platform/vault";

const place = (clusterId: string) => ({ environment: "portal", object: clusterId, purpose: "cluster-credentials" });
// Kept by module and not on globalThis: the server's bundles each have their own error classes, and a client throws those of its own.
const kubes = new Map<string, Kube>();

/** The fingerprint by which people recognise a credential: SHA-256 of it, first 16 hex digits. */
export function fingerprintOf(credentials: ClusterCredentials): string {
  return createHash("sha256").update(JSON.stringify(credentials)).digest("hex").slice(0, 16);
}

export type ClusterLink = { name: string; kind: "sandbox" | "linked"; credentials: ClusterCredentials };

/** Stores a cluster's credentials sealed; the same name again replaces them and keeps the id. */
export async function saveCluster(db: Db | Tx, link: ClusterLink): Promise<string> {
  const before = await db.cluster.findUnique({ where: { name: link.name }, select: { id: true } });
  const id = before?.id ?? crypto.randomUUID();
  const sealed = vault().seal(Buffer.from(JSON.stringify(link.credentials)), place(id));
  const data = { kind: link.kind, server: link.credentials.server, sealedCredentials: new Uint8Array(sealed), fingerprint: fingerprintOf(link.credentials) };
  await db.cluster.upsert({ where: { id }, create: { id, name: link.name, ...data }, update: data });
  return id;
}

/** A client for the cluster, kept as long as its credentials stay the same. Throws `not_found`. */
export async function kubeOf(db: Db | Tx, clusterId: string): Promise<Kube> {
  const row = await db.cluster.findUnique({ where: { id: clusterId } });
  if (!row) throw notFound("cluster");
  const key = `${row.id} ${row.fingerprint}`;
  const known = kubes.get(key);
  if (known) return known;
  const credentials = ClusterCredentials.parse(JSON.parse(vault().open(row.sealedCredentials, place(row.id)).toString("utf8")));
  const { server, ...rest } = credentials;
  const kube = createKube(createSend({ origin: server, ...rest, allowLoopback: row.kind === "sandbox" }));
  kubes.set(key, kube);
  return kube;
}

/** The client for the cluster that an environment runs on. Throws `unprocessable` when it has none. */
export async function kubeOfEnvironment(db: Db | Tx, environmentId: string): Promise<{ kube: Kube; namespace: string; clusterId: string }> {
  const environment = await db.environment.findUnique({ where: { id: environmentId }, select: { clusterId: true, namespace: true, name: true } });
  if (!environment) throw notFound("environment");
  if (!environment.clusterId) throw new DomainError("unprocessable", `${environment.name} has no cluster. Link one first.`);
  return { kube: await kubeOf(db, environment.clusterId), namespace: environment.namespace, clusterId: environment.clusterId };
}
