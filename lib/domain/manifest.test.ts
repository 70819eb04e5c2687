import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/NetworkPolicy";
import { PersistentVolumeClaim } from "kubernetes-models/v1/PersistentVolumeClaim";
import { Service } from "kubernetes-models/v1/Service";
import { ServiceAccount } from "kubernetes-models/v1/ServiceAccount";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { canonicalJson } from "./canonical-json";
import { models, skus } from "./catalog";
import { DeploymentSpec, type DeploymentSpecInput } from "./deployment";
import { manifests, toYaml } from "./manifest";
import { ManifestContext } from "./manifest/context";
import { memoryMib, cpuMillis } from "./quantity";

const context = ManifestContext.parse({
  namespace: "ocr-staging",
  environmentId: "env_staging",
  deploymentId: "dep_1",
  revision: 3,
  portalNamespace: "lectern",
});
const render = (input: Partial<DeploymentSpecInput> = {}) =>
  manifests(DeploymentSpec.parse({ name: "contracts", modelId: "lightonocr-3-0.8b", skuId: "gcp-g2-standard-4", ...input }), context);

type Container = {
  args: string[];
  env: { name: string; value: string }[];
  image: string;
  command: string[];
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  startupProbe: { periodSeconds: number; failureThreshold: number };
};
type Spec = {
  progressDeadlineSeconds: number;
  strategy: object;
  template: { spec: { containers: Container[]; initContainers?: Container[]; [key: string]: unknown } };
};

function deployment(input: Partial<DeploymentSpecInput> = {}) {
  // The builder's own output, seen with the fields that the tests read.
  const spec = render(input)[3]?.spec as unknown as Spec;
  const container = spec.template.spec.containers[0];
  if (!container) throw new Error("no container");
  return { spec, pod: spec.template.spec, container };
}

const classes = { ServiceAccount, PersistentVolumeClaim, NetworkPolicy, Deployment, Service };

describe("the objects", () => {
  it("come in the order in which they are applied", () => {
    expect(render().map((object) => object.kind)).toEqual([
      "ServiceAccount",
      "PersistentVolumeClaim",
      "NetworkPolicy",
      "Deployment",
      "Service",
    ]);
  });

  it.each(models.map((model) => model.id))("are as reviewed for %s", async (modelId) => {
    await expect(toYaml(render({ modelId, storageClass: "premium-rwo", callerNamespaces: ["billing"] }))).toMatchFileSnapshot(
      `manifest/fixtures/${modelId}.yaml`,
    );
  });

  it("are valid for every model, size and option", () => {
    for (const model of models) {
      for (const sku of skus) {
        for (const options of [{}, { spot: true, offline: true }, { replicas: 2, accessMode: "ReadWriteMany" as const }]) {
          for (const object of render({ modelId: model.id, skuId: sku.id, ...options })) {
            const Kind = classes[object.kind as keyof typeof classes];
            expect(() => new Kind(object as never).validate()).not.toThrow();
          }
        }
      }
    }
  });

  it("would not be valid with a mistake in them: the validator can fail", () => {
    expect(() => new Deployment({ metadata: { name: "x" }, spec: { replicas: "one" } } as never).validate()).toThrow();
  });

  it("survive YAML unchanged", () => {
    const objects = render({ modelId: "lightonocr-3-1b" });
    expect(parseAllDocuments(toYaml(objects)).map((document) => document.toJS())).toEqual(objects);
  });
});

describe("canonical JSON", () => {
  it("does not depend on the order of keys, and does on every value", () => {
    expect(canonicalJson({ b: [1, { d: null, c: "x" }], a: undefined })).toBe('{"b":[1,{"c":"x","d":null}]}');
    expect(canonicalJson(render())).toBe(canonicalJson(render().map((object) => Object.fromEntries(Object.entries(object).reverse()))));
    expect(canonicalJson(render())).not.toBe(canonicalJson(render({ storageGi: 41 })));
  });
});

