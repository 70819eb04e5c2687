import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { EngineId } from "../catalog-engine";
import { DomainError } from "../errors";
import { DeploymentSpec } from "../deployment";
import { manifests, toYaml } from "../manifest";
import { assertAllowed } from "./allowed";
import { ManifestContext } from "./context";
import { explain } from "./explain";

const spec = DeploymentSpec.parse({
  name: "contracts",
  modelId: "lightonocr-3-1b",
  skuId: "own-l4",
  storageClass: "fast",
  callerNamespaces: ["billing"],
});
const context = ManifestContext.parse({ namespace: "ocr", environmentId: "env", deploymentId: "dep", revision: 1, portalNamespace: null });
const kinds = ["ServiceAccount", "PersistentVolumeClaim", "NetworkPolicy", "Deployment", "Service"];

const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "a\n---\nkind: Secret",
    "'\"",
    "!!js/function x",
    "&a *a",
    "{{ .Values.x }}",
    "${HOME}",
    "no",
    "0o14",
    "1e3",
    "~",
    "\u2028",
    "# x",
    "a: b",
    "|-\n x",
    "\ttab",
    "- x",
    "%YAML 1.1",
  ),
);

describe("hostile text in every field", () => {
  it("never gets past the schema unchanged in meaning, and past it never changes the set of objects", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const bad = { ...spec, name: text, storageClass: text, callerNamespaces: [text] };
        const objects = manifests(bad, { ...context, namespace: text, environmentId: text, deploymentId: text, portalNamespace: text });
        const documents = parseAllDocuments(toYaml(objects));
        expect(documents.flatMap((document) => document.errors)).toEqual([]);
        expect(documents.map((document) => document.toJS().kind)).toEqual(kinds);
        expect(documents.map((document) => document.toJS())).toEqual(objects);
      }),
      { numRuns: 100 },
    );
  });

  it("reads the same in YAML 1.1, which Kubernetes speaks", () => {
    for (const text of ["no", "on", "0o14", "012", "1e3", "1:30", "~", "null"]) {
      const yaml = toYaml(manifests({ ...spec, callerNamespaces: [text] }, context));
      expect(JSON.stringify(parseAllDocuments(yaml, { version: "1.1" }).map((document) => document.toJS()))).toContain(
        JSON.stringify(text),
      );
    }
  });

  it("is refused by the schema of spec and context", () => {
    for (const text of ["a\n---", "{{x}}", "A", "", "a/b", "é"]) {
      expect(DeploymentSpec.safeParse({ ...spec, name: text }).success).toBe(false);
      expect(DeploymentSpec.safeParse({ ...spec, callerNamespaces: [text] }).success).toBe(false);
      expect(ManifestContext.safeParse({ ...context, namespace: text }).success).toBe(false);
    }
  });
});

