import { randomBytes, randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { Caller } from "@/lib/domain/caller";
import { parseKubeconfig } from "@/lib/domain/kubeconfig";
import { createClock } from "@/lib/embedded/cluster/clock";
import { startSandboxCluster, type SandboxCluster } from "@/lib/embedded/cluster/start";
import type { Db } from "@/lib/platform/db";
import type { Kube } from "@/lib/platform/kube";
import { kubeOf, saveCluster } from "@/lib/services/clusters";
import { createPerson } from "./callers";

export type FaultName = Parameters<SandboxCluster["faults"]["set"]>[0] & string;
export type Place = { environmentId: string; namespace: string; slug: string };
type Sandbox = { readonly cluster: SandboxCluster; readonly clusterId: string; readonly kube: Kube; place(slug: string): Promise<Place>; deployer(place: Place, name?: string): Promise<Caller> };

/** A sandbox cluster for the test file that calls this at its top level, on a clock so fast that a rollout takes milliseconds; linked in the database. */
export function useSandbox(database: { readonly db: Db; readonly url: string }, { speed = 1000, engineUrl = async () => "http://127.0.0.1:1" } = {}): Sandbox {
  let cluster: SandboxCluster | undefined;
  let linked: { clusterId: string; kube: Kube } | undefined;
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "sandbox-place-"));
  process.env.LECTERN_MASTER_KEY ??= randomBytes(32).toString("base64");
  process.env.LECTERN_LOG_LEVEL = "silent";
  beforeAll(async () => {
    process.env.DATABASE_URL = database.url;
    cluster = await startSandboxCluster({ dataDir, engineUrl: await engineUrl(), clock: createClock(speed) });
    const clusterId = await saveCluster(database.db, { name: `Sandbox ${randomUUID()}`, kind: "sandbox", credentials: parseKubeconfig(cluster.kubeconfig) });
    linked = { clusterId, kube: await kubeOf(database.db, clusterId) };
  });
  afterAll(async () => {
    await cluster?.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  });
  const there = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error("the sandbox is there from beforeAll on");
    return value;
  };
  return {
    get cluster() {
      return there(cluster);
    },
    get clusterId() {
      return there(linked).clusterId;
    },
    get kube() {
      return there(linked).kube;
    },
    async place(slug) {
      const namespace = `lectern-${slug}`;
      const row = await database.db.environment.create({ data: { slug, name: slug, kind: "staging", namespace, clusterId: there(linked).clusterId } });
      return { environmentId: row.id, namespace, slug };
    },
    async deployer(place, name = `Deployer of ${place.slug}`) {
      return (await createPerson(database.db, name, { roles: { [place.environmentId]: "deployer" } })).caller;
    },
  };
}

