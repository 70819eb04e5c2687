import "server-only";
import { z } from "zod";
import { modelById, skuById } from "@/lib/domain/catalog";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { DomainError } from "@/lib/domain/errors";
import { commentText, EndReason } from "@/lib/domain/preview-environment";
import { END_WORDS, type Forge } from "@/lib/domain/preview-words";
import type { EnvironmentTemplate, PullRequestEnvironment } from "@/lib/generated/prisma/client";
import type { Db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { createSend } from "@/lib/platform/send";
import { readText } from "@/lib/platform/send-body";
import { privateRanges } from "./clusters";
import { forgeTokenOf } from "./preview-environments-templates";

const TIMEOUT_MS = 10_000;
const MOST_BYTES = 1024 * 1024;
const Answer = z.object({ id: z.union([z.int(), z.string()]).transform(String) });

export type Commented = PullRequestEnvironment & { template: EnvironmentTemplate; environment: { slug: string } };

/** Where the pull request's environment is in the portal. */
export function previewAddress(slug: string): string {
  return `${env().NEXTAUTH_URL}/environments/${slug}`;
}

/**
 * Tells the pull request where its environment is, or that it is gone: one comment, changed later. Nothing is said without a token.
 * Throws `upstream_failed` when the forge does not take it, and what the network said.
 */
export async function comment(db: Db, row: Commented, state: "open" | "removed"): Promise<void> {
  const token = forgeTokenOf(row.template);
  if (token === null) return;
  const { template } = row;
  const spec = DeploymentSpec.parse(template.spec);
  const reason = row.endReason ? END_WORDS[EndReason.parse(row.endReason)] : "";
  const body = commentText({ state, address: previewAddress(row.environment.slug), model: modelById(spec.modelId).name, gpu: skuById(spec.skuId).gpu.name, expiresAt: row.expiresAt, idleMinutes: template.idleMinutes, reason });
  const url = new URL(template.apiUrl);
  const send = createSend({ origin: url.origin, token, allowLoopback: env().LECTERN_ALLOW_LOOPBACK === "1", allowPrivate: await privateRanges(db) });
  const { method, path } = wayOf(template.forge as Forge, { base: url.pathname.replace(/\/$/, ""), repository: template.repository, number: row.number, commentId: row.commentId }); // written from the schema of templates
  const headers = { "content-type": "application/json", accept: "application/json", "user-agent": "Lectern" };
  const answer = await send({ method, path, headers, body: JSON.stringify({ body }), timeoutMs: TIMEOUT_MS });
  const text = await readText(answer, MOST_BYTES);
  if (answer.status >= 300) throw new DomainError("upstream_failed", refusal(answer.status));
  const parsed = Answer.safeParse(json(text));
  await db.pullRequestEnvironment.update({ where: { id: row.id }, data: { commented: state, commentNote: "", ...(parsed.success ? { commentId: parsed.data.id } : {}) } });
}

type Way = { base: string; repository: string; number: number; commentId: string | null };

/** https://docs.github.com/en/rest/issues/comments and https://docs.gitlab.com/api/notes */
function wayOf(forge: Forge, { base, repository, number, commentId }: Way): { method: "POST" | "PATCH" | "PUT"; path: string } {
  if (forge === "github") {
    const issues = `${base}/repos/${repository.split("/").map(encodeURIComponent).join("/")}/issues`;
    return commentId === null ? { method: "POST", path: `${issues}/${number}/comments` } : { method: "PATCH", path: `${issues}/comments/${encodeURIComponent(commentId)}` };
  }
  const notes = `${base}/projects/${encodeURIComponent(repository)}/merge_requests/${number}/notes`;
  return commentId === null ? { method: "POST", path: notes } : { method: "PUT", path: `${notes}/${encodeURIComponent(commentId)}` };
}

/** The answer itself is not repeated: it is the forge's, and may hold anything. */
function refusal(status: number): string {
  if (status === 401 || status === 403) return `The forge refused the comment (${status}): the token may not write comments there. Make the template anew with a token that may.`;
  if (status === 404) return "The forge does not know this repository or request (404), or the token may not see it.";
  return `The forge answered ${status}; the comment is tried again.`;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
