import "server-only";
import { setMaxListeners } from "node:events";
import path from "node:path";
import { Rbac } from "./access/rbac";
import { Tokens } from "./access/tokens";
import { LogBook } from "./agent/log-book";
import type { ApiContext } from "./api/context";
import { createApiServer, listen } from "./api/server";
import { createClock, type SandboxClock } from "./clock";
import { startControlPlane } from "./controllers/control-plane";
import { EventRecorder } from "./controllers/event-recorder";
import { findKindPlural } from "./data/resources";
import { seedCluster } from "./data/seed";
import { createFaultSwitch, type FaultSwitch } from "./faults";
import { loadCertificates } from "./identity/certificates";
import { readPrivateFile, writePrivateFile } from "./identity/files";
import { writeKubeconfig } from "./identity/kubeconfig";
import { loadSecrets } from "./identity/secrets";
import { Registry } from "./registry/registry";
import { Journal } from "./store/journal";
import { Store } from "./store/store";

export type SandboxOptions = { dataDir: string; engineUrl: string; port?: number; clock?: SandboxClock };

export type SandboxCluster = {
  url: string;
  /** YAML for the administrator, with CA and token inline. */
  kubeconfig: string;
  faults: FaultSwitch;
  stop(): Promise<void>;
};

/**
 * Starts the sandbox cluster: a Kubernetes 1.36 API over HTTPS on 127.0.0.1, with scheduler, controllers and GPU nodes behind it.
 * Its state lives in `dataDir` and survives a kill at any moment. `engineUrl` is what a ready pod's port answers with.
 * The port is the one of the last start when it is free. Times are of `clock`: real time by default.
 */
export async function startSandboxCluster({ dataDir, engineUrl, port, clock = createClock() }: SandboxOptions): Promise<SandboxCluster> {
  const certificates = await loadCertificates(dataDir);
  const secrets = loadSecrets(dataDir);
  const { caCertificate } = certificates;
  const store = new Store(new Journal(path.join(dataDir, "state")));
  const faults = createFaultSwitch();
  const logs = new LogBook();
  const registry = new Registry({ store, clock, faults, pluralOf: findKindPlural });
  const events = new EventRecorder(registry, clock);
  const isNew = store.isEmpty;
  const control = startControlPlane({ store, registry, clock, events, faults, logs, caCertificate });
  if (isNew) seedCluster(registry);
  await store.durable();

  const stopping = new AbortController();
  // Every open stream listens for the end.
  setMaxListeners(0, stopping.signal);
  let address = "";
  const rbac = new Rbac(store);
  const tokens = new Tokens(store, secrets);
  const api: ApiContext = { store, registry, rbac, tokens, logs, engineUrl, address: () => address, stopping: stopping.signal };
  const server = createApiServer(api, { key: certificates.key, cert: certificates.certificate });
  const portFile = path.join(dataDir, "port");
  const bound = await listen(server, port ?? Number(readPrivateFile(portFile) ?? 0));
  if (port === undefined) writePrivateFile(portFile, String(bound));
  address = `127.0.0.1:${bound}`;
  const url = `https://${address}`;

  return {
    url,
    kubeconfig: writeKubeconfig({ url, caCertificate, token: secrets.adminToken }),
    faults,
    async stop() {
      control.stop();
      stopping.abort();
      await server.end();
      await store.close();
    },
  };
}
