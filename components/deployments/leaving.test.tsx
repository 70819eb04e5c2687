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
