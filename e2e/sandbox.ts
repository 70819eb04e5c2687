import { readFileSync } from "node:fs";
import https from "node:https";
import path from "node:path";
import { parseKubeconfig } from "@/lib/domain/kubeconfig";
import { DATA_DIR, KUBECONFIG } from "./settings";

type Answer = { status: number; body: string };
type Identity = { host: string; port: number; ca: string | undefined; token?: string; cert?: string; key?: string };

function identity(): Identity {
  if (KUBECONFIG) return identityIn(readFileSync(KUBECONFIG, "utf8"));
  const file = (name: string) => readFileSync(path.join(DATA_DIR, "sandbox", name), "utf8");
  const { caCertificate } = JSON.parse(file("certificates.json")) as { caCertificate: string }; // written by the sandbox itself
  const { adminToken } = JSON.parse(file("secrets.json")) as { adminToken: string }; // as above
  return { host: "127.0.0.1", port: Number(file("port")), ca: caCertificate, token: adminToken };
}

function identityIn(kubeconfig: string): Identity {
  const credentials = parseKubeconfig(kubeconfig);
  const { hostname, port } = new URL(credentials.server);
  const who = "token" in credentials ? { token: credentials.token } : { cert: credentials.clientCertPem, key: credentials.clientKeyPem };
  return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 443), ca: credentials.caPem, ...who };
}

/** Asks the cluster itself, the sandbox or the one of E2E_KUBECONFIG, as its administrator, past the portal. */
export function askCluster(method: "GET" | "POST" | "DELETE", url: string, body?: object): Promise<Answer> {
  const { token, ...at } = identity();
  return new Promise((resolve, reject) => {
    const headers = { ...(token ? { Authorization: `Bearer ${token}` } : {}), Accept: "application/json", "Content-Type": "application/json" };
    const request = https.request({ ...at, path: url, method, headers, agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(pieces).toString("utf8") }));
    });
    request.once("error", reject);
    request.end(body ? JSON.stringify(body) : undefined);
  });
}

/** Lets no pod with a GPU into the namespace, as a cluster's own administrator would; returns what lifts it again. */
export async function forbidGpus(namespace: string): Promise<() => Promise<void>> {
  await askCluster("POST", "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  const quotas = `/api/v1/namespaces/${namespace}/resourcequotas`;
  const quota = { apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "no-gpu" }, spec: { hard: { "requests.nvidia.com/gpu": "0" } } };
  const { status, body } = await askCluster("POST", quotas, quota);
  if (status !== 201) throw new Error(`the quota was not made: ${body}`);
  return async () => void (await askCluster("DELETE", `${quotas}/no-gpu`));
}
