import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { useDatabase } from "@/scripts/test/database";
import { eventually } from "@/scripts/test/eventually";
import { recordWaiting } from "./deployment-prefetch";
import { recordEnd, takeTurn } from "./rollout-progress";

const database = useDatabase();

async function rolloutOf(slug: string): Promise<{ deploymentId: string; rolloutId: string }> {
  const environment = await database.db.environment.create({ data: { slug, name: slug, kind: "staging", namespace: slug } });
  const deployment = await database.db.deployment.create({ data: { environmentId: environment.id, name: slug, spec: {} } });
  const revision = await database.db.revision.create({ data: { deploymentId: deployment.id, number: 1, spec: {}, manifests: [], digest: randomUUID() } });
  const rollout = await database.db.rollout.create({ data: { revisionId: revision.id, state: "applying" } });
  return { deploymentId: deployment.id, rolloutId: rollout.id };
}

const waitingForALock = async () => {
  const [row] = await database.db.$queryRaw<{ count: bigint }[]>`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return Number(row?.count);
};

const results = [{ kind: "Deployment", name: "ocr", outcome: "created" as const, message: "" }];

// The watch writes a deployment and then its rollout: a writer that locked the rollout first would wait for the watch, and the watch for it.
it.each([
  ["the end of applying", (rolloutId: string) => recordEnd(database.db, { rolloutId, results, generation: 1, failure: null }), "watching"],
  ["a wait for a Job", (rolloutId: string) => recordWaiting(database.db, { rolloutId, results, message: "Downloading" }), "waiting"],
])("%s waits for its turn without holding what the watch needs", async (name, write, state) => {
  const { deploymentId, rolloutId } = await rolloutOf(name.replaceAll(" ", "-"));
  let writing: Promise<void> | undefined;
  await database.db.$transaction(async (tx) => {
    await takeTurn(tx, deploymentId);
    writing = write(rolloutId);
    await eventually(waitingForALock).toBe(1);
    await tx.rollout.update({ where: { id: rolloutId }, data: { steps: [] } });
  });
  await writing;
  expect((await database.db.rollout.findUniqueOrThrow({ where: { id: rolloutId } })).state).toBe(state);
});
