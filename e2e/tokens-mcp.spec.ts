import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, test } from "./fixtures";
import { BASE_URL } from "./settings";

async function connect(token: string): Promise<Client> {
  const client = new Client({ name: "e2e", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL("/api/mcp", BASE_URL), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }));
  return client;
}

test("a token: shown once, works over HTTP and MCP, within its scope, and no longer once revoked", async ({ page, playwright }) => {
  const name = `nightly ${Date.now()}`;
  const token = await test.step("create", async () => {
    await page.goto("/settings?tab=tokens");
    await page.getByRole("button", { name: "Create token" }).click();
    const dialog = page.getByRole("dialog", { name: "Create an API token" });
    await dialog.getByRole("textbox", { name: "Name" }).fill(name);
    await dialog.getByRole("checkbox", { name: "Development" }).check();
    await dialog.getByRole("button", { name: "Create token" }).click();
    const shown = await dialog.getByLabel("token", { exact: true }).innerText();
    expect(shown).toMatch(/^lct_[\w-]{20,}$/);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole("row").filter({ hasText: name })).toContainText("never");
    await expect(page.getByRole("main")).not.toContainText(shown);
    return shown;
  });

  const http = await playwright.request.newContext({ baseURL: BASE_URL, extraHTTPHeaders: { Authorization: `Bearer ${token}` } });
  await test.step("over HTTP it sees what its scope says", async () => {
    const answer = await http.get("/api/environments.list");
    expect(answer.status()).toBe(200);
    expect(await answer.json()).toMatchObject({ environments: [{ slug: "development" }] });
    expect((await http.get("/api/users.list")).status(), "what its scope does not name").toBe(403);
    const write = await http.post("/api/samples.remove", { data: {} });
    expect(write.status()).toBe(403);
    expect(await write.json()).toMatchObject({ code: "forbidden" });
  });

  await test.step("over MCP it sees the same", async () => {
    const client = await connect(token);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toContain("environments_list");
    const result = await client.callTool({ name: "environments_list", arguments: {} });
    expect(JSON.stringify(result.content)).toContain("lectern-development");
    expect(JSON.stringify(result.content)).not.toContain("lectern-production");
    await client.close();
  });

  await test.step("revoke", async () => {
    await page.reload();
    const row = page.getByRole("row").filter({ hasText: name });
    await expect(row).not.toContainText("never");
    await row.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Revoke token" }).click();
    await expect(row).toContainText("revoked");
    expect((await http.get("/api/environments.list")).status()).toBe(401);
    await expect(connect(token)).rejects.toThrow(/401|token/i);
  });
  await http.dispose();
});

test("the description of the API is there for everybody's client", async ({ page }) => {
  const answer = await page.request.get("/api/openapi.json");
  expect(answer.status()).toBe(200);
  expect(await answer.json()).toMatchObject({ openapi: expect.stringMatching(/^3\.1/), paths: { "/api/deployments.list": {} } });
});
