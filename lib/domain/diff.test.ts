import { describe, expect, it } from "vitest";
import { diffObject } from "./diff";
import { forDigest } from "./diff-noise";
import apply from "./fixtures/cluster/apply.json";

type Exchange = { name: string; response: { body: unknown } };
const exchanges: Exchange[] = apply.exchanges;
const bodyOf = (start: string) => exchanges.find((each) => each.name.startsWith(start))?.response.body;

describe("a dry run as a real API server answers it", () => {
  const live = bodyOf("apply creates the deployment");

  it("shows what changes and nothing of defaults, status and bookkeeping", () => {
    const changes = diffObject(live, bodyOf("dry run of a change"));
    expect(changes.length).toBeGreaterThan(0);
    for (const change of changes) expect(change.path).not.toMatch(/managedFields|resourceVersion|generation|^\.status/);
    expect(changes.every((change) => change.owner === "portal")).toBe(true);
  });

  it("shows nothing when the same is applied again", () => {
    expect(diffObject(live, bodyOf("the same apply again"))).toEqual([]);
  });

  it("shows a field that was dropped as removed", () => {
    const changes = diffObject(bodyOf("apply a change bumps"), bodyOf("a field dropped"));
    expect(changes.map((change) => change.op)).toContain("remove");
  });

  it("names the other manager where the cluster would refuse", () => {
    const [change] = diffObject({ kind: "Deployment", spec: { replicas: 1 } }, { kind: "Deployment", spec: { replicas: 3 } }, [{ field: ".spec.replicas", manager: "kubectl" }]);
    expect(change).toEqual({ path: ".spec.replicas", op: "change", before: "1", after: "3", owner: null, conflict: "kubectl", isOverride: false });
  });
});

describe("lists", () => {
  const pod = (container: object) => ({ kind: "Deployment", spec: { template: { spec: { containers: [{ name: "vllm", ...container }] } } } });
  it("are told apart by their keys, as the server writes them", () => {
    const before = pod({ image: "a:1", ports: [{ containerPort: 8000, protocol: "TCP", name: "http" }], env: [{ name: "A", value: "1" }] });
    const after = pod({ image: "a:2", ports: [{ containerPort: 8000, name: "web" }], env: [{ name: "B", value: "1" }] });
    expect(diffObject(before, after).map(({ path, op }) => `${op} ${path}`)).toEqual([
      'change .spec.template.spec.containers[name="vllm"].image',
      'remove .spec.template.spec.containers[name="vllm"].ports[containerPort=8000,protocol="TCP"].protocol',
      'change .spec.template.spec.containers[name="vllm"].ports[containerPort=8000,protocol="TCP"].name',
      'remove .spec.template.spec.containers[name="vllm"].env[name="A"]',
      'add .spec.template.spec.containers[name="vllm"].env[name="B"]',
    ]);
  });

  it("of arguments show the flag that changed, and a mere change of order too", () => {
    const args = (...list: string[]) => pod({ args: list });
    const path = '.spec.template.spec.containers[name="vllm"].args';
    expect(diffObject(args("m", "--max-model-len=1", "--x"), args("m", "--new=1", "--max-model-len=2"))).toMatchObject([
      { path, op: "change", before: "--max-model-len=1", after: "--max-model-len=2" },
      { path, op: "remove", before: "--x", after: null },
      { path, op: "add", before: null, after: "--new=1" },
    ]);
    expect(diffObject(args("a", "b"), args("b", "a"))).toMatchObject([{ op: "change", before: '["a","b"]' }]);
  });
});

describe("owners", () => {
  const live = {
    kind: "ConfigMap",
    metadata: {
      managedFields: [
        { manager: "lectern", operation: "Apply", fieldsV1: { "f:data": { "f:mine": {} } } },
        { manager: "kubectl-edit", operation: "Update", fieldsV1: { "f:data": { "f:theirs": {}, "f:mine": {} } } },
        { manager: "controller", operation: "Update", subresource: "status", fieldsV1: { "f:data": {} } },
      ],
    },
    data: { mine: "1", theirs: "1", nobodys: "1" },
  };
  it("come from managedFields, several where several hold the field, none for a default", () => {
    const owners = Object.fromEntries(diffObject(live, { ...live, data: { mine: "2", theirs: "2", nobodys: "2" } }).map((change) => [change.path, change.owner]));
    expect(owners).toEqual({ ".data.mine": "lectern, kubectl-edit", ".data.theirs": "kubectl-edit", ".data.nobodys": null });
  });
});

describe("secrets", () => {
  const secret = (token: string) => ({ kind: "Secret", data: { token, other: "c2FtZQ==" }, metadata: { annotations: { "kubectl.kubernetes.io/last-applied-configuration": token } } });
  it("show that a key changed and never what it holds", () => {
    const changes = diffObject(secret("b25l"), secret("dHdv"));
    expect(changes).toMatchObject([{ path: ".data.token", before: "••••••", after: "••••••" }]);
    expect(JSON.stringify(changes)).not.toMatch(/b25l|dHdv/);
    expect(diffObject(secret("b25l"), { kind: "Secret", stringData: { token: "two" } }).every((change) => !JSON.stringify(change).includes("two"))).toBe(true);
  });
});

describe("what a preview is bound to", () => {
  const base = { metadata: { name: "a", resourceVersion: "1", generation: 1, annotations: { "deployment.kubernetes.io/revision": "1" } }, spec: { replicas: 1 }, status: { replicas: 1 } };
  it("stays the same over heartbeats and changes with every edit", () => {
    const heartbeat = { ...base, metadata: { ...base.metadata, resourceVersion: "2", annotations: { "deployment.kubernetes.io/revision": "2" } }, status: { replicas: 0 } };
    expect(forDigest(heartbeat)).toEqual(forDigest(base));
    expect(forDigest({ ...base, metadata: { ...base.metadata, annotations: { edited: "yes" } } })).not.toEqual(forDigest(base));
    expect(forDigest({ ...base, spec: { replicas: 2 } })).not.toEqual(forDigest(base));
  });
});
