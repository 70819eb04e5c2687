import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/lib/domain/caller";
import { createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { useSandbox, type Place } from "@/scripts/test/sandbox-place";
import { deploymentsPreview } from "./deployment-preview";
import { deploymentsApply } from "./deployment-writes";
import { execute } from "./pipeline";
import { upgradeAdvice, upgradePreview } from "./upgrade";

const database = useDatabase();
const sandbox = useSandbox(database);
let place: Place, firstDeployer: Caller, viewer: Caller;
beforeAll(async () => {
  place = await sandbox.place("upgrades");
  firstDeployer = await sandbox.deployer(place, "First deployer");
  viewer = (await createPerson(database.db, "Viewer", { roles: { [place.environmentId]: "viewer" } })).caller;
});

describe("an upgrade", () => {
  it("away from a release that must not be used is a preview like any other, with the revision before it as the way back", async () => {
    const id = randomUUID();
    const preview = (input: object) => execute(deploymentsPreview, { db: database.db, caller: firstDeployer, input: { environmentId: place.environmentId, deploymentId: id, ...input } });
    const apply = (digest: string | null) => execute(deploymentsApply, { db: database.db, caller: firstDeployer, input: { digest } });
    await apply((await preview({ spec: { name: "old", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge", imageTag: "v0.27.1" } })).digest);
    const { advice } = await execute(upgradeAdvice, { db: database.db, caller: viewer, input: { id } });
    expect(advice).toMatchObject([{ id: "engine-v0.30.0", weight: "urgent", changes: expect.arrayContaining([expect.stringContaining("v0.27.1 → v0.30.0")]) }]);
    await expect(execute(upgradePreview, { db: database.db, caller: viewer, input: { id, adviceId: "engine-v0.30.0" } })).rejects.toMatchObject({ code: "forbidden" });
    await expect(execute(upgradePreview, { db: database.db, caller: firstDeployer, input: { id, adviceId: "engine-v9" } })).rejects.toMatchObject({ code: "not_found" });
    const prepared = await execute(upgradePreview, { db: database.db, caller: firstDeployer, input: { id, adviceId: "engine-v0.30.0" } });
    expect(prepared).toMatchObject({ blockers: [], backTo: 1 });
    await apply(prepared.digest);
    const revisions = await database.db.revision.findMany({ where: { deploymentId: id }, orderBy: { number: "asc" } });
    expect(revisions.map((revision) => [revision.number, revision.note])).toEqual([[1, ""], [2, "Upgrade: vLLM v0.27.1 must not be used"]]);
    expect((await execute(upgradeAdvice, { db: database.db, caller: viewer, input: { id } })).advice).toMatchObject([{ weight: "possible" }]);
    await apply((await preview({ rollbackTo: revisions[0]?.id, note: "The new one is slower" })).digest);
    expect((await execute(upgradeAdvice, { db: database.db, caller: viewer, input: { id } })).advice).toMatchObject([{ weight: "urgent" }]);
  });
});
