import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEnvironment, createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { ownFolder } from "@/scripts/test/gateway-place";
import { notificationsGet, notificationsList, notificationsSet, notificationsTest, notify } from "./notifications";
import { retryDelay, sendDue } from "./notifications-send";
import { execute } from "./pipeline";

ownFolder();
const at = useDatabase();
const posts: { headers: IncomingHttpHeaders; body: string }[] = [];
const mails: { to: string[]; raw: string }[] = [];
let answers: number[] = [];
let takesMail = true;
const web = createServer((request, response) => {
  let body = "";
  request.on("data", (piece) => (body += piece));
  request.on("end", () => {
    posts.push({ headers: request.headers, body });
    response.writeHead(answers.shift() ?? 204).end();
  });
});
const post = new SMTPServer({
  disabledCommands: ["STARTTLS"],
  onAuth: ({ username, password }, _session, done) => (username === "lectern" && password === "a phrase" ? done(null, { user: username }) : done(new Error("no"))),
  onData: (stream, session, done) => {
    let raw = "";
    stream.on("data", (piece: Buffer) => (raw += piece.toString()));
    stream.on("end", () => {
      if (!takesMail) return done(Object.assign(new Error("full"), { responseCode: 452 }));
      mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw });
      done();
    });
  },
});
let environmentId: string, hook: string;
let admin: Awaited<ReturnType<typeof createPerson>>, viewer: typeof admin;

beforeAll(async () => {
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  await new Promise<void>((resolve) => post.listen(0, "127.0.0.1", resolve));
  hook = `http://127.0.0.1:${(web.address() as AddressInfo).port}/hook?team=ocr`; // a TCP server has a port
  const { port } = post.server.address() as AddressInfo;
  Object.assign(process.env, { SMTP_HOST: "127.0.0.1", SMTP_PORT: String(port), SMTP_SECURITY: "none", SMTP_USER: "lectern", SMTP_PASSWORD: "a phrase", SMTP_FROM: "Lectern <portal@example.test>", NEXTAUTH_URL: "https://portal.example.test" });
  environmentId = await createEnvironment(at.db, "staging");
  admin = await createPerson(at.db, "Admin", { roles: { [environmentId]: "admin" } });
  viewer = await createPerson(at.db, "Viewer", { roles: { [environmentId]: "viewer" } });
});
afterAll(async () => {
  web.close();
  await new Promise<void>((resolve) => post.close(() => resolve()));
});

const call = (input: unknown, who = admin) => ({ db: at.db, caller: who.caller, input });
const set = (input: object) => execute(notificationsSet, call({ environmentId, ...input }));
const later = (seconds: number) => new Date(Date.now() + seconds * 1000);
const notice = (dedupeKey: string) => ({ environmentId, kind: "budget", subject: "80 % used", sentence: "160 of 200 node hours are used.", path: "/costs", dedupeKey });

describe("notices", () => {
  it("reach the webhook, signed, and every address, once", async () => {
    const { webhookSecret } = await set({ webhookUrl: hook, emails: ["ops@example.test", "pay@example.test", "ops@example.test"] });
    expect(await notify(at.db, notice("one"))).toBe(true);
    expect(await notify(at.db, notice("one"))).toBe(false);
    expect(await sendDue(at.db, later(1))).toBe(3);
    expect(await sendDue(at.db, later(7_200))).toBe(0);
    const [sent] = posts;
    const key = Buffer.from(webhookSecret?.slice("whsec_".length) ?? "", "base64");
    const signature = createHmac("sha256", key).update(`${sent?.headers["webhook-id"]}.${sent?.headers["webhook-timestamp"]}.${sent?.body}`).digest("base64");
    expect(sent?.headers["webhook-signature"]).toBe(`v1,${signature}`);
    expect(JSON.parse(sent?.body ?? "")).toMatchObject({ type: "lectern.budget", environment: { id: environmentId, name: "staging" }, subject: "80 % used", sentence: "160 of 200 node hours are used.", url: "https://portal.example.test/costs" });
    expect(mails.map(({ to }) => to).sort()).toEqual([["ops@example.test"], ["pay@example.test"]]);
    expect(mails[0]?.raw).toContain("Subject: [staging] 80 % used");
    expect(mails[0]?.raw).toContain("From: Lectern <portal@example.test>");
    expect(mails[0]?.raw).toContain("160 of 200 node hours are used.");
  });

  it("are tried again, later each time, with the same id, and the list says why", async () => {
    posts.length = 0;
    mails.length = 0;
    answers = [500];
    takesMail = false;
    await notify(at.db, notice("two"));
    await sendDue(at.db, later(1));
    const listed = async () => (await execute(notificationsList, call({ environmentId }, viewer))).notifications[0];
    expect(await listed()).toMatchObject({ delivered: 0, queued: 3 });
    expect((await at.db.notificationDelivery.findMany({ where: { state: "queued" } })).map(({ message }) => message).sort()).toEqual(["The mail server refused the message with 452.", "The mail server refused the message with 452.", "The webhook's address answered 500."]);
    expect(await sendDue(at.db, later(5))).toBe(0);
    takesMail = true;
    expect(await sendDue(at.db, later(15))).toBe(3);
    expect(posts.map(({ headers }) => headers["webhook-id"])).toEqual([posts[0]?.headers["webhook-id"], posts[0]?.headers["webhook-id"]]);
    expect(await listed()).toMatchObject({ delivered: 3, queued: 0, problem: "" });
    expect([1, 2, 3, 20].map(retryDelay)).toEqual([10_000, 20_000, 40_000, 3_600_000]);
  });

  it("are given up in the end, and that is said", async () => {
    answers = [500];
    await set({ webhookUrl: hook, emails: [] });
    await notify(at.db, notice("three"));
    await at.db.notificationDelivery.updateMany({ where: { state: "queued" }, data: { attempts: 15 } });
    await sendDue(at.db, later(1));
    expect((await execute(notificationsList, call({ environmentId }))).notifications[0]).toMatchObject({ givenUp: 1, problem: "The webhook's address answered 500." });
    expect(await sendDue(at.db, later(90_000))).toBe(0);
  });

  it("are tested at once, each channel with its own answer", async () => {
    await set({ webhookUrl: hook, emails: ["ops@example.test"] });
    answers = [404];
    const { results } = await execute(notificationsTest, call({ environmentId }));
    expect(results).toEqual([
      { channel: "webhook", address: new URL(hook).host, problem: "The webhook's address answered 404." },
      { channel: "email", address: "ops@example.test", problem: null },
    ]);
  });

  it("keep their addresses to admins, and take none that is unsafe", async () => {
    await expect(execute(notificationsGet, call({ environmentId }, viewer))).rejects.toMatchObject({ code: "forbidden" });
    expect(await execute(notificationsGet, call({ environmentId }))).toEqual({ webhookUrl: hook, emails: ["ops@example.test"], hasMail: true });
    await expect(set({ webhookUrl: "http://chat.example.com/hook", emails: [] })).rejects.toMatchObject({ code: "invalid_input" });
    await expect(set({ webhookUrl: "", emails: ["ops@example.test\r\nBcc: all@example.test"] })).rejects.toMatchObject({ code: "invalid_input" });
    const [event] = await at.db.auditEvent.findMany({ where: { action: "notifications.set", outcome: "success" }, orderBy: { sequence: "desc" } });
    expect(JSON.stringify(event?.record)).not.toContain("team=ocr");
  });
});
