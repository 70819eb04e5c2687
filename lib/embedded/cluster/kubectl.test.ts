import { execFile, execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { startTestSandbox, type TestSandbox } from "./testing/sandbox";

const run = promisify(execFile);

function kubectlVersion(): string | undefined {
  try {
    return execFileSync("kubectl", ["version", "--client", "-o", "yaml"], { encoding: "utf8" });
  } catch {
    return undefined;
  }
}

const isInstalled = kubectlVersion() !== undefined;
if (!isInstalled) console.info("kubectl is not on this machine: the tests with the real client are skipped.");

const labels = { app: "ocr" };
const manifests = [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "demo" } },
  {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "ocr", namespace: "demo" },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: 1,
          containers: [{ name: "vllm", image: "vllm/vllm-openai:v0.30.0", resources: { limits: { "nvidia.com/gpu": 1 } } }],
        },
      },
    },
  },
];

describe.skipIf(!isInstalled).sequential("the real kubectl", () => {
  let sandbox: TestSandbox;
  let config: string;
  let file: string;

  beforeAll(async () => {
    sandbox = await startTestSandbox({ speed: 200 });
    config = path.join(sandbox.dataDir, "kubeconfig");
    file = path.join(sandbox.dataDir, "manifests.yaml");
    fs.writeFileSync(config, sandbox.kubeconfig);
    fs.writeFileSync(file, manifests.map((manifest) => stringify(manifest)).join("---\n"));
  });
  afterAll(() => sandbox.remove());

  async function kubectl(...args: string[]): Promise<string> {
    const { stdout } = await run("kubectl", ["--kubeconfig", config, "--cache-dir", path.join(sandbox.dataDir, "cache"), ...args]);
    return stdout;
  }

  test("applies on the server's side", async () => {
    expect(await kubectl("apply", "--server-side", "-f", file)).toBe(
      "namespace/demo serverside-applied\ndeployment.apps/ocr serverside-applied\n",
    );
    expect(await kubectl("rollout", "status", "deployment/ocr", "-n", "demo", "--timeout=30s")).toContain("successfully rolled out");
  });

  test("prints deployments, pods and nodes", async () => {
    const table = await kubectl("get", "deploy,pods,nodes", "-A");
    expect(table).toMatch(/demo\s+deployment\.apps\/ocr\s+1\/1\s+1\s+1\s+/);
    expect(table).toMatch(/demo\s+pod\/ocr-\S+\s+1\/1\s+Running\s+0\s+/);
    expect(table).toMatch(/node\/gcp-g2-standard-4-1\s+Ready\s+<none>\s+\S+\s+v1\.36\.2/);
  });

  test("watches", async () => {
    const child = spawn("kubectl", ["--kubeconfig", config, "get", "deployments", "-n", "demo", "-w", "--no-headers"]);
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
    await expect.poll(() => text, { timeout: 20_000 }).toMatch(/ocr\s+1\/1/);
    await kubectl("scale", "deployment/ocr", "-n", "demo", "--replicas=0");
    await expect.poll(() => text, { timeout: 20_000 }).toMatch(/ocr\s+0\/0/);
    child.kill();
  });

  test("knows the server's kinds", async () => {
    expect(await kubectl("api-resources", "--api-group=apps", "-o", "name")).toContain("deployments.apps");
  });
});
