import { z } from "zod";
import type { Json } from "./kube-object";

/** Any JSON value. */
const JsonValue = z.custom<Json>((value) => value !== undefined, "Give a value.");

/** Kinds that an override may name: those that Lectern builds. */
export const OverlayKind = z.enum(["ServiceAccount", "ConfigMap", "PersistentVolumeClaim", "NetworkPolicy", "Job", "Deployment", "Service", "PodDisruptionBudget", "HorizontalPodAutoscaler", "ScaledObject", "PodMonitor", "Ingress"]);

const Pointer = z.string().max(500).regex(/^(\/([^~]|~[01])*)+$/, "Write a JSON pointer, such as /spec/template/spec/priorityClassName.");

/** One operation of a JSON patch (RFC 6902). */
export const PatchOperation = z.discriminatedUnion("op", [
  z.strictObject({ op: z.literal("add"), path: Pointer, value: JsonValue }),
  z.strictObject({ op: z.literal("replace"), path: Pointer, value: JsonValue }),
  z.strictObject({ op: z.literal("test"), path: Pointer, value: JsonValue }),
  z.strictObject({ op: z.literal("remove"), path: Pointer }),
]);
export type PatchOperation = z.infer<typeof PatchOperation>;

const longest = 20_000;
const isSmall = (value: unknown) => (JSON.stringify(value) ?? "").length <= longest;

/** A change by hand of one of the objects: a JSON patch, or a strategic merge in which lists with keys are merged by them. */
export const Override = z
  .strictObject({
    kind: OverlayKind,
    /** Where two objects are of that kind. */
    name: z.string().max(253).optional(),
    patch: z.array(PatchOperation).min(1).max(50).optional(),
    merge: z.record(z.string(), JsonValue).optional(),
  })
  .refine((override) => (override.patch === undefined) !== (override.merge === undefined), "Give either a patch or a merge.")
  .refine(isSmall, `An override has at most ${longest} characters.`);
export type Override = z.infer<typeof Override>;
