import "server-only";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { EndReason } from "@/lib/domain/preview-words";
import { previewNames, TemplateInput } from "@/lib/domain/preview-environment";
import type { PullRequestEnvironment } from "@/lib/generated/prisma/client";
import type { Tx } from "@/lib/platform/db";
import { publish } from "./live";
import { templateRow } from "./preview-environments-templates";

const HOUR_MS = 3_600_000;
export const ALIVE = { state: { in: ["opening", "open"] } };

export const RequestFacts = z.strictObject({
  number: z.int().min(1).max(2_000_000_000),
  title: z.string().max(2_000).default(""),
  url: z.union([z.literal(""), z.url({ protocol: /^https?$/ }).max(2_000)]).default(""),
  commit: z.string().max(64).default(""),
});
export type RequestFacts = z.output<typeof RequestFacts>;

export type Opening = { templateId: string; request: RequestFacts; now: Date };

/**
 * The environment of a pull request, made with its people and its idle stop, or the one that is open already with its time begun anew.
 * What stands in the cluster is made in the background. Throws `not_found` for a template that is gone.
 */
export async function openEnvironment(tx: Tx, { templateId, request, now }: Opening): Promise<PullRequestEnvironment> {
  const template = await templateRow(tx, templateId);
  // Two deliveries of one pull request take turns: the template's row is the turn.
  await tx.$queryRaw`SELECT id FROM environment_template WHERE id = ${template.id}::uuid FOR UPDATE`;
  const expiresAt = new Date(now.getTime() + template.hoursToLive * HOUR_MS);
  const facts = { title: request.title.slice(0, 300), url: request.url, commit: request.commit };
  const alive = await tx.pullRequestEnvironment.findFirst({ where: { templateId, number: request.number, ...ALIVE } });
  if (alive) return tx.pullRequestEnvironment.update({ where: { id: alive.id }, data: { ...facts, expiresAt, commented: "" } }); // the comment says until when
  const id = randomUUID();
  const names = previewNames({ repository: template.repository, number: request.number, id });
  const environment = await tx.environment.create({ data: { ...names, kind: "preview", clusterId: template.clusterId, retentionHours: template.retentionHours } });
  const roles = TemplateInput.shape.roles.parse(template.roles);
  const people = new Set((await tx.user.findMany({ where: { id: { in: roles.flatMap(({ member }) => (member.kind === "person" ? [member.userId] : [])) } }, select: { id: true } })).map((one) => one.id));
  type Given = { role: string; group?: string; userId?: string };
  const grants = roles.flatMap(({ role, member }): Given[] => (member.kind === "group" ? [{ role, group: member.group }] : people.has(member.userId) ? [{ role, userId: member.userId }] : []));
  await tx.grant.createMany({ data: grants.map((grant) => ({ ...grant, environmentId: environment.id, createdById: template.createdById })), skipDuplicates: true });
  await tx.schedule.create({ data: { environmentId: environment.id, idleMinutes: template.idleMinutes, countsFrom: now } });
  return tx.pullRequestEnvironment.create({ data: { id, templateId, environmentId: environment.id, number: request.number, ...facts, openedAt: now, expiresAt } });
}

/** Marks an open environment as one to remove; the background does it. Answers its id, null when there was none. */
export async function closeEnvironment(tx: Tx, { where, reason, now }: { where: { id: string } | { templateId: string; number: number }; reason: EndReason; now: Date }): Promise<string | null> {
  const row = await tx.pullRequestEnvironment.findFirst({ where: { ...where, ...ALIVE } });
  if (!row) return null;
  const { count } = await tx.pullRequestEnvironment.updateMany({ where: { id: row.id, ...ALIVE }, data: { state: "removing", endReason: reason, endedAt: now, leasedUntil: null, message: "" } });
  await publish(tx, `environment:${row.environmentId}`, { data: { preview: "removing" } });
  return count === 1 ? row.environmentId : null;
}