describe("what may be applied", () => {
  const allow = { namespace: "ocr", repositories: ["vllm/vllm-openai"] };
  type Tree = { [key: string]: Tree & unknown[] };

  function changed(kind: string, change: (tree: Tree) => void): object[] {
    const objects = structuredClone(manifests(spec, context));
    for (const object of objects) if (object.kind === kind) change(object as unknown as Tree);
    return objects;
  }

  it("is what Lectern builds", () => {
    expect(() => assertAllowed(manifests(spec, context), allow)).not.toThrow();
  });

  const pod = (tree: Tree) =>
    tree.spec?.template?.spec as unknown as Record<string, unknown> & { containers: Record<string, unknown>[]; volumes: object[] };
  it.each<[string, string, (tree: Tree) => void]>([
    ["a hostPath volume", "hostPath", (tree) => pod(tree).volumes.push({ name: "h", hostPath: { path: "/" } })],
    ["the host's network", "hostNetwork", (tree) => Object.assign(pod(tree), { hostNetwork: true })],
    [
      "a privileged container",
      "privileges",
      (tree) => Object.assign(pod(tree).containers[0] ?? {}, { securityContext: { privileged: true } }),
    ],
    ["root", "root", (tree) => Object.assign(pod(tree), { securityContext: { runAsUser: 0 } })],
    [
      "an added capability",
      "adds capabilities",
      (tree) =>
        Object.assign(pod(tree).containers[0] ?? {}, {
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"], add: ["SYS_ADMIN"] } },
        }),
    ],
    [
      "a foreign registry",
      "repository",
      (tree) => Object.assign(pod(tree).containers[0] ?? {}, { image: "evil.example:5000/vllm/vllm-openai:v1" }),
    ],
    ["no memory limit", "memory limit", (tree) => Object.assign(pod(tree).containers[0] ?? {}, { resources: {} })],
    ["a host port", "port of the node", (tree) => Object.assign(pod(tree).containers[0] ?? {}, { ports: [{ hostPort: 80 }] })],
    ["a foreign namespace", "namespace", (tree) => Object.assign(tree.metadata ?? {}, { namespace: "kube-system" })],
    ["a foreign kind", "not a kind", (tree) => Object.assign(tree, { kind: "DaemonSet" })],
  ])("is not %s", (_, message, change) => {
    expect(() => assertAllowed(changed("Deployment", change), allow)).toThrow(DomainError);
    try {
      assertAllowed(changed("Deployment", change), allow);
    } catch (error) {
      expect((error as DomainError).fields.map((field) => field.message).join()).toContain(message);
    }
  });

  it("is no public Service and no cluster-wide kind", () => {
    expect(() =>
      assertAllowed(
        changed("Service", (tree) => Object.assign(tree.spec ?? {}, { type: "LoadBalancer" })),
        allow,
      ),
    ).toThrow("ClusterIP");
    expect(() => assertAllowed([{ apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRoleBinding", metadata: {} }], allow)).toThrow(
      "not a kind",
    );
  });
});

describe("explanations", () => {
  it.each([
    ["Deployment/spec/strategy/type", undefined, "rolling update"],
    ["Deployment/spec/template/spec/containers/0/args/5", "--max-model-len=18000", "262,144"],
    ["Deployment/spec/template/spec/containers/0/args/0", "lightonai/LightOnOCR-3-1B", "name on the hub"],
    ["Deployment/spec/template/spec/containers/0/env/2", { name: "HF_HOME", value: "x" }, "volume"],
    ["Deployment/spec/template/spec/containers/0/resources/limits/nvidia.com~1gpu", "1", "GPU stands in limits only"],
    ["Service/metadata/labels/x", undefined, "finds its objects"],
    ["NetworkPolicy/spec/egress/1/to/0", undefined, "HTTPS"],
    ["Job/spec/activeDeadlineSeconds", undefined, "an hour"],
    ["Ingress/metadata/annotations/alb.ingress.kubernetes.io~1scheme", undefined, "Internal only"],
    ["Deployment/metadata/annotations/lectern~1overrides", undefined, "by hand"],
    ["Ingress/metadata/annotations/lectern~1revision", undefined, "revision"],
  ])("say why %s", (path, value, words) => {
    expect(explain(path, value)).toContain(words);
  });

  it("cover every argument and stay silent on the rest", () => {
    for (const engineId of EngineId.options) {
      const engine = manifests({ ...spec, engine: engineId, modelId: "lightonocr-3-0.8b", skuId: "aws-g4dn-xlarge" }, context).find((object) => object.kind === "Deployment") as unknown as {
        spec: { template: { spec: { containers: { args?: string[] }[] } } };
      };
      const args = engine.spec.template.spec.containers[0]?.args ?? [];
      const flags = args.filter((arg) => arg.startsWith("-"));
      expect(flags.filter((arg) => explain(`Deployment/spec/template/spec/containers/0/args/${args.indexOf(arg)}`, arg) === undefined)).toEqual([]);
    }
    expect(explain("Deployment/apiVersion")).toBeUndefined();
  });
});
