import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { askCluster, forbidGpus } from "./sandbox";

const status = (page: Page, word: string) => page.getByRole("main").getByText(word, { exact: true }).first();
const live = (page: Page) => page.getByRole("status").filter({ hasText: "live" });

test("stop, start and delete, each saying first what goes and what stays", async ({ page, deployed, faults }) => {
  faults.expect(404, "/api/deployments.get"); // the stream tells of the deletion before the page has been left
  const { id, name } = await deployed({ name: "to-be-stopped" });
  const object = `/apis/apps/v1/namespaces/lectern-development/deployments/${name}`;
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
