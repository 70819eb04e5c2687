import "server-only";
import { createHash, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { z } from "zod";
import { PrivateRange, tokenExpiry } from "@/lib/domain/cluster";
import { DomainError, notFound } from "@/lib/domain/errors";
import { ClusterCredentials } from "@/lib/domain/kubeconfig";
import type { Db, Tx } from "@/lib/platform/db";
import { allowsLoopback } from "@/lib/platform/env";
import { createKube, type Kube } from "@/lib/platform/kube";
import { createSend } from "@/lib/platform/send";
import { vault } from "@/lib/platform/vault";

export const PRIVATE_RANGES_SETTING = "network.privateRanges";

export const clusterPlace = (clusterId: string) => ({ environment: "portal", object: clusterId, purpose: "cluster-credentials" });
// Kept by module and not on globalThis: the server's bundles each have their own error classes, and a client throws those of its own.
const kubes = new Map<string, { key: string; kube: Kube }>();

/** The fingerprint by which people recognise a credential: SHA-256 of it, first 16 hex digits. */
export function fingerprintOf(credentials: ClusterCredentials): string {
  return createHash("sha256").update(JSON.stringify(credentials)).digest("hex").slice(0, 16);
}

/** When the token or the client certificate ends; null when it does not say. */
export function expiryOf(credentials: ClusterCredentials): Date | null {
  if ("token" in credentials) return tokenExpiry(credentials.token);
  try {
    return new Date(new X509Certificate(credentials.clientCertPem).validTo);
  } catch {
    throw new DomainError("invalid_input", "The client certificate cannot be read: copy it again, whole and unchanged.");
  }
}

export type ClusterLink = { name: string; kind: "sandbox" | "linked"; credentials: ClusterCredentials; origin?: "kubeconfig" | "in-cluster" | "configured"; linkedById?: string | null };

/** Stores a cluster's credentials sealed; the same name again replaces them and keeps the id. */
export async function saveCluster(db: Db | Tx, link: ClusterLink): Promise<string> {
  const before = await db.cluster.findUnique({ where: { name: link.name }, select: { id: true, fingerprint: true } });
  const id = before?.id ?? crypto.randomUUID();
  const { credentials, kind } = link;
  const fingerprint = fingerprintOf(credentials);
  if (before?.fingerprint === fingerprint) return id;
  const sealed = vault().seal(Buffer.from(JSON.stringify(credentials)), clusterPlace(id));
  const known = { kind, server: credentials.server, sealedCredentials: new Uint8Array(sealed), fingerprint, expiresAt: expiryOf(credentials) };
  const data = { ...known, origin: link.origin ?? "kubeconfig", linkedAt: new Date(), ...(link.linkedById === undefined ? {} : { linkedById: link.linkedById }) };
  await db.cluster.upsert({ where: { id }, create: { id, name: link.name, ...data }, update: data });
  return id;
}

/** The ranges of private addresses that an owner has allowed. */
export async function privateRanges(db: Db | Tx): Promise<string[]> {
  const row = await db.setting.findUnique({ where: { key: PRIVATE_RANGES_SETTING } });
  return row ? z.array(PrivateRange).parse(row.value) : [];
}

type Reach = { kind: string; origin: string; ranges: readonly string[] };

/**
 * A client for credentials that are not stored yet, or just opened. Lectern's own cluster and the configured one are reached at the address that they
 * have, whatever range that is in; on this machine are only the sandbox, the configured one, and what a development build lets in.
 */
export function connectTo(credentials: ClusterCredentials, { kind, origin, ranges }: Reach): Kube {
  const { server, ...rest } = credentials;
  const host = new URL(server).hostname.replace(/^\[|\]$/g, "");
  const isGiven = origin === "in-cluster" || origin === "configured";
  const own = isGiven && isIP(host) ? [`${host}/${isIP(host) === 6 ? 128 : 32}`] : [];
  const allowLoopback = kind === "sandbox" || origin === "configured" || allowsLoopback();
  return createKube(createSend({ origin: server, ...rest, allowLoopback, allowPrivate: [...ranges, ...own] }));
}

/** A client for the cluster, kept as long as its credentials and the allowed ranges stay the same. Throws `not_found`. */
export async function kubeOf(db: Db | Tx, clusterId: string): Promise<Kube> {
  const row = await db.cluster.findUnique({ where: { id: clusterId } });
  if (!row) throw notFound("cluster");
  const ranges = row.kind === "sandbox" ? [] : await privateRanges(db);
  const key = [row.fingerprint, ...ranges].join(" ");
  const known = kubes.get(row.id);
  if (known?.key === key) return known.kube;
  const credentials = ClusterCredentials.parse(JSON.parse(vault().open(row.sealedCredentials, clusterPlace(row.id)).toString("utf8")));
  const kube = connectTo(credentials, { kind: row.kind, origin: row.origin, ranges });
  kubes.set(row.id, { key, kube });
  return kube;
}

/** The client for the cluster that an environment runs on. Throws `unprocessable` when it has none. */
export async function kubeOfEnvironment(db: Db | Tx, environmentId: string): Promise<{ kube: Kube; namespace: string; clusterId: string }> {
  const environment = await db.environment.findUnique({ where: { id: environmentId }, select: { clusterId: true, namespace: true, name: true } });
  if (!environment) throw notFound("environment");
  if (!environment.clusterId) throw new DomainError("unprocessable", `${environment.name} has no cluster. Link one first.`);
  return { kube: await kubeOf(db, environment.clusterId), namespace: environment.namespace, clusterId: environment.clusterId };
}
