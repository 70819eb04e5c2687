import { expect, NOBODY, test } from "./fixtures";
import { OIDC_NAME, OWNER } from "./settings";

test("a viewer who came by invitation sees the deployment, and each refused button says why", async ({ page, open, owner, deployed }) => {
  const { id } = await deployed({ name: "seen-by-viewer", isReady: false });
  const email = `viewer-${Date.now()}@example.com`;

  const link = await test.step("the owner makes the link in the browser", async () => {
    await page.goto("/environments/development");
    await page.getByRole("button", { name: "Invite" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("E-mail").fill(email);
    await dialog.getByLabel("Role", { exact: true }).selectOption("viewer");
    await dialog.getByRole("button", { name: "Create invitation link" }).click();
    return page.getByLabel("invitation link", { exact: true }).innerText();
  });

  const viewer = await open(NOBODY);
  await test.step("the viewer joins", async () => {
    await viewer.goto(link);
    await expect(viewer.getByLabel("E-mail")).toHaveValue(email);
    await viewer.getByLabel("Your name").fill("Viewer");
    await viewer.getByLabel("New password").fill("a viewer's passphrase");
    await viewer.getByRole("button", { name: "Join" }).click();
    await expect(viewer.getByRole("heading", { name: "Overview" })).toBeVisible();
  });

  await test.step("only development is there", async () => {
    await expect(viewer.getByRole("region", { name: "Development" })).toBeVisible();
    await expect(viewer.getByRole("region", { name: "Production" })).toHaveCount(0);
    await viewer.goto("/environments/production");
    await expect(viewer.getByText("There is no such environment, or you have no role in it.")).toBeVisible();
  });

  const why = "This needs the role deployer in this environment.";
  await test.step("deploying is shown and refused with the reason", async () => {
    await viewer.goto("/");
    await expect(viewer.getByRole("button", { name: "Deploy a model" })).toHaveAccessibleDescription(/role deployer/);
    await viewer.goto("/deploy");
    await expect(viewer.getByText("You may not deploy to any environment yet.")).toBeVisible();
    await viewer.goto(`/deployments/${id}`);
    for (const name of ["Stop", "Delete"]) {
      await expect(viewer.getByRole("button", { name })).toHaveAttribute("aria-disabled", "true");
      await expect(viewer.getByRole("button", { name })).toHaveAccessibleDescription(new RegExp(why));
    }
  });

  await test.step("there is no upload", async () => {
    await expect(viewer.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Playground" })).toHaveCount(0);
    await viewer.goto("/playground");
    const choose = viewer.getByRole("button", { name: "Choose documents" }).filter({ hasText: "Choose documents" });
    await expect(choose).toHaveAttribute("aria-disabled", "true");
    await expect(choose).toHaveAccessibleDescription(/role analyst/);
  });
  await viewer.close(); // an open page would ask on, and be refused, once the account is disabled
  const { users } = await owner.read("users.list", { query: email });
  for (const user of users) await owner.write("users.disable", { userId: user.id });
});

test("a deployment of an environment without a role is not there", async ({ open, person, deployed, faults }) => {
  faults.expect(404, "/api/");
  const { id } = await deployed({ name: "in-staging", environment: "staging", isReady: false });
  const viewer = await open((await person("viewer")).state);
  await viewer.goto(`/deployments/${id}`);
  await expect(viewer.getByRole("alert").filter({ hasText: "no such deployment" })).toBeVisible();
});

test("signing out ends the session, and the way back leads through the sign-in page", async ({ open, person }) => {
  const someone = await person("analyst");
  const page = await open(someone.state);
  await page.goto("/costs");
  await page.getByRole("button", { name: `Account of ${someone.name}` }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await page.goto("/costs?env=development");
  await expect(page).toHaveURL(/\/login\?next=/);
  await page.getByLabel("E-mail").fill(someone.email);
  await page.getByLabel("Password", { exact: true }).fill(someone.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { name: /^Costs of/ })).toBeVisible();
});

test("a session that was ended elsewhere: the stream closes and the page asks to sign in", async ({ open, person, faults }) => {
  faults.expect(401, "/api/");
  const someone = await person("analyst");
  const page = await open(someone.state);
  await page.goto("/");
  await expect(page.getByRole("status").filter({ hasText: "live" })).toBeVisible();
  await someone.api.write("sessions.endAll", { keepCurrent: false });
  await expect(page).toHaveURL(/\/login/, { timeout: 10_000 });
  await expect(page.getByText("Your session has ended")).toBeVisible();
});

test("a wrong password is refused in words, and nothing is given away", async ({ open, faults }) => {
  faults.expect(401, "/api/auth/callback/credentials");
  const page = await open(NOBODY);
  await page.goto("/login");
  await page.getByLabel("E-mail").fill(OWNER.email);
  await page.getByLabel("Password", { exact: true }).fill("not the passphrase");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("alert").filter({ hasText: /wrong|not right|incorrect/i })).toBeVisible();
});

test.describe("through the company's identity provider", () => {
  const enter = (subject: string) => async (page: import("@playwright/test").Page) => {
    await page.goto("/login");
    await page.getByRole("button", { name: `Continue with ${OIDC_NAME}` }).click();
    await page.getByRole("button", { name: `Sign in as ${subject}` }).click();
    await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  };

  test("a viewer has the rights of the group", async ({ open }) => {
    const page = await open(NOBODY);
    await enter("viewer")(page);
    await expect(page.getByRole("region", { name: "Development" })).toBeVisible();
    await expect(page.getByRole("region", { name: "Staging" })).toHaveCount(0);
  });

  test("a newcomer comes in and has no rights", async ({ open }) => {
    const page = await open(NOBODY);
    await enter("newcomer")(page);
    await expect(page.getByText("You have no access to any environment yet.")).toBeVisible();
  });
});
