import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { clustersLink, clustersSetRanges } from "./cluster-link";
import { execute } from "./pipeline";

process.env.DATABASE_URL ??= "postgresql://unused";
process.env.LECTERN_MASTER_KEY = randomBytes(32).toString("base64");
delete process.env.LECTERN_ALLOW_LOOPBACK;

const database = useDatabase();
let owner: Awaited<ReturnType<typeof createPerson>>;
beforeAll(async () => {
  owner = await createPerson(database.db, "Owner", { isOwner: true });
});

const kubeconfig = (server: string) => `
apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "${server}"}}]
users: [{name: u, user: {token: t}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x
`;
const link = (server: string) => execute(clustersLink, { db: database.db, caller: owner.caller, input: { name: "Guarded", source: { kind: "kubeconfig", kubeconfig: kubeconfig(server) } } });

describe("the address of a cluster (E2)", () => {
  it.each([
    "https://127.0.0.1:6443",
    "https://[::1]:6443",
    "https://localhost:6443",
    "https://169.254.169.254",
    "https://[::ffff:127.0.0.1]:6443",
    "https://2130706433:6443",
    "https://0177.0.0.1:6443",
    "https://0.0.0.0:6443",
    "https://10.1.2.3:6443",
    "https://[64:ff9b::7f00:1]:6443",
    "https://168.63.129.16",
  ])("%s is refused before anything is sent", async (server) => {
    await expect(link(server)).rejects.toMatchObject({ code: "forbidden", message: expect.stringContaining("ask an owner to allow its range") });
  });

  it("on this machine stays refused when an owner allows every private range, and no connection comes in", async () => {
    await execute(clustersSetRanges, { db: database.db, caller: owner.caller, input: { ranges: ["10.0.0.0/8", "127.0.0.0/8", "fd00::/8"] } });
    let connections = 0;
    const canary = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => canary.listen(0, "127.0.0.1", resolve));
    const address = canary.address();
    const port = typeof address === "object" && address ? address.port : 0;
    await expect(link(`https://127.0.0.1:${port}`)).rejects.toMatchObject({ code: "forbidden" });
    expect(connections).toBe(0);
    await new Promise((resolve) => canary.close(resolve));
  });
});
