import { afterEach, expect, it, vi } from "vitest";
import { allowsLoopback } from "./env";

afterEach(() => vi.unstubAllEnvs());

it("lets entered addresses be on this machine only outside production builds (E2)", () => {
  process.env.DATABASE_URL ??= "postgresql://unused";
  vi.stubEnv("LECTERN_ALLOW_LOOPBACK", "1");
  expect(allowsLoopback()).toBe(true);
  vi.stubEnv("NODE_ENV", "production");
  expect(allowsLoopback()).toBe(false);
});
