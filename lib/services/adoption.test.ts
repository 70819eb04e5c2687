import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/lib/domain/caller";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { manifests } from "@/lib/domain/manifest";
import { createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { eventually } from "@/scripts/test/eventually";
import { useSandbox, type Place } from "@/scripts/test/sandbox-place";
import { adoptionList, adoptionPreview } from "./adoption";
import { deploymentsApply } from "./deployment-writes";
import { driftGet } from "./drift";
import { lookForDrift } from "./drift-look";
import { execute } from "./pipeline";

const database = useDatabase();
const sandbox = useSandbox(database);
let place: Place, firstDeployer: Caller;
beforeAll(async () => {
  place = await sandbox.place("adopts");
  firstDeployer = await sandbox.deployer(place, "First deployer");
  await create("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: place.namespace } });
});

const deployments = () => `/apis/apps/v1/namespaces/${place.namespace}/deployments`;
async function create(path: string, object: object, manager = "kubectl-create"): Promise<void> {
  const answer = await sandbox.kube.send({ method: "POST", path: `${path}?fieldManager=${manager}`, headers: { "content-type": "application/json" }, body: JSON.stringify(object) });
  answer.cancel();
  expect(answer.status).toBe(201);
}
type Live = { metadata: { uid: string; generation: number; managedFields: { manager: string; operation: string; subresource?: string }[] }; spec: { selector: unknown; strategy: object; template: { metadata: { labels: object }; spec: { containers: { name: string; args?: string[] }[] } } } };
const live = (name: string) => sandbox.kube.get<Live>({ apiVersion: "apps/v1", resource: "deployments", namespace: place.namespace, name });
const owners = async (name: string) => [...new Set((await live(name)).metadata.managedFields.filter((entry) => !entry.subresource).map((entry) => entry.manager))];
const podsOf = async (labelSelector: string) => (await sandbox.kube.list<{ metadata: { name: string; uid: string } }>({ apiVersion: "v1", resource: "pods", namespace: place.namespace }, { labelSelector })).items.map((pod) => pod.metadata.uid);
const candidate = async (name: string) => (await execute(adoptionList, { db: database.db, caller: firstDeployer, input: { environmentId: place.environmentId } })).candidates.find((each) => each.name === name);
const preview = (name: string, managers: string[] = [], rest: object = {}) => execute(adoptionPreview, { db: database.db, caller: firstDeployer, input: { environmentId: place.environmentId, name, takeOver: managers.map((manager) => ({ key: `Deployment/${name}`, manager })), ...rest } });
const apply = (digest: string | null) => execute(deploymentsApply, { db: database.db, caller: firstDeployer, input: { digest } });

function byHand(name: string, rest: object = {}) {
  const container = { name: "server", image: "vllm/vllm-openai:v0.30.0", command: ["sh", "-c", "vllm serve lightonai/LightOnOCR-3-1B --max-model-len 16000"], resources: { limits: { "nvidia.com/gpu": "1", memory: "12Gi" } } };
  const template = { metadata: { labels: { app: name } }, spec: { nodeSelector: { "node.kubernetes.io/instance-type": "g6.xlarge" }, tolerations: [{ key: "nvidia.com/gpu", operator: "Exists" }], containers: [container], ...rest } };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { name, namespace: place.namespace }, spec: { replicas: 1, selector: { matchLabels: { app: name } }, template } };
}

describe("a deployment that somebody applied by hand", () => {
  it("is found with its engine, model, size and owners; what serves no LightOnOCR is not", async () => {
    await create(deployments(), byHand("seen"));
    await create(deployments(), { ...byHand("other"), spec: { ...byHand("other").spec, template: { metadata: { labels: { app: "other" } }, spec: { containers: [{ name: "web", image: "nginx:1.29" }] } } } });
    expect(await candidate("seen")).toMatchObject({ engineName: "vLLM", modelName: expect.stringContaining("1B"), skuId: "aws-g6-xlarge", replicas: 1, managers: ["kubectl-create"], problem: null });
    expect(await candidate("other")).toBeUndefined();
  });

  it("is previewed field by field, and taken over whole as revision 1: no field of before stays, and it is Lectern's", async () => {
    await create(deployments(), byHand("taken"));
    const left = await preview("taken");
    expect(left.digest).toBeNull();
    expect(left.blockers.join()).toContain("kubectl-create wrote the Deployment taken");
    const shown = await preview("taken", ["kubectl-create"]);
    const changes = shown.objects.find((each) => each.kind === "Deployment")?.changes ?? [];
    expect(changes).toContainEqual(expect.objectContaining({ path: ".spec.strategy.type", before: "RollingUpdate", after: "Recreate", owner: "kubectl-create" }));
    expect(changes.some((change) => change.path.includes('name="server"') && change.op === "remove")).toBe(true);
    const { uid } = (await live("taken")).metadata;
    const { deploymentId } = await apply(shown.digest);
    const after = await live("taken");
    expect(after.metadata.uid).toBe(uid);
    expect(after.spec.template.spec.containers.map((container) => container.name)).toEqual(["vllm"]);
    expect(after.spec.template.spec.containers[0]?.args).toContain("--max-model-len=16000");
    expect(after.spec.strategy).toEqual({ type: "Recreate" });
    expect(after.spec.selector).toEqual({ matchLabels: { app: "taken" } });
    expect(await owners("taken")).not.toContain("kubectl-create");
    expect(await database.db.revision.findFirst({ where: { deploymentId } })).toMatchObject({ number: 1, note: "Takes over what was applied by hand" });
    expect(await lookForDrift(database.db, deploymentId, new Date())).toEqual([]);
    expect((await execute(driftGet, { db: database.db, caller: firstDeployer, input: { id: deploymentId } })).objects).toEqual([]);
    expect(await candidate("taken")).toBeUndefined();
  });

  it("restarts no pod when it is what Lectern would apply", async () => {
    const deploymentId = crypto.randomUUID();
    const spec = DeploymentSpec.parse({ name: "equal", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge" });
    const objects = manifests(spec, { namespace: place.namespace, environmentId: place.environmentId, deploymentId, revision: 1, portalNamespace: null });
    for (const object of objects) await sandbox.kube.apply(object, { fieldManager: "kubectl" });
    const own = `lectern/deployment=${deploymentId}`;
    await eventually(async () => expect(await podsOf(own)).toHaveLength(1));
    const before = { pods: await podsOf(own), generation: (await live("equal")).metadata.generation };
    const shown = await preview("equal", ["kubectl"], { takeOver: ["Deployment", "Service"].map((kind) => ({ key: `${kind}/equal`, manager: "kubectl" })) });
    expect(shown.objects.flatMap((each) => each.changes)).toEqual([]);
    expect(shown.deploymentId).toBe(deploymentId);
    await apply(shown.digest);
    expect(await owners("equal")).not.toContain("kubectl");
    expect({ pods: await podsOf(own), generation: (await live("equal")).metadata.generation }).toEqual(before);
  });

  it("is not taken over when it was changed after the preview, by whom may not deploy, or when a GitOps tool keeps it", async () => {
    await create(deployments(), byHand("moving"));
    const shown = await preview("moving", ["kubectl-create"]);
    const answer = await sandbox.kube.send({ method: "PATCH", path: `${deployments()}/moving?fieldManager=kubectl-edit`, headers: { "content-type": "application/merge-patch+json" }, body: JSON.stringify({ spec: { minReadySeconds: 3 } }) });
    answer.cancel();
    await expect(apply(shown.digest)).rejects.toMatchObject({ code: "conflict" });
    expect(await owners("moving")).toContain("kubectl-create");
    const viewer = (await createPerson(database.db, "Viewer", { roles: { [place.environmentId]: "viewer" } })).caller;
    await expect(execute(adoptionPreview, { db: database.db, caller: viewer, input: { environmentId: place.environmentId, name: "moving" } })).rejects.toMatchObject({ code: "forbidden" });
    await create(deployments(), { ...byHand("kept"), metadata: { name: "kept", namespace: place.namespace, annotations: { "argocd.argoproj.io/tracking-id": "x" } } });
    expect((await candidate("kept"))?.problem).toContain("GitOps");
    await expect(preview("kept", ["kubectl-create"])).rejects.toMatchObject({ code: "unprocessable" });
  });
});
