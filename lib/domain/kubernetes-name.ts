import { z } from "zod";

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const namePart = /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/;
const labelKey = /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;

/** Names of Kubernetes namespaces (RFC 1123 label). */
export const NamespaceName = z
  .string()
  .max(63)
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, "Use lower-case letters, digits and dashes, up to 63 characters.");

/** Names of most objects: storage classes, ingress classes, Secrets (RFC 1123 subdomain). */
export const ObjectName = z.string().max(253).regex(subdomain, "Use a name as Kubernetes allows it: lower-case letters, digits, dashes and dots.");

/** A host under which something is reached; no wildcard, at least one dot. */
export const HostName = z
  .string()
  .max(253)
  .regex(subdomain, "Use a host name in lower case, such as ocr.internal.example.com.")
  .refine((host) => host.includes(".") && host.split(".").every((part) => part.length <= 63), "Use a full host name, such as ocr.internal.example.com.");

/** A key within a Secret. */
export const SecretKey = z.string().min(1).max(253).regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/, "Use letters, digits, dashes, dots and underscores.");

export const LabelKey = z.string().max(317).regex(labelKey, "Use a label key as Kubernetes allows it.");
export const LabelValue = z.string().max(63).regex(namePart, "Use letters, digits, dots, dashes and underscores, up to 63 characters.");