describe("what runs", () => {
  it("switches thinking off where the model knows it, and only there", () => {
    const flag = '--default-chat-template-kwargs={"enable_thinking": false}';
    expect(deployment({ modelId: "lightonocr-3-0.8b" }).container.args).toContain(flag);
    expect(deployment({ modelId: "lightonocr-3-4b" }).container.args).toContain(flag);
    expect(deployment({ modelId: "lightonocr-3-1b" }).container.args).not.toContain(flag);
  });

  it("gives the 1B the transformers release that can load it", () => {
    const { pod, container } = deployment({ modelId: "lightonocr-3-1b" });
    expect(pod.initContainers?.[0]?.command.slice(-2)).toEqual(["/models/python/transformers-5.16.1", "transformers==5.16.1"]);
    expect(container.env).toContainEqual({ name: "PYTHONPATH", value: "/models/python/transformers-5.16.1" });
    expect(deployment().pod.initContainers).toBeUndefined();
  });

  it("uses fp16 on a T4 only", () => {
    expect(deployment({ skuId: "aws-g4dn-xlarge" }).container.args).toContain("--dtype=half");
    expect(deployment().container.args.join()).not.toContain("--dtype");
  });

  it("pins image and weights, and never logs requests", () => {
    const { container } = deployment();
    expect(container.image).toBe("vllm/vllm-openai:v0.30.0");
    expect(container.args).toContain("--revision=36d8636925327c671bd8e479c517a004f7566bd9");
    expect(container.args.join()).not.toMatch(/enable-log|api-server-response/);
    expect(container.env.map((each) => each.name)).not.toContain("VLLM_SERVER_DEV_MODE");
  });

  it("asks for a GPU in limits only, and for memory that fits the node", () => {
    const { requests, limits } = deployment().container.resources;
    expect(requests).toEqual({ cpu: "3", memory: "10Gi" });
    expect(limits).toEqual({ memory: "10Gi", "nvidia.com/gpu": "1" });
    expect(cpuMillis("3")).toBeLessThan(3920 - 600);
    expect(memoryMib("10Gi")).toBeLessThan(13182 - 1024);
  });

  it("waits longer for progress than for the start", () => {
    const { spec, container } = deployment();
    expect(spec.progressDeadlineSeconds).toBeGreaterThan(container.startupProbe.periodSeconds * container.startupProbe.failureThreshold);
  });

  it("never surges: Recreate on a disk of one node, no surge else", () => {
    expect(deployment().spec.strategy).toEqual({ type: "Recreate" });
    expect(deployment({ replicas: 2, accessMode: "ReadWriteMany" }).spec.strategy).toEqual({
      type: "RollingUpdate",
      rollingUpdate: { maxSurge: 0, maxUnavailable: 1 },
    });
  });

  it("tolerates spot only when asked", () => {
    const keys = (spot: boolean) => (deployment({ spot }).pod.tolerations as { key: string }[]).map((each) => each.key);
    expect(keys(false)).toEqual(["nvidia.com/gpu"]);
    expect(keys(true)).toEqual(["nvidia.com/gpu", "cloud.google.com/gke-spot"]);
  });

  it("keeps the selector over revisions", () => {
    const selector = (revision: number) =>
      manifests(DeploymentSpec.parse({ name: "a", modelId: "lightonocr-3-4b", skuId: "own-l4" }), { ...context, revision })[3]?.spec
        ?.selector;
    expect(selector(1)).toEqual(selector(2));
  });
});

describe("who may talk", () => {
  const policy = (input: Partial<DeploymentSpecInput> = {}, portalNamespace: string | null = "lectern") =>
    JSON.stringify(
      manifests(DeploymentSpec.parse({ name: "a", modelId: "lightonocr-3-4b", skuId: "own-l4", ...input }), {
        ...context,
        portalNamespace,
      })[2]?.spec,
    );

  it("lets the portal and listed namespaces in", () => {
    expect(policy({ callerNamespaces: ["billing"] })).toContain("billing");
    expect(policy()).toContain('"kubernetes.io/metadata.name":"lectern"');
    expect(policy({}, null)).toContain(
      '"ingress":[{"from":[{"namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"kube-system"',
    );
  });

  it("lets HTTPS out while weights are downloaded, never to the metadata address", () => {
    expect(policy()).toContain('"cidr":"0.0.0.0/0"');
    expect(policy()).toContain("169.254.0.0/16");
    expect(policy({ offline: true })).not.toContain("ipBlock");
  });
});

describe("the spec", () => {
  it.each([
    [{ name: "vllm" }, "VLLM_PORT"],
    [{ name: "Contracts" }, "lower-case"],
    [{ name: "1st" }, "letter"],
    [{ name: "a".repeat(41) }, "40"],
    [{ modelId: "gpt" }, "model"],
    [{ skuId: "aws-g6f-large" }, "1/4 or 1/2 of an L4"],
    [{ skuId: "azure-nv12ads-a10-v5" }, "1/6, 1/3 or 1/2 of an A10"],
    [{ skuId: "scaleway-render-s" }, "6.0"],
    [{ skuId: "aws-nothing" }, "GPU size"],
    [{ replicas: 2 }, "ReadWriteOnce"],
    [{ callerNamespaces: ["a b"] }, "lower-case"],
  ])("refuses %j", (input, message) => {
    const result = DeploymentSpec.safeParse({ name: "a", modelId: "lightonocr-3-4b", skuId: "own-l4", ...input });
    expect(result.error?.message).toContain(message);
  });
});
