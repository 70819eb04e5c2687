import "server-only";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { DomainError } from "@/lib/domain/errors";
import type { Db, Tx } from "@/lib/platform/db";
import { hasMail } from "@/lib/platform/mail";
import { publish } from "./live";
import { deliver } from "./notifications-send";
import { read, write } from "./operation";
import { secretOf, webhookTarget } from "./webhook-post";

/** What people should hear of. No text of a document: names, numbers and states only. */
export type Notice = {
  environmentId: string;
  /** What it is about, for programs: "budget", "alert". */
  kind: string;
  subject: string;
  sentence: string;
  /** Where the portal shows more, such as "/costs": without the portal's address. */
  path: string;
  /** Two notices of an environment with the same key are one. */
  dedupeKey: string;
};

/**
 * Says something once to an environment's channels; in the caller's transaction, so that it is said exactly when its cause is true.
 * Answers whether it was new. Delivery happens in the background and is tried again.
 */
export async function notify(db: Db | Tx, notice: Notice): Promise<boolean> {
  const id = randomUUID();
  const { count } = await db.notification.createMany({ data: { id, ...notice }, skipDuplicates: true });
  if (count === 0) return false;
  const channels = await channelsOf(db, notice.environmentId);
  const ways = [...(channels.webhookUrl ? [{ channel: "webhook", address: channels.webhookUrl }] : []), ...channels.emails.map((address) => ({ channel: "email", address }))];
  await db.notificationDelivery.createMany({ data: ways.map((way) => ({ ...way, notificationId: id, nextAt: new Date() })) });
  await publish(db, `environment:${notice.environmentId}`, { data: { notification: notice.kind } });
  return true;
}

async function channelsOf(db: Db | Tx, environmentId: string): Promise<{ webhookUrl: string; emails: string[] }> {
  return (await db.notificationChannels.findUnique({ where: { environmentId }, select: { webhookUrl: true, emails: true } })) ?? { webhookUrl: "", emails: [] };
}

const Where = z.strictObject({ environmentId: z.uuid() });
const Channels = z.strictObject({
  webhookUrl: z.union([z.literal(""), z.url({ protocol: /^https?$/, error: "Write the whole address, like https://chat.example.com/hook." }).max(1_000)]),
  emails: z.array(z.email("Write an address like team@example.com.").max(200)).max(20, "Name at most 20 addresses: use a list."),
});
const aboutOne = { environment: async (input: { environmentId: string }) => input.environmentId } as const;

export const notificationsGet = read({
  ...aboutOne,
  name: "notifications.get",
  summary: "Where an environment's notices go",
  permission: "environment.edit",
  input: Where,
  output: Channels.extend({ webhookUrl: z.string(), hasMail: z.boolean() }),
  run: async ({ db, input }) => ({ ...(await channelsOf(db, input.environmentId)), hasMail: hasMail() }),
});

export const notificationsList = read({
  ...aboutOne,
  name: "notifications.list",
  summary: "What was noticed in an environment, and whether it has reached its channels",
  permission: "environment.read",
  input: Where,
  output: z.strictObject({
    notifications: z.array(z.strictObject({ id: z.uuid(), kind: z.string(), subject: z.string(), sentence: z.string(), path: z.string(), at: z.iso.datetime(), delivered: z.number().int(), queued: z.number().int(), givenUp: z.number().int(), problem: z.string() })),
  }),
  run: async ({ db, input }) => {
    const rows = await db.notification.findMany({ where: input, include: { deliveries: true }, orderBy: { createdAt: "desc" }, take: 50 });
    return {
      notifications: rows.map(({ id, kind, subject, sentence, path, createdAt, deliveries }) => {
        const count = (state: string) => deliveries.filter((one) => one.state === state).length;
        const problem = deliveries.find((one) => one.state !== "delivered" && one.message !== "")?.message ?? "";
        return { id, kind, subject, sentence, path, at: createdAt.toISOString(), delivered: count("delivered"), queued: count("queued"), givenUp: count("given_up"), problem };
      }),
    };
  },
});

/** Where a webhook goes may itself be a secret: the trail keeps its host. */
const described = (input: z.output<typeof Channels> & { environmentId: string }) => ({
  type: "environment",
  id: input.environmentId,
  detail: { webhookHost: input.webhookUrl ? new URL(input.webhookUrl).host : null, emails: input.emails.length },
});

export const notificationsSet = write({
  ...aboutOne,
  name: "notifications.set",
  summary: "Set where an environment's notices go: a webhook, e-mail addresses, or both",
  permission: "environment.edit",
  effect: "database",
  input: Channels.extend(Where.shape),
  /** The secret that the webhook is signed with; null without one. */
  output: z.strictObject({ webhookSecret: z.string().nullable() }),
  target: described,
  run: async ({ db, input }) => {
    const { environmentId, webhookUrl } = input;
    if (webhookUrl) webhookTarget(webhookUrl); // says at once what can never be right
    if (input.emails.length > 0 && !hasMail()) throw new DomainError("unprocessable", "This installation has no mail server: set SMTP_HOST, or use a webhook.");
    const emails = [...new Set(input.emails)];
    await db.notificationChannels.upsert({ where: { environmentId }, create: { environmentId, webhookUrl, emails }, update: { webhookUrl, emails } });
    return { webhookSecret: webhookUrl ? secretOf("environment-webhook", environmentId) : null };
  },
});

export const notificationsTest = write({
  ...aboutOne,
  name: "notifications.test",
  summary: "Send a test notice to every channel of an environment, now, and say how each took it",
  permission: "environment.edit",
  effect: "outside",
  input: Where,
  output: z.strictObject({ results: z.array(z.strictObject({ channel: z.enum(["webhook", "email"]), address: z.string(), problem: z.string().nullable() })) }),
  target: ({ environmentId }) => ({ type: "environment", id: environmentId }),
  run: async ({ db, input }) => {
    const { webhookUrl, emails } = await channelsOf(db, input.environmentId);
    if (!webhookUrl && emails.length === 0) throw new DomainError("unprocessable", "There is no channel to test: set a webhook or an e-mail address first.");
    const environment = await db.environment.findUniqueOrThrow({ where: { id: input.environmentId }, select: { slug: true, name: true } });
    const notice = { environmentId: input.environmentId, kind: "test", subject: "Test", sentence: "This is how notices of this environment will arrive.", path: `/environments/${environment.slug}`, environmentName: environment.name };
    const attempt = async (channel: "webhook" | "email", address: string) => {
      const problem = await deliver(notice, { channel, address, id: randomUUID(), at: new Date() }).then(() => null, (error: unknown) => (error instanceof DomainError ? error.message : "It could not be sent."));
      return { channel, address: channel === "webhook" ? new URL(address).host : address, problem };
    };
    return { results: await Promise.all([...(webhookUrl ? [attempt("webhook", webhookUrl)] : []), ...emails.map((address) => attempt("email", address))]) };
  },
});
