import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { DeploymentSpec, type DeploymentSpecInput } from "../deployment";
import { diffObject } from "../diff";
import { DomainError } from "../errors";
import { manifests, toYaml } from "../manifest";
import { assertAllowed } from "./allowed";
import type { Json } from "./kube-object";
import { Override, type PatchOperation } from "./overlay-schema";

const context = { namespace: "ocr", environmentId: "env", deploymentId: "dep", revision: 1, portalNamespace: null };
const base = { name: "contracts", modelId: "lightonocr-3-4b", skuId: "own-l4" };
type OverrideInput = NonNullable<DeploymentSpecInput["overlay"]>[number];
const render = (overlay: OverrideInput[], more: Partial<DeploymentSpecInput> = {}) => {
  const objects = manifests(DeploymentSpec.parse({ ...base, ...more, overlay }), context);
  assertAllowed(objects, { namespace: "ocr", repositories: ["vllm/vllm-openai"] });
  return objects;
};
const engine = (objects: ReturnType<typeof render>) => objects.find((object) => object.kind === "Deployment");
const patch = (kind: OverrideInput["kind"], ...operations: PatchOperation[]): OverrideInput => ({ kind, patch: operations });
const pod = "/spec/template/spec";

describe("an override", () => {
  it("changes one field by JSON patch and leaves the rest", () => {
    const plain = engine(render([]));
    const after = engine(render([patch("Deployment", { op: "replace", path: "/spec/revisionHistoryLimit", value: 2 }, { op: "add", path: `${pod}/containers/0/args/-`, value: "--max-num-seqs=16" })]));
    expect(after?.spec?.revisionHistoryLimit).toBe(2);
    expect(diffObject(plain, after).map((change) => [change.path, change.after, change.isOverride])).toEqual([
      [".spec.revisionHistoryLimit", "2", true],
      [".spec.template.spec.containers[name=\"vllm\"].args", "--max-num-seqs=16", true],
    ]);
  });

  it("merges lists with keys item by item, and removes by null or by directive", () => {
    const merge: Record<string, Json> = { spec: { progressDeadlineSeconds: null, template: { spec: { containers: [{ name: "vllm", env: [{ name: "USER", $patch: "delete" }, { name: "HF_ENDPOINT", value: "https://mirror.internal" }] }] } } } };
    const text = JSON.stringify(engine(render([{ kind: "Deployment", merge }])));
    expect(text).toContain('{"name":"HF_ENDPOINT","value":"https://mirror.internal"}');
    expect(text).not.toContain('"name":"USER"');
    expect(text).not.toContain('"progressDeadlineSeconds":');
    expect(text).toContain("--max-model-len=18000");
  });

  it("is named on the object, and no object else", () => {
    const objects = render([patch("Service", { op: "add", path: "/spec/sessionAffinity", value: "ClientIP" })]);
    expect(objects.flatMap((object) => object.metadata.annotations?.["lectern/overrides"] ?? [])).toEqual(['[".spec.sessionAffinity"]']);
  });

  it.each<[string, OverrideInput, string]>([
    ["names a path that is not there", patch("Deployment", { op: "replace", path: "/spec/nothing/here", value: 1 }), "there is nothing"],
    ["names an item that is not there", patch("Deployment", { op: "remove", path: `${pod}/containers/7` }), "there is nothing"],
    ["tests for another value", patch("Deployment", { op: "test", path: "/spec/revisionHistoryLimit", value: 9 }), "another"],
    ["is for an object that the deployment does not have", patch("Job", { op: "remove", path: "/spec" }), "has none"],
    ["adds a variable a second time", patch("Deployment", { op: "add", path: `${pod}/containers/0/env/-`, value: { name: "HOME", value: "/root" } }), "twice"],
  ])("is refused when it %s", (_, override, words) => {
    expect(() => render([override])).toThrow(words);
  });
});

