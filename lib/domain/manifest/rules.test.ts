import { describe, expect, it } from "vitest";
import { engines } from "../catalog-engine";
import { modelById, models } from "../catalog";
import { imageReference } from "../catalog-model";
import { DeploymentSpec, type DeploymentSpecInput } from "../deployment";
import { fits } from "../fit";
import { skuById } from "../catalog";
import { manifests } from "../manifest";

const context = { namespace: "ocr", environmentId: "env", deploymentId: "dep", revision: 1, portalNamespace: null };
type Container = { image: string; command: string[]; args: string[]; env: { name: string; value?: string }[]; resources: { requests: Record<string, string>; limits: Record<string, string> }; [probe: string]: unknown };
type Probe = { periodSeconds: number; failureThreshold: number; timeoutSeconds: number };

function engine(input: Partial<DeploymentSpecInput> = {}) {
  const objects = manifests(DeploymentSpec.parse({ name: "contracts", modelId: "lightonocr-3-4b", skuId: "aws-g6-xlarge", ...input }), context);
  const deployment = objects.find((object) => object.kind === "Deployment");
  const spec = deployment?.spec as unknown as { template: { spec: { containers: [Container]; [key: string]: unknown } }; [key: string]: unknown }; // built by engineDeployment
  return { objects, spec, pod: spec.template.spec, container: spec.template.spec.containers[0], text: JSON.stringify(objects) };
}
const variable = (name: string, input: Partial<DeploymentSpecInput> = {}) => engine(input).container.env.find((each) => each.name === name)?.value;
const probe = (name: string) => engine().container[name] as Probe; // built by engineContainer

describe("rules for the Deployment", () => {
  it("replicas are written unless a scaler writes them", () => {
    expect(engine({ replicas: 1 }).spec.replicas).toBe(1);
    expect(engine({ accessMode: "ReadWriteMany", autoscaling: { by: "hpa", maxReplicas: 2 } }).spec).not.toHaveProperty("replicas");
  });
  it("the strategy never waits for a second GPU or a held disk", () => {
    expect(engine().spec.strategy).toEqual({ type: "Recreate" });
    expect(engine({ accessMode: "ReadWriteMany" }).spec.strategy).toMatchObject({ rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } });
  });
  it("the progress deadline outlasts start, image pull and a new node", () => expect(engine().spec.progressDeadlineSeconds).toBeGreaterThanOrEqual(1800));
  it("5 to 10 old revisions stay", () => expect(engine().spec.revisionHistoryLimit).toBe(5));
  it("the image is a release, never latest, pulled only when it is missing", () => {
    for (const { deployable } of engines) if (deployable) expect(JSON.stringify(engine({ engine: deployable, modelId: "lightonocr-3-0.8b" }).spec)).not.toMatch(/"image":"[^"]*(:latest|\/[^:"]*)"/);
    expect(engine().container.imagePullPolicy).toBe("IfNotPresent");
  });
  it("the start command is explicit, its arguments a list without a shell", () => {
    expect(engine().container.command).toEqual(["vllm", "serve"]);
    expect(engine().container.args).toContain('--limit-mm-per-prompt={"image": 1}');
  });
  it("weights and compile caches go to the volume; home and caches are writable", () => {
    for (const name of ["HF_HOME", "VLLM_CACHE_ROOT", "XDG_CACHE_HOME", "TRITON_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR"]) expect(variable(name)).toMatch(/^\/models\//);
    expect(variable("HOME")).toBe("/tmp");
  });
  it("telemetry is off", () => expect([variable("VLLM_NO_USAGE_STATS"), variable("DO_NOT_TRACK"), variable("HF_HUB_DISABLE_TELEMETRY")]).toEqual(["1", "1", "1"]));
  it("the hub is off after a prefetch, and the token a reference", () => {
    expect([variable("HF_HUB_OFFLINE"), variable("HF_HUB_OFFLINE", { prefetch: true }), variable("HF_HUB_OFFLINE", { offline: true })]).toEqual([undefined, "1", "1"]);
    expect(engine({ hubToken: { name: "hub", key: "token" } }).text).toContain('"secretKeyRef"');
  });
  it("no variables come from Service names, and none is called vllm", () => {
    expect(engine().pod.enableServiceLinks).toBe(false);
    expect(() => engine({ name: "vllm" })).toThrow("VLLM_PORT");
  });
  it("the GPU stands in limits only", () => {
    expect(engine().container.resources.limits["nvidia.com/gpu"]).toBe("1");
    expect(engine().container.resources.requests).not.toHaveProperty("nvidia.com/gpu");
  });
  it("memory request equals limit", () => expect(engine().container.resources.requests.memory).toBe(engine().container.resources.limits.memory));
  it("/dev/shm is memory of 2 Gi", () => expect(engine().text).toContain('{"name":"shm","emptyDir":{"medium":"Memory","sizeLimit":"2Gi"}}'));
  it("start-up has twenty minutes for the first download; the others wait for it", () => {
    expect(probe("startupProbe").periodSeconds * probe("startupProbe").failureThreshold).toBe(1200);
    expect(probe("livenessProbe")).toMatchObject({ periodSeconds: 10, failureThreshold: 3, timeoutSeconds: 5 });
    expect(probe("readinessProbe")).toMatchObject({ periodSeconds: 5, failureThreshold: 3 });
  });
  it("pages in flight end before the pod does", () => {
    expect(engine().container.args).toContain("--shutdown-timeout=45");
    expect(engine().container.lifecycle).toEqual({ preStop: { exec: { command: ["sleep", "15"] } } });
    expect(engine().pod.terminationGracePeriodSeconds).toBeGreaterThan(15 + 45);
  });
  it("runs as a numeric user other than root, in group 0, with the default profile", () => expect(engine().pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 2000, runAsGroup: 0, seccompProfile: { type: "RuntimeDefault" } }));
  it("gains no privileges, and the root file system stays writable for the NVIDIA hook", () => expect(engine().container.securityContext).toEqual({ allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } }));
  it("has an identity of its own without a token", () => expect(engine().pod).toMatchObject({ serviceAccountName: "contracts", automountServiceAccountToken: false }));
  it("names classes only when asked", () => expect(engine().pod).not.toHaveProperty("priorityClassName"));
  it("spreads two replicas and more, softly", () => expect(engine({ replicas: 2, accessMode: "ReadWriteMany" }).pod.topologySpreadConstraints).toMatchObject([{ whenUnsatisfiable: "ScheduleAnyway" }]));
  it("carries the six labels and its own", () => {
    const { labels } = engine().objects[0]?.metadata ?? { labels: {} };
    for (const key of ["name", "instance", "version", "component", "part-of", "managed-by"]) expect(labels).toHaveProperty([`app.kubernetes.io/${key}`]);
  });
});

