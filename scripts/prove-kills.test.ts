import { expect, it } from "vitest";
import { useDatabase } from "./test/database";
import { ownFolder } from "./test/gateway-place";
import { proveKills } from "./prove-kills";

ownFolder();
const at = useDatabase();

// The whole, with 100 kills: npx tsx --conditions=react-server scripts/prove-kills.ts
it("loses no page and counts none twice when the process is killed at random moments", async () => {
  const { batch, gateway } = await proveKills({ databaseUrl: at.url, kills: 3, pages: 60 });
  expect(batch).toMatchObject({ pages: 60, done: 60, counted: 60, inHours: 60, inResult: 60, inManifest: 60 });
  expect(gateway.inHours).toBe(gateway.counted);
  expect(gateway.answered).toBeGreaterThan(0);
  expect(gateway.counted).toBeGreaterThanOrEqual(gateway.answered);
  expect(gateway.counted).toBeLessThanOrEqual(gateway.answered + gateway.broken);
}, 120_000);
