import { z } from "zod";
import { DeploymentSpec } from "./deployment";
import { Member } from "./member";
import { Role } from "./policy-schema";
import { END_REASONS, FORGES } from "./preview-words";

export const Forge = z.enum(FORGES);

/** The shape of every environment that a repository's pull requests get. Times in hours and minutes; money in the currency of the node's price. */
export const TemplateInput = z.strictObject({
  name: z.string().trim().min(1, "Give the template a name.").max(60, "Use at most 60 characters."),
  clusterId: z.uuid(),
  spec: DeploymentSpec.refine((spec) => spec.replicas >= 1 && spec.replicas <= 2, { path: ["replicas"], message: "A preview has one or two replicas." }),
  roles: z.array(z.strictObject({ role: Role, member: Member })).max(50).default([]),
  hoursToLive: z.int().min(1, "One hour is the least.").max(30 * 24, "Thirty days is the most."),
  idleMinutes: z.int().min(5, "Five minutes is the least: a start takes that long.").max(24 * 60),
  retentionHours: z.int().min(0, "0 hours stores nothing.").max(24 * 30).default(24),
  budget: z.number().positive("Enter an amount above zero, or leave it empty.").max(1_000_000).nullable().default(null),
  forge: Forge,
  repository: z.string().trim().max(200).regex(/^[\w.-]+(\/[\w.-]+)+$/, "Write the repository like owner/name."),
  apiUrl: z.url({ protocol: /^https?$/, error: "Write the address of the forge's API." }).max(300),
});
export type TemplateInput = z.infer<typeof TemplateInput>;

const SLUG_LENGTH = 40;
const NAMESPACE_LENGTH = 63;

export type PreviewNames = { slug: string; namespace: string; name: string };

/**
 * Names of one pull request's environment: safe for Kubernetes (RFC 1123 labels, at most 63 characters) and for a URL, whatever the
 * repository is called; the last part comes from the id, so that an environment opened anew never meets what is left of the one before.
 */
export function previewNames({ repository, number, id }: { repository: string; number: number; id: string }): PreviewNames {
  const project = repository.split("/").at(-1) ?? "";
  const part = project.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  const tail = id.replaceAll("-", "").slice(-8).toLowerCase();
  const label = (head: string, longest: number) => {
    const room = longest - head.length - tail.length - 2;
    const middle = part.slice(0, Math.max(0, room)).replace(/-+$/, "");
    return [head, middle, tail].filter((each) => each !== "").join("-");
  };
  return { slug: label(`pr-${number}`, SLUG_LENGTH), namespace: label(`lectern-pr-${number}`, NAMESPACE_LENGTH), name: `${project.slice(0, 45)} #${number}` };
}

export type CommentFacts = { state: "open" | "removed"; address: string; model: string; gpu: string; expiresAt: Date; idleMinutes: number; reason: string };

/** What the pull request is told, in Markdown. Nothing that came from outside is repeated in it. */
export function commentText({ state, address, model, gpu, expiresAt, idleMinutes, reason }: CommentFacts): string {
  if (state === "removed") return `**Preview environment removed**: ${reason}. Nothing of it is left in the cluster, its documents are purged, and no node is paid for it.`;
  return [`**Preview environment**: ${address}`, "", `${model} on ${gpu}. It sleeps after ${idleMinutes} minutes without pages and wakes with the next one; it is removed when this is merged or closed, and at the latest on ${expiresAt.toISOString().slice(0, 16).replace("T", " ")} UTC.`].join("\n");
}

export const EndReason = z.enum(END_REASONS);