describe("the article's nine pitfalls", () => {
  it("1: the 1B gets the transformers release that loads it", () => expect(engine({ modelId: "lightonocr-3-1b" }).text).toContain("transformers==5.16.1"));
  it("2: no image cache, and a length that leaves room for pages", () => {
    for (const model of models) expect(engine({ modelId: model.id }).container.args).toEqual(expect.arrayContaining(["--mm-processor-cache-gb=0", `--max-model-len=${model.maxModelLen}`]));
  });
  it("3: thinking is off where the model has the switch", () => expect(engine().container.args).toContain('--default-chat-template-kwargs={"enable_thinking": false}'));
  it("4: no manifest caps what is written: max_tokens is the reader's, and finish_reason is checked there", () => expect(engine().text).not.toMatch(/max.tokens/));
  it("5: never the vLLM release whose every model loops", () => {
    for (const model of models) expect(imageReference(model.image)).not.toContain("0.27.1");
  });
  it("6: TGI is listed as unable, with why, and cannot be chosen", () => {
    expect(engines.find((each) => each.id === "tgi")).toMatchObject({ support: "unable", deployable: null, reason: expect.stringContaining("no model class") });
    expect(DeploymentSpec.safeParse({ name: "a", modelId: "lightonocr-3-4b", skuId: "own-l4", engine: "tgi" }).success).toBe(false);
  });
  it("7: nothing switches the logging of requests or outputs on", () => expect(engine().text).not.toMatch(/enable-log-(requests|outputs|deltas)|VLLM_LOGGING_LEVEL|API_SERVER_RESPONSE|DEV_MODE/));
  it("8: three probes and a drain, not one probe", () => expect(Object.keys(engine().container)).toEqual(expect.arrayContaining(["startupProbe", "readinessProbe", "livenessProbe", "lifecycle"])));
  it("9: a page at 1540 px costs a third of the tokens of 5 MP, and the 1B always works there", () => {
    expect(modelById("lightonocr-3-1b").longestEdgePx).toBe(1540);
    expect(modelById("lightonocr-3-0.8b").pageTokens.image).toBeLessThan(4900);
  });
});

describe("the request fits the article's own node, which its manifest does not", () => {
  it("asks a 4 vCPU / 16 GiB node for less than 4 CPU and 16 GiB", () => {
    for (const id of ["aws-g6-xlarge", "gcp-g2-standard-4"]) {
      const { requests } = fits(modelById("lightonocr-3-4b"), skuById(id));
      expect([requests.fits, requests.cpuMillis < 4000, requests.memoryMib < 13 * 1024]).toEqual([true, true, true]);
    }
  });
});
