import { z } from "zod";
import { DomainError } from "./errors";

/** What a forge says of one pull request. `none`: an event that changes nothing here. */
export type HookEvent = { action: "open" | "close" | "none"; repository: string | null; number: number; title: string; url: string; commit: string; isMerged: boolean };

const text = z.string().max(2_000).catch("");
const Number_ = z.int().min(1).max(2_000_000_000);

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads#pull_request */
const GitHub = z.object({
  action: z.string(),
  repository: z.object({ full_name: z.string().max(300) }),
  pull_request: z.object({ number: Number_, title: text, html_url: text, merged: z.boolean().nullish(), head: z.object({ sha: text }) }),
});

/** https://docs.gitlab.com/user/project/integrations/webhook_events/#merge-request-events */
const GitLab = z.object({
  object_kind: z.literal("merge_request"),
  project: z.object({ path_with_namespace: z.string().max(300) }),
  object_attributes: z.object({ iid: Number_, title: text, url: text, action: z.string().nullish(), last_commit: z.object({ id: text }).nullish() }),
});

/** What a script sends with the template's key as a bearer token. */
const Plain = z.strictObject({ action: z.enum(["open", "close"]), number: Number_, title: z.string().max(300).default(""), url: z.union([z.literal(""), z.url({ protocol: /^https?$/ })]).default(""), commit: z.string().max(64).default(""), merged: z.boolean().default(false) });

const NOTHING: HookEvent = { action: "none", repository: null, number: 0, title: "", url: "", commit: "", isMerged: false };
const OPENING = ["opened", "reopened", "synchronize", "ready_for_review", "open", "reopen", "update"];

/** Reads a verified body. `event` is X-GitHub-Event or X-Gitlab-Event; events other than those of pull requests are `none`. Throws `invalid_input`. */
export function hookEvent(from: "github" | "gitlab" | "token", { event, body }: { event: string; body: unknown }): HookEvent {
  if (from === "github") return event === "pull_request" ? fromGitHub(body) : NOTHING;
  if (from === "gitlab") return event === "Merge Request Hook" ? fromGitLab(body) : NOTHING;
  const { action, number, title, url, commit, merged } = parsed(Plain, body);
  return { action, repository: null, number, title, url, commit, isMerged: merged };
}

function fromGitHub(body: unknown): HookEvent {
  const { action, repository, pull_request: request } = parsed(GitHub, body);
  const is = action === "closed" ? "close" : OPENING.includes(action) ? "open" : "none";
  return { action: is, repository: repository.full_name, number: request.number, title: request.title, url: webUrl(request.html_url), commit: request.head.sha, isMerged: request.merged === true };
}

function fromGitLab(body: unknown): HookEvent {
  const { project, object_attributes: request } = parsed(GitLab, body);
  const action = request.action ?? "";
  const is = action === "close" || action === "merge" ? "close" : OPENING.includes(action) ? "open" : "none";
  return { action: is, repository: project.path_with_namespace, number: request.iid, title: request.title, url: webUrl(request.url), commit: request.last_commit?.id ?? "", isMerged: action === "merge" };
}

function parsed<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const fields = result.error.issues.slice(0, 5).map((issue) => ({ path: issue.path.join("."), message: issue.message }));
  throw new DomainError("invalid_input", "The body is not what this forge sends for a pull request.", { fields });
}

/** It becomes a link on a page: nothing but the web. */
function webUrl(url: string): string {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? url : "";
}
