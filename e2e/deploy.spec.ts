import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { askCluster, forbidGpus } from "./sandbox";
import { NAMESPACE } from "./settings";

const status = (page: Page, word: string) => page.getByRole("main").getByText(word, { exact: true }).first();
const live = (page: Page) => page.getByRole("status").filter({ hasText: "live" });

test("stop, start and delete, each saying first what goes and what stays", async ({ page, deployed }) => {
  const { id, name } = await deployed({ name: "to-be-stopped" });
  const object = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments/${name}`;
  await page.goto(`/deployments/${id}`);
  await expect(status(page, "ready")).toBeVisible();

  await test.step("stop", async () => {
    await page.getByRole("button", { name: "Stop" }).click();
    const dialog = page.getByRole("alertdialog", { name: `Stop ${name} in Development?` });
    await expect(dialog).toContainText("Its pods, with the pages that they are reading");
    await expect(dialog).toContainText("The volume with the weights");
    await dialog.getByRole("button", { name: "Stop deployment" }).click();
    await expect(status(page, "stopped")).toBeVisible({ timeout: 30_000 });
    expect(JSON.parse((await askCluster("GET", object)).body)).toMatchObject({ spec: { replicas: 0 } });
  });

  await test.step("start", async () => {
    await page.getByRole("button", { name: "Start" }).click();
    await expect(status(page, "ready")).toBeVisible({ timeout: 60_000 });
  });

  await test.step("delete", async () => {
    await page.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("alertdialog", { name: `Delete ${name} in Development?` });
    await expect(dialog).toContainText("Its pods and its Service");
    await expect(dialog).toContainText("Documents and texts that it has read");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(status(page, "ready")).toBeVisible();
    await page.getByRole("button", { name: "Delete" }).click();
    await dialog.getByRole("button", { name: "Delete deployment" }).click();
    await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
    await expect(page.getByRole("region", { name: "Development" })).not.toContainText(name, { timeout: 30_000 });
    await expect.poll(async () => (await askCluster("GET", object)).status, { timeout: 30_000 }).toBe(404);
  });
});

test("a deployment that the cluster refuses shows the cluster's own words", async ({ page, deployed, owner }) => {
  const { namespace } = await owner.environment("staging");
  const lift = await forbidGpus(namespace);
  try {
    const { id } = await deployed({ name: "refused", environment: "staging", isReady: false });
    await page.goto(`/deployments/${id}`);
    await expect(page.getByRole("main")).toContainText(/exceeded quota: no-gpu, requested: requests\.nvidia\.com\/gpu=1/, { timeout: 30_000 });
    await expect(status(page, "failed")).toBeVisible();
    await page.goto("/");
    await expect(page.getByRole("region", { name: "Needs attention" })).toContainText(/quota "no-gpu"/);
  } finally {
    await lift();
  }
});

test("two tabs see the same change as it happens", async ({ page, open, deployed }) => {
  const { id, name } = await deployed({ name: "seen-twice" });
  const other = await open();
  await Promise.all([page.goto(`/deployments/${id}`), other.goto("/")]);
  const row = other.getByRole("link").filter({ hasText: name });
  await expect(row).toContainText("ready");
  await Promise.all([expect(live(page)).toBeVisible(), expect(live(other)).toBeVisible()]);
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Stop deployment" }).click();
  await expect(row).toContainText("stopped", { timeout: 30_000 });
  await expect(status(page, "stopped")).toBeVisible();
});

test("where somebody else must approve: one asks, another looks at the diff and agrees, and exactly that is deployed", async ({ page, open, owner, person, faults }) => {
  const { id: environmentId } = await owner.environment("staging");
  await owner.write("environments.setRules", { environmentId, needsApproval: true, approvers: [] });
  const asker = await person("deployer", "staging");
  const asking = await open(asker.state);
  try {
    await test.step("ask", async () => {
      await asking.goto("/deploy?env=staging");
      await asking.getByLabel("Name", { exact: true }).fill("agreed");
      await asking.getByLabel("Why", { exact: true }).fill("the new model");
      await asking.getByRole("button", { name: "Ask for approval" }).click();
      await expect(asking.getByText("Waits for somebody else's approval.")).toBeVisible();
    });

    await test.step("approve, with the diff in sight", async () => {
      await page.goto("/approvals");
      const card = page.getByRole("region", { name: "agreed to Staging" });
      await expect(card.getByRole("list", { name: "Objects" })).toContainText("Deployment/agreed");
      await card.getByRole("button", { name: "Approve" }).click();
      await expect(page.getByText("Nothing waits for a decision.")).toBeVisible();
    });

    await test.step("deploy", async () => {
      await expect(asking.getByText("Owner approved exactly this version.")).toBeVisible();
      await asking.getByRole("button", { name: "Deploy to Staging" }).click();
      await expect(asking.getByRole("heading", { name: "agreed" })).toBeVisible();
    });
  } finally {
    await faults.leave();
    await owner.write("environments.setRules", { environmentId, needsApproval: false, approvers: [] });
    const { deployments } = await owner.read("deployments.list", { environmentId });
    for (const { id, name } of deployments) if (name === "agreed") await owner.write("deployments.delete", { id });
  }
});
