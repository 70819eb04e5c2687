import { z } from "zod";

export const ClusterName = z
  .string()
  .trim()
  .min(1, "Give the cluster a name.")
  .max(60, "Use at most 60 characters.")
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u, "Use letters, digits, spaces, dots, dashes and underscores.");

/** A range of private addresses that an owner allows Lectern to connect to. */
export const PrivateRange = z
  .union([z.cidrv4(), z.cidrv6()], "Write a range such as 10.20.0.0/16.")
  .refine((range) => Number(range.split("/")[1]) >= 8, "The range is too wide: name at most a /8.");

/** When a token says that it ends (the `exp` of a JWT, RFC 7519); null when it does not say. */
export function tokenExpiry(token: string): Date | null {
  const payload = token.split(".")[1];
  if (payload === undefined || token.split(".").length !== 3) return null;
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    const { exp } = z.object({ exp: z.number().int().positive().max(8_640_000_000_000) }).parse(claims);
    return new Date(exp * 1000);
  } catch {
    return null;
  }
}

export type ClusterHealth = "fine" | "warning" | "down" | "unknown";
export type ClusterFacts = { checkedAt: Date | null; problem: string; expiresAt: Date | null; isClusterAdmin: boolean; kind: string };

/** How long before its end a credential is reminded of. */
export const EXPIRY_WARNING_MS = 14 * 24 * 60 * 60 * 1000;

/** How the cluster stands, and why, worst first. */
export function clusterHealth({ checkedAt, problem, expiresAt, isClusterAdmin, kind }: ClusterFacts, now: Date): { health: ClusterHealth; warnings: string[] } {
  const left = expiresAt ? expiresAt.getTime() - now.getTime() : Infinity;
  const warnings = [
    ...(left <= 0 ? ["The credential has ended: link the cluster again."] : []),
    ...(left > 0 && left <= EXPIRY_WARNING_MS ? [`The credential ends in ${Math.max(1, Math.floor(left / 86_400_000))} days: link the cluster again before that.`] : []),
    ...(isClusterAdmin && kind !== "sandbox" ? ["The credential may do everything in the cluster (cluster-admin): link it again with Lectern's own Role."] : []),
  ];
  if (problem !== "") return { health: "down", warnings };
  if (!checkedAt) return { health: "unknown", warnings };
  return { health: warnings.length > 0 ? "warning" : "fine", warnings };
}