/** Each of these would leave what Lectern may apply. */
const hostile: [string, OverrideInput][] = [
  ["another kind", patch("Deployment", { op: "replace", path: "/kind", value: "DaemonSet" })],
  ["another API", patch("Deployment", { op: "replace", path: "/apiVersion", value: "rbac.authorization.k8s.io/v1" })],
  ["another namespace", patch("Deployment", { op: "replace", path: "/metadata/namespace", value: "kube-system" })],
  ["another name", { kind: "ServiceAccount", merge: { metadata: { name: "default" } } }],
  ["another deployment's label", patch("Service", { op: "replace", path: "/metadata/labels/lectern~1deployment", value: "other" })],
  ["another selector", { kind: "Service", merge: { spec: { selector: { app: "bank" } } } }],
  ["other pods of a policy", patch("NetworkPolicy", { op: "replace", path: "/spec/podSelector", value: {} })],
  ["a policy that lets everybody in", patch("NetworkPolicy", { op: "replace", path: "/spec/ingress", value: [{}] })],
  ["an owner", { kind: "Deployment", merge: { metadata: { ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "n", uid: "u" }] } } }],
  ["a finalizer", { kind: "PersistentVolumeClaim", merge: { metadata: { finalizers: ["x/y"] } } }],
  ["another identity", { kind: "Deployment", merge: { spec: { template: { spec: { serviceAccountName: "admin" } } } } }],
  ["a mounted token", { kind: "Deployment", merge: { spec: { template: { spec: { automountServiceAccountToken: true } } } } }],
  ["a projected token", patch("Deployment", { op: "add", path: `${pod}/volumes/-`, value: { name: "t", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } } })],
  ["a token by account", { kind: "ServiceAccount", merge: { automountServiceAccountToken: true } }],
  ["a folder of the node", patch("Deployment", { op: "add", path: `${pod}/volumes/-`, value: { name: "h", hostPath: { path: "/" } } })],
  ["the network of the node", { kind: "Deployment", merge: { spec: { template: { spec: { hostNetwork: true } } } } }],
  ["a node by name", { kind: "Deployment", merge: { spec: { template: { spec: { nodeName: "control-plane" } } } } }],
  ["root", { kind: "Deployment", merge: { spec: { template: { spec: { securityContext: { runAsUser: 0 } } } } } }],
  ["privileges", { kind: "Deployment", merge: { spec: { template: { spec: { containers: [{ name: "vllm", securityContext: { privileged: true } }] } } } } }],
  ["a second container with another image", patch("Deployment", { op: "add", path: `${pod}/containers/-`, value: { name: "x", image: "evil.example/x:1" } })],
  ["another image", { kind: "Deployment", merge: { spec: { template: { spec: { containers: [{ name: "vllm", image: "evil.example/vllm/vllm-openai:v1" }] } } } } }],
  ["no memory limit", patch("Deployment", { op: "remove", path: `${pod}/containers/0/resources` })],
  ["an unconfined profile", { kind: "Deployment", merge: { spec: { template: { spec: { containers: [{ name: "vllm", securityContext: { seccompProfile: { type: "Unconfined" } } }] } } } } }],
  ["a kernel setting", { kind: "Deployment", merge: { spec: { template: { spec: { securityContext: { sysctls: [{ name: "kernel.msgmax", value: "1" }] } } } } } }],
  ["a probe of another host", { kind: "Deployment", merge: { spec: { template: { spec: { containers: [{ name: "vllm", livenessProbe: { httpGet: { host: "169.254.169.254" } } }] } } } } }],
  ["a public balancer", { kind: "Service", merge: { spec: { type: "LoadBalancer" } } }],
  ["a balancer for everybody", { kind: "Service", merge: { spec: { type: "LoadBalancer", loadBalancerSourceRanges: ["0.0.0.0/0"] } } }],
  ["a balancer for half the internet", { kind: "Service", merge: { spec: { type: "LoadBalancer", loadBalancerSourceRanges: ["10.0.0.0/1"] } } }],
  ["a port of every node", { kind: "Service", merge: { spec: { type: "NodePort" } } }],
  ["an external name", { kind: "Service", merge: { spec: { externalName: "evil.example" } } }],
  ["a Secret of the namespace as a volume", patch("Deployment", { op: "add", path: `${pod}/volumes/-`, value: { name: "s", secret: { secretName: "payroll" } } })],
  ["a Secret of the namespace by projection", patch("Deployment", { op: "add", path: `${pod}/volumes/-`, value: { name: "s", projected: { sources: [{ secret: { name: "payroll" } }] } } })],
  ["a Secret of the namespace as a variable", patch("Deployment", { op: "add", path: `${pod}/containers/0/env/-`, value: { name: "S", valueFrom: { secretKeyRef: { name: "payroll", key: "k" } } } })],
  ["a whole Secret as variables", patch("Deployment", { op: "add", path: `${pod}/containers/0/envFrom`, value: [{ secretRef: { name: "payroll" } }] })],
  ["a Secret of the namespace to pull images", patch("Deployment", { op: "add", path: `${pod}/imagePullSecrets`, value: [{ name: "payroll" }] })],
  ["the volume of another deployment", patch("Deployment", { op: "add", path: `${pod}/volumes/-`, value: { name: "v", persistentVolumeClaim: { claimName: "letters-weights" } } })],
  ["a way out to everywhere", patch("NetworkPolicy", { op: "add", path: "/spec/egress/-", value: {} })],
  ["a way out to the internet", patch("NetworkPolicy", { op: "add", path: "/spec/egress/-", value: { to: [{ ipBlock: { cidr: "0.0.0.0/0" } }] } })],
  ["a way out to the cloud's metadata", patch("NetworkPolicy", { op: "add", path: "/spec/egress/-", value: { to: [{ ipBlock: { cidr: "169.254.169.254/32" } }] } })],
  ["a way out to every namespace", patch("NetworkPolicy", { op: "add", path: "/spec/egress/-", value: { to: [{ namespaceSelector: {} }] } })],
  ["a way in for every namespace", patch("NetworkPolicy", { op: "add", path: "/spec/ingress/0/from/-", value: { namespaceSelector: {} } })],
  ["a policy that holds one direction only", patch("NetworkPolicy", { op: "replace", path: "/spec/policyTypes", value: ["Ingress"] })],
  ["a volume of somebody else", { kind: "PersistentVolumeClaim", merge: { spec: { volumeName: "pv-of-payroll" } } }],
];

