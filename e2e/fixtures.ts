import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { expect, request, test as base, type BrowserContextOptions, type Page } from "@playwright/test";
import type { Role } from "@/lib/domain/policy";
import { ConsoleFaults } from "./console-faults";
import { becomeOwner, PortalApi } from "./portal-api";
import { fittingSku, moveToRealCluster } from "./real-cluster";
import { BASE_URL, OWNER_STATE_FILE } from "./settings";

export { expect };

type State = NonNullable<BrowserContextOptions["storageState"]>;
export const NOBODY: State = { cookies: [], origins: [] };
export type Person = { name: string; email: string; password: string; state: State; api: PortalApi };
type Deployed = { id: string; name: string };
type DeployOptions = { name: string; skuId?: string; environment?: string; isReady?: boolean };

type Fixtures = {
  faults: ConsoleFaults;
  /** A further tab in a browser profile of its own: the owner's, or whose state is given. */
  open: (state?: State) => Promise<Page>;
  owner: PortalApi;
  /** A model that runs, made over the API and deleted after the test. */
  deployed: (options: DeployOptions) => Promise<Deployed>;
  /** Somebody with a role, who came by invitation; disabled after the test. */
  person: (role: Role, environment?: string) => Promise<Person>;
  /** Deletes the documents that the test has uploaded. */
  cleanDesk: void;
};

async function signedInOwner(): Promise<string> {
  if (existsSync(OWNER_STATE_FILE)) return OWNER_STATE_FILE;
  const context = await request.newContext({ baseURL: BASE_URL, storageState: NOBODY });
  const owner = new PortalApi(context);
  await becomeOwner(owner);
  await moveToRealCluster(owner);
  await context.storageState({ path: OWNER_STATE_FILE });
  await context.dispose();
  return OWNER_STATE_FILE;
}

async function deploy(owner: PortalApi, { name, skuId, environment = "development", isReady = true }: DeployOptions): Promise<Deployed> {
  const deploymentId = randomUUID();
  const input = { environmentId: (await owner.environment(environment)).id, deploymentId, spec: { name, modelId: "lightonocr-3-0.8b", skuId: skuId ?? (await fittingSku()) } };
  const { digest } = await owner.read("deployments.preview", input);
  await owner.write("deployments.apply", { digest: digest ?? "" });
  const state = async () => (await owner.read("deployments.get", { id: deploymentId })).deployment.state;
  if (isReady) await expect.poll(state, { timeout: 60_000, message: `${name} becomes ready` }).toBe("ready");
  return { id: deploymentId, name };
}

async function welcome(owner: PortalApi, role: Role, slug: string): Promise<Person> {
  const email = `${role}-${randomUUID().slice(0, 8)}@example.com`;
  const [name, password] = [`Test ${role}`, "another long passphrase"];
  const invitation = await owner.write("invitations.create", { email, grants: [{ environmentId: (await owner.environment(slug)).id, role }] });
  const context = await request.newContext({ baseURL: BASE_URL, storageState: NOBODY });
  const api = new PortalApi(context);
  await api.write("invitations.redeem", { secret: invitation.url.split("#")[1] ?? "", name, password });
  await api.signIn(email, password);
  return { name, email, password, state: await context.storageState(), api };
}

async function disable(owner: PortalApi, person: Person): Promise<void> {
  const { users } = await owner.read("users.list", { query: person.email });
  for (const user of users) await owner.write("users.disable", { userId: user.id });
  await person.api.request.dispose();
}

async function remove(owner: PortalApi, id: string): Promise<void> {
  const { deployments } = await owner.read("deployments.list", {});
  if (deployments.some((each) => each.id === id && each.state !== "deleting")) await owner.write("deployments.delete", { id });
}

export const test = base.extend<Fixtures, { ownerState: string }>({
  ownerState: [async ({}, use) => use(await signedInOwner()), { scope: "worker" }],
  storageState: async ({ ownerState }, use) => use(ownerState),
  faults: [
    async ({}, use) => {
      const faults = new ConsoleFaults();
      await use(faults);
      faults.check();
    },
    { auto: true },
  ],
  page: async ({ page, faults }, use) => {
    faults.watch(page);
    await use(page);
  },
  open: async ({ browser, faults, ownerState }, use) => {
    const contexts: { close(): Promise<void> }[] = [];
    await use(async (state = ownerState) => {
      const context = await browser.newContext({ storageState: state, baseURL: BASE_URL, viewport: { width: 1440, height: 900 } });
      contexts.push(context);
      const page = await context.newPage();
      faults.watch(page);
      return page;
    });
    for (const context of contexts) await context.close();
  },
  owner: async ({ ownerState }, use) => {
    const context = await request.newContext({ baseURL: BASE_URL, storageState: ownerState });
    await use(new PortalApi(context));
    await context.dispose();
  },
  deployed: async ({ owner, faults }, use) => {
    const made: string[] = [];
    await use(async (options) => {
      const deployment = await deploy(owner, options);
      made.push(deployment.id);
      return deployment;
    });
    await faults.leave();
    for (const id of made) await remove(owner, id);
  },
  person: async ({ owner }, use) => {
    const people: Person[] = [];
    await use(async (role, environment = "development") => {
      const person = await welcome(owner, role, environment);
      people.push(person);
      return person;
    });
    for (const one of people) await disable(owner, one);
  },
  cleanDesk: async ({ owner }, use) => {
    await use();
    const { documents } = await owner.read("documents.list", {});
    for (const { id } of documents) await owner.write("documents.delete", { id });
  },
});
