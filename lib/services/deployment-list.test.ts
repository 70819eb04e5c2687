import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/lib/domain/caller";
import { createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { deploymentsList } from "./deployments";
import { execute } from "./pipeline";

const database = useDatabase();
const own = randomUUID();
const other = randomUUID();
let viewer: Caller;

beforeAll(async () => {
  const { db } = database;
  await db.environment.createMany({ data: [{ id: own, slug: "list-own", name: "Reading room", kind: "staging", namespace: "list-own" }, { id: other, slug: "list-other", name: "Other", kind: "staging", namespace: "list-other" }] });
  const specOf = (name: string, skuId: string) => ({ name, modelId: "lightonocr-3-1b", skuId });
  const row = (environmentId: string, name: string, more: { state?: string; skuId?: string; at: number }) => ({ id: randomUUID(), environmentId, name, spec: specOf(name, more.skuId ?? "aws-g6-xlarge"), state: more.state ?? "ready", createdAt: new Date(more.at) });
  await db.deployment.createMany({
    data: [
      ...Array.from({ length: 5 }, (_, index) => row(own, `contracts-${index}`, { at: 1000 })),
      row(own, "letters", { at: 2000, state: "failed", skuId: "gcp-g2-standard-8" }),
      row(other, "contracts-of-others", { at: 3000 }),
    ],
  });
  ({ caller: viewer } = await createPerson(db, "Viewer of one", { roles: { [own]: "viewer" } }));
});

const list = (input: object) => execute(deploymentsList, { db: database.db, caller: viewer, input });
const namesOf = async (input: object) => (await list(input)).deployments.map((each) => each.name);

describe("the list of deployments", () => {
  it("holds all that I may see, newest first, and counts them by state", async () => {
    const { deployments, total, next, counts } = await list({});
    expect(deployments[0]?.name).toBe("letters");
    expect(total).toBe(6);
    expect(next).toBeNull();
    expect(counts).toEqual([{ environmentId: own, state: "failed", count: 1 }, { environmentId: own, state: "ready", count: 5 }]);
  });

  it("is the same page by page, also where several were made at the same moment", async () => {
    const whole = await namesOf({});
    const first = await list({ limit: 4 });
    const second = await list({ limit: 4, after: first.next });
    expect([...first.deployments, ...second.deployments].map((each) => each.name)).toEqual(whole);
    expect([first.total, second.total, second.next]).toEqual([6, 6, null]);
  });

  it("finds by every word: names, environments, and what the catalogue calls the model and the size", async () => {
    expect(await namesOf({ search: "LETT" })).toEqual(["letters"]);
    expect(await namesOf({ search: "reading letters" })).toEqual(["letters"]);
    expect(await namesOf({ search: "g2-standard" })).toEqual(["letters"]);
    expect(await namesOf({ search: "contracts%" })).toEqual([]);
    expect(await namesOf({ states: ["failed"] })).toEqual(["letters"]);
  });

  it("neither shows nor counts what stands in an environment that I may not see", async () => {
    expect(await list({ search: "others" })).toMatchObject({ deployments: [], total: 0 });
    expect(await list({ environmentId: other })).toMatchObject({ deployments: [], total: 0, counts: [] });
  });
});