describe("a hostile override", () => {
  it("is told from one that stays inside: a Secret that the spec names, a mirror with a private address", () => {
    const secret = { name: "hub", key: "token" };
    const again = patch("Deployment", { op: "add", path: `${pod}/containers/0/env/-`, value: { name: "MIRROR_TOKEN", valueFrom: { secretKeyRef: secret } } });
    const mirror = patch("NetworkPolicy", { op: "add", path: "/spec/egress/-", value: { to: [{ ipBlock: { cidr: "10.20.0.0/16" } }], ports: [{ port: 443, protocol: "TCP" }] } });
    expect(() => render([again, mirror], { hubToken: secret })).not.toThrow();
  });

  it.each(hostile)("cannot bring %s", (_, override) => {
    expect(() => render([override])).toThrow(DomainError);
  });

  const ingress: Partial<DeploymentSpecInput> = { exposure: { kind: "ingress", host: "ocr.example.internal", className: "nginx-internal" } };
  it.each<[string, OverrideInput]>([
    ["the public class", { kind: "Ingress", merge: { spec: { ingressClassName: "webapprouting.kubernetes.azure.com" } } }],
    ["no class", { kind: "Ingress", merge: { spec: { ingressClassName: null } } }],
    ["configuration for the controller", { kind: "Ingress", merge: { metadata: { annotations: { "nginx.ingress.kubernetes.io/server-snippet": "return 200;" } } } }],
    ["every host", patch("Ingress", { op: "remove", path: "/spec/rules/0/host" })],
    ["another service", patch("Ingress", { op: "replace", path: "/spec/rules/0/http/paths/0/backend/service/name", value: "bank" })],
    ["every path", patch("Ingress", { op: "replace", path: "/spec/rules/0/http/paths/0/path", value: "/" })],
    ["a default backend", { kind: "Ingress", merge: { spec: { defaultBackend: { service: { name: "bank", port: { number: 80 } } } } } }],
  ])("cannot give an Ingress %s", (_, override) => {
    expect(() => render([override], ingress)).toThrow(DomainError);
    expect(() => render([], ingress)).not.toThrow();
  });

  it("cannot reach the prototype of objects", () => {
    const merge: unknown = JSON.parse('{"spec":{"__proto__":{"hostNetwork":true}},"constructor":{"prototype":{"polluted":1}}}');
    const parsed = Override.safeParse({ kind: "Deployment", merge });
    if (parsed.success) expect(() => manifests({ ...DeploymentSpec.parse(base), overlay: [parsed.data] }, context)).toThrow(DomainError);
    for (const path of ["/__proto__/polluted", "/constructor/prototype/polluted", "/spec/__proto__/polluted", "/spec/__proto__"])
      expect(() => render([patch("Deployment", { op: "add", path, value: 1 })])).toThrow(DomainError);
    expect("polluted" in {}).toBe(false);
    expect("hostNetwork" in {}).toBe(false);
  });

  it("whatever it holds, is refused or leaves the same objects in the same place, as valid YAML", () => {
    const key = fc.constantFrom("kind", "metadata", "namespace", "name", "spec", "template", "containers", "0", "-", "image", "securityContext", "runAsUser", "hostNetwork", "volumes", "type", "labels", "__proto__");
    const path = fc.array(key, { minLength: 1, maxLength: 7 }).map((keys) => `/${keys.join("/")}`);
    const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom("a\n---\nkind: Secret", "{{ .x }}", "!!js/function x", { hostPath: { path: "/" } }, { privileged: true })).map((each) => JSON.parse(JSON.stringify(each)));
    const operation = fc.oneof(fc.record({ op: fc.constantFrom("add" as const, "replace" as const), path, value }), fc.record({ op: fc.constant("remove" as const), path }));
    const expected = render([]).map((object) => `${object.apiVersion} ${object.kind} ${object.metadata.namespace}/${object.metadata.name}`);
    fc.assert(
      fc.property(fc.constantFrom("Deployment" as const, "Service" as const, "NetworkPolicy" as const), fc.array(operation, { minLength: 1, maxLength: 4 }), (kind, operations) => {
        let objects;
        try {
          objects = render([{ kind, patch: operations }]);
        } catch (error) {
          if (error instanceof DomainError) return;
          throw error;
        }
        const documents = parseAllDocuments(toYaml(objects));
        expect(documents.flatMap((document) => document.errors)).toEqual([]);
        expect(documents.map((document) => document.toJS()).map((object) => `${object.apiVersion} ${object.kind} ${object.metadata.namespace}/${object.metadata.name}`)).toEqual(expected);
        expect(JSON.stringify(objects)).not.toMatch(/"hostPath"|"privileged":true|"hostNetwork":true/);
      }),
      { numRuns: 250 },
    );
  });
});
