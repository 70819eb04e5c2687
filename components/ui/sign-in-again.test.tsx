import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "@/lib/client/api";
import { readKey } from "@/lib/client/hooks";
import { ConfirmDialog } from "./alert-dialog";
import { Button } from "./button";
import { useFreshSignIn } from "./sign-in-again";

afterEach(() => (cleanup(), vi.unstubAllGlobals()));

const stale = () => new ApiError({ status: 401, code: "sign_in_again", title: "Sign in again first", detail: "Sign in again first.", requestId: "" });
const sent: { url: string; body: Record<string, string> }[] = [];

beforeEach(() => {
  sent.length = 0;
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    if (init?.body) sent.push({ url, body: JSON.parse(String(init.body)) as Record<string, string> });
    const isWrong = init?.body !== undefined && !String(init.body).includes("the right one");
    return isWrong ? Response.json({ status: 401, code: "unauthenticated", title: "", detail: "The password is not right.", requestId: "" }, { status: 401 }) : Response.json({ csrfToken: "c", url: "/" });
  });
});

function Deed({ run }: { run: () => Promise<void> }) {
  const { withFreshSignIn, signInDialog } = useFreshSignIn();
  return (
    <>
      <ConfirmDialog trigger={<Button>Delete</Button>} title="Delete ocr?" goes={["Its pods"]} actionLabel="Delete deployment" onConfirm={() => withFreshSignIn(run)} />
      {signInDialog}
    </>
  );
}

function open(run: () => Promise<void>, method: "password" | "oidc" = "password") {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(readKey("account.get", {}), { kind: "user", userId: "u", name: "Owner", email: "owner@example.test", method, isOwner: true, grants: [], scope: null });
  render(<QueryClientProvider client={client}><Deed run={run} /></QueryClientProvider>);
  fireEvent.click(screen.getByRole("button", { name: "Delete" }));
  fireEvent.click(screen.getByRole("button", { name: "Delete deployment" }));
}

it("asks for the password when the sign-in is too old, and goes on with the deed", async () => {
  const run = vi.fn<() => Promise<void>>().mockRejectedValueOnce(stale()).mockResolvedValueOnce();
  open(run);
  const password = await screen.findByLabelText("Password of owner@example.test");
  fireEvent.change(password, { target: { value: "a wrong one" } });
  fireEvent.click(screen.getByRole("button", { name: "Sign in and go on" }));
  await screen.findByText("The password is not right.");
  expect(run).toHaveBeenCalledOnce();
  fireEvent.change(password, { target: { value: "the right one" } });
  fireEvent.click(screen.getByRole("button", { name: "Sign in and go on" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog", { hidden: true })).toBeNull());
  expect(run).toHaveBeenCalledTimes(2);
  expect(sent.at(-1)).toMatchObject({ url: "/api/auth/callback/credentials", body: { email: "owner@example.test", password: "the right one" } });
});

it("leads to the identity provider, which is to ask anew", async () => {
  vi.stubGlobal("location", { pathname: "/deployments/1", search: "", assign: vi.fn() });
  open(vi.fn<() => Promise<void>>().mockRejectedValue(stale()), "oidc");
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    if (init?.body) sent.push({ url, body: JSON.parse(String(init.body)) as Record<string, string> });
    return Response.json({ csrfToken: "c", url: "/" });
  });
  fireEvent.click(await screen.findByRole("button", { name: "Go to the identity provider" }));
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ url: "/api/auth/signin/oidc?prompt=login&max_age=0", body: { callbackUrl: "/deployments/1" } }));
});

it("gives up with the server's sentence when the dialog is closed, and passes other refusals on", async () => {
  open(vi.fn<() => Promise<void>>().mockRejectedValue(stale()));
  fireEvent.click(await screen.findByRole("button", { name: "Close" }));
  await screen.findByText("Sign in again first.");
  expect(screen.queryByLabelText(/Password/)).toBeNull();
});
