import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { DeploymentSpec } from "./deployment";
import { manifests } from "./manifest";
import { privacyFacts, regressions, type PrivacyInput, type Verdict } from "./privacy";
import { privacyHtml } from "./privacy-page";
import { probeEnd, probeVerdict } from "./privacy-probe";

type Loose = Record<string, unknown>;
const objects = (offline: boolean) => manifests(DeploymentSpec.parse({ name: "ocr", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge", offline }), { namespace: "a", environmentId: randomUUID(), deploymentId: randomUUID(), revision: 1, portalNamespace: null }) as unknown as Loose[];
const kind = (name: string, offline = true) => objects(offline).filter((object) => object.kind === name);
const base = (more: Partial<PrivacyInput> = {}): PrivacyInput => ({ deployment: kind("Deployment")[0] ?? null, services: kind("Service"), policies: kind("NetworkPolicy"), ingresses: [], nodes: [{ name: "gpu-1", region: "eu-west-3" }], roleBindings: [], retentionHours: 24, probe: null, ...more });
const verdict = (input: PrivacyInput, id: string) => privacyFacts(input).find((fact) => fact.id === id)?.verdict;
/** The deployment with its first container or its pod changed. */
function changed({ container = {}, pod = {} }: { container?: Loose; pod?: Loose }): Loose {
  const deployment = structuredClone(kind("Deployment")[0]) as { spec: { template: { spec: Loose & { containers: Loose[] } } } };
  const { spec } = deployment.spec.template;
  Object.assign(spec, pod);
  spec.containers = spec.containers.map((each) => ({ ...each, ...container }));
  return deployment;
}

describe("privacy by proof", () => {
  it("of what Lectern applies holds, but for what nobody can see", () => {
    const facts = privacyFacts(base());
    expect(facts.filter((fact) => fact.verdict !== "proved").map((fact) => [fact.id, fact.verdict])).toEqual([["enforced", "not_proved"]]);
  });

  it.each<[string, string, Partial<PrivacyInput>, Verdict]>([
    ["a load balancer", "public_address", { services: [{ metadata: { name: "ocr" }, spec: { type: "LoadBalancer" } }] }, "broken"],
    ["a node port", "public_address", { services: [{ metadata: { name: "ocr" }, spec: { type: "NodePort" } }] }, "broken"],
    ["an external address", "public_address", { services: [{ metadata: { name: "ocr" }, spec: { type: "ClusterIP", externalIPs: ["203.0.113.5"] } }] }, "broken"],
    ["an ingress", "public_address", { ingresses: [{ metadata: { name: "door" }, spec: { rules: [{ http: { paths: [{ backend: { service: { name: "ocr" } } }] } }] } }] }, "broken"],
    ["an ingress to another service", "public_address", { ingresses: [{ metadata: { name: "door" }, spec: { rules: [{ http: { paths: [{ backend: { service: { name: "ocr-2" } } }] } }] } }] }, "proved"],
    ["ingresses unseen", "public_address", { ingresses: null }, "not_proved"],
    ["no policy", "policy", { policies: [] }, "broken"],
    ["a policy beside it that lets all in", "policy", { policies: [...kind("NetworkPolicy"), { metadata: { name: "wide" }, spec: { policyTypes: ["Ingress"], ingress: [{}] } }] }, "broken"],
    ["still allowed to download", "offline", { deployment: kind("Deployment", false)[0] ?? null, policies: kind("NetworkPolicy", false) }, "broken"],
    ["logged requests", "logging", { deployment: changed({ container: { args: ["--enable-log-requests"] } }) }, "broken"],
    ["logged outputs", "logging", { deployment: changed({ container: { args: ["--enable-log-outputs=true"] } }) }, "broken"],
    ["a flag switched off", "logging", { deployment: changed({ container: { args: ["--enable-log-outputs=false"] } }) }, "proved"],
    ["debug logs", "logging", { deployment: changed({ container: { env: [{ name: "VLLM_LOGGING_LEVEL", value: "debug" }] } }) }, "broken"],
    ["developer mode", "logging", { deployment: changed({ container: { env: [{ name: "VLLM_SERVER_DEV_MODE", value: "1" }] } }) }, "broken"],
    ["root", "non_root", { deployment: changed({ pod: { securityContext: { runAsNonRoot: true, runAsUser: 0 } } }) }, "broken"],
    ["a container that may gain rights", "non_root", { deployment: changed({ container: { securityContext: {} } }) }, "broken"],
    ["a secret in plain sight", "secrets", { deployment: changed({ container: { env: [{ name: "HF_TOKEN", value: "hf_x" }] } }) }, "broken"],
    ["a secret by reference", "secrets", { deployment: changed({ container: { env: [{ name: "HF_TOKEN", valueFrom: { secretKeyRef: { name: "a", key: "b" } } }] } }) }, "proved"],
    ["a node without a region", "region", { nodes: [{ name: "gpu-1", region: "" }] }, "not_proved"],
    ["nodes unseen", "region", { nodes: null }, "not_proved"],
    ["bindings unseen", "readers", { roleBindings: null }, "not_proved"],
    ["a probe that got through", "enforced", { probe: { verdict: "broken", sentence: "It got through.", at: "2026-11-30T12:00:00Z" } }, "broken"],
    ["a probe that was stopped", "enforced", { probe: { verdict: "proved", sentence: "It was stopped.", at: "2026-11-30T12:00:00Z" } }, "proved"],
    ["a deployment that is gone", "logging", { deployment: null }, "not_proved"],
  ])("with %s: %s", (_, id, more, expected) => expect(verdict(base(more), id)).toBe(expected));

  it("never says the value of a secret, and tells what got worse", () => {
    const leaky = privacyFacts(base({ deployment: changed({ container: { env: [{ name: "API_KEY", value: "s3cr3t" }] } }) }));
    expect(JSON.stringify(leaky)).not.toContain("s3cr3t");
    expect(regressions(privacyFacts(base()), leaky).map((fact) => fact.id)).toEqual(["offline", "secrets"]);
  });

  it("prints as a page without scripts, everything escaped", () => {
    const html = privacyHtml({ deployment: "<script>x</script>", environment: "Production", cluster: "Paris", namespace: "a", model: "1B", revision: 3, checkedAt: "2026-11-30T12:00:00Z", facts: privacyFacts(base()) });
    expect(html).not.toContain("<script");
    expect(html).toContain("eu-west-3");
    expect(html).toContain("Not proved");
  });
});

describe("a probe's end", () => {
  it.each<[string, Parameters<typeof probeEnd>, Verdict]>([
    ["a connection", [{ exitCode: 0, message: "REACHED\n" }, undefined], "broken"],
    ["an end without a word", [{ exitCode: 0 }, undefined], "not_proved"],
    ["a time-out", [{ exitCode: 1, message: "TIMEOUT\n" }, undefined], "proved"],
    ["a refusal", [{ exitCode: 1, message: "REFUSED\n" }, undefined], "proved"],
    ["another failure", [{ exitCode: 1, message: "OTHER: no route\n" }, undefined], "not_proved"],
    ["an image that cannot be had", [undefined, "ImagePullBackOff"], "not_proved"],
    ["no end", [undefined, undefined], "not_proved"],
  ])("by %s", (_, args, expected) => expect(probeVerdict(probeEnd(...args), "default").verdict).toBe(expected));
});
