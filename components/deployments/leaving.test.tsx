import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, renderHook, waitFor } from "@testing-library/react";
import { createElement, type ReactNode } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { useRead } from "@/lib/client/hooks";
import { whileLeaving } from "@/lib/client/leaving";

afterEach(() => (cleanup(), vi.unstubAllGlobals()));

const ID = "01985a3e-0000-7000-8000-00000000000";

it("reads nothing again about what is being deleted, and gives up what was under way; a refusal undoes it", async () => {
  const asked: { url: string; signal: AbortSignal | undefined }[] = [];
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    asked.push({ url, signal: init?.signal ?? undefined });
    if (url.includes("drift.get")) await new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(new DOMException("gone", "AbortError"))));
    return Response.json({});
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => createElement(QueryClientProvider, { client }, children);
  renderHook(() => (useRead("deployments.get", { id: `${ID}1` }), useRead("drift.get", { id: `${ID}1` }), useRead("deployments.get", { id: `${ID}2` })), { wrapper });
  await waitFor(() => expect(asked).toHaveLength(3));
  const again = () => client.invalidateQueries({ queryKey: ["deployments"] });
  await whileLeaving(client, `${ID}1`, again);
  expect(asked.filter(({ url }) => url.includes(`${ID}1`))).toHaveLength(2);
  expect(asked.filter(({ url }) => url.includes(`${ID}2`))).toHaveLength(2);
  expect(asked.find(({ url }) => url.includes("drift.get"))?.signal?.aborted).toBe(true);
  await expect(whileLeaving(client, `${ID}1`, () => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
  await again();
  expect(asked.filter(({ url }) => url.includes(`deployments.get`) && url.includes(`${ID}1`))).toHaveLength(2);
});

it("begins no read of what is being deleted at the next tick of an interval", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => (asked.push(url), Response.json({})));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => createElement(QueryClientProvider, { client }, children);
  renderHook(() => (useRead("wakes.get", { id: `${ID}3` }, { refetchInterval: 10 }), useRead("wakes.get", { id: `${ID}4` }, { refetchInterval: 10 })), { wrapper });
  await waitFor(() => expect(asked.length).toBeGreaterThan(2));
  await whileLeaving(client, `${ID}3`, async () => undefined);
  const of = (id: string) => asked.filter((url) => url.includes(id)).length;
  const [before, other] = [of(`${ID}3`), of(`${ID}4`)];
  await waitFor(() => expect(of(`${ID}4`)).toBeGreaterThan(other + 3));
  expect(of(`${ID}3`)).toBe(before);
});
