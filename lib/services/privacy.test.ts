import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/lib/domain/caller";
import { createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { eventually } from "@/scripts/test/eventually";
import { useSandbox, type Place } from "@/scripts/test/sandbox-place";
import { deploymentsPreview } from "./deployment-preview";
import { deploymentsApply } from "./deployment-writes";
import { execute } from "./pipeline";
import { privacyGet, privacyReport } from "./privacy";
import { checkPrivacy } from "./privacy-look";
import { privacyProbe } from "./privacy-probe";

const database = useDatabase();
const sandbox = useSandbox(database);
let place: Place, firstDeployer: Caller, viewer: Caller, id: string;
beforeAll(async () => {
  place = await sandbox.place("private");
  firstDeployer = await sandbox.deployer(place, "First deployer");
  viewer = (await createPerson(database.db, "Viewer", { roles: { [place.environmentId]: "viewer" } })).caller;
  id = randomUUID();
  const { digest } = await execute(deploymentsPreview, { db: database.db, caller: firstDeployer, input: { environmentId: place.environmentId, deploymentId: id, spec: { name: "secretive", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge", offline: true } } });
  await execute(deploymentsApply, { db: database.db, caller: firstDeployer, input: { digest } });
});
const check = () => checkPrivacy(database.db, id, new Date());
const broken = async () => (await check()).facts.filter((fact) => fact.verdict === "broken").map((fact) => fact.id);

describe("privacy facts of a live cluster", () => {
  it("hold for what was applied, are kept with their times, and are one row while they stay", async () => {
    expect(await broken()).toEqual([]);
    await check();
    const shown = await execute(privacyGet, { db: database.db, caller: viewer, input: { id } });
    expect(shown.facts.find((fact) => fact.id === "public_address")).toMatchObject({ verdict: "proved" });
    expect(shown.facts.find((fact) => fact.id === "enforced")).toMatchObject({ verdict: "not_proved" });
    expect(shown.checkedAt).not.toBeNull();
    expect((await database.db.privacyCheck.findMany({ where: { deploymentId: id } })).length).toBeLessThanOrEqual(3); // placing the pod changes the region
  });

  it("tell what got worse when somebody opens it by hand", async () => {
    await check();
    const answer = await sandbox.kube.send({ method: "PATCH", path: `/apis/apps/v1/namespaces/${place.namespace}/deployments/secretive`, headers: { "content-type": "application/strategic-merge-patch+json" }, body: JSON.stringify({ spec: { template: { spec: { containers: [{ name: await containerName(), env: [{ name: "VLLM_LOGGING_LEVEL", value: "DEBUG" }] }] } } } }) });
    answer.cancel();
    expect((await check()).worse.map((fact) => fact.id)).toEqual(["logging"]);
    expect((await execute(privacyGet, { db: database.db, caller: viewer, input: { id } })).history[0]?.broken).toEqual(["No document text in logs"]);
    await check();
    expect(await database.db.alert.findMany({ where: { deploymentId: id, kind: { startsWith: "privacy:" } } })).toMatchObject([{ kind: "privacy:logging", endedAt: null, sentence: expect.stringContaining("“No document text in logs” does not hold any more") }]);
    expect(await database.db.notification.count({ where: { environmentId: place.environmentId, kind: "alert" } })).toBe(1);
  });
  const containerName = async () => (await sandbox.kube.get<{ spec: { template: { spec: { containers: { name: string }[] } } } }>({ apiVersion: "apps/v1", resource: "deployments", namespace: place.namespace, name: "secretive" })).spec.template.spec.containers[0]?.name;

  /** Stands in for the node that runs the probe's pod: the sandbox's own has no network to try, and ends it without a word. */
  async function endProbe(terminated: { exitCode: number; message: string }): Promise<void> {
    const at = { apiVersion: "v1", resource: "pods", namespace: "default" };
    const probes = async () => (await sandbox.kube.list<{ metadata: { name: string } }>(at, { labelSelector: "app.kubernetes.io/component=probe" })).items;
    const status = { containerStatuses: [{ name: "probe", image: "agnhost", imageID: "", ready: false, restartCount: 0, state: { terminated: { reason: "Error", ...terminated } } }] };
    await eventually(async () => (await probes()).length).toBe(1);
    // The sandbox's own node writes the pod's state too: said again until the probe has heard it.
    await eventually(async () => {
      const [pod] = await probes();
      if (pod) (await sandbox.kube.send({ method: "PATCH", path: `/api/v1/namespaces/default/pods/${pod.metadata.name}/status`, headers: { "content-type": "application/merge-patch+json" }, body: JSON.stringify({ status }) })).cancel();
      return pod === undefined;
    }, 20_000).toBe(true);
  }
  const pods = async () => (await sandbox.kube.list<{ metadata: { name: string } }>({ apiVersion: "v1", resource: "pods", namespace: "default" })).items.length;

  it("include whether the policy is enforced, by a pod that tries and is taken away again", async () => {
    const probe = (caller = firstDeployer) => execute(privacyProbe, { db: database.db, caller, input: { id } });
    await expect(probe(viewer)).rejects.toMatchObject({ code: "forbidden" });
    expect(await probe()).toMatchObject({ verdict: "not_proved", sentence: expect.stringContaining("does not answer now") });
    await database.db.deployment.update({ where: { id }, data: { state: "ready" } });
    expect(await probe()).toMatchObject({ verdict: "not_proved", sentence: expect.stringContaining("nothing is known") });
    sandbox.cluster.faults.set("no-matching-node", "default"); // from here on the test is the node
    expect((await Promise.all([probe(), endProbe({ exitCode: 1, message: "TIMEOUT" })]))[0]).toMatchObject({ verdict: "proved" });
    expect((await check()).facts.find((fact) => fact.id === "enforced")).toMatchObject({ verdict: "proved", sentence: expect.stringContaining("timed out") });
    expect((await Promise.all([probe(), endProbe({ exitCode: 0, message: "REACHED" })]))[0]).toMatchObject({ verdict: "broken" });
    expect((await check()).worse.map((fact) => fact.id)).toContain("enforced");
    await eventually(pods).toBe(0);
  });

  it("go on paper and into JSON, checked at that moment, audited", async () => {
    const html = Buffer.from((await execute(privacyReport, { db: database.db, caller: viewer, input: { id, format: "html" } })).body as Uint8Array).toString();
    expect(html).toContain("Privacy of secretive");
    const json = JSON.parse(Buffer.from((await execute(privacyReport, { db: database.db, caller: viewer, input: { id, format: "json" } })).body as Uint8Array).toString()) as { facts: object[]; checkedAt: string };
    expect(json.facts).toHaveLength(10);
    expect(await database.db.auditEvent.count({ where: { action: "privacy.report", outcome: "success" } })).toBe(2);
  });
});
