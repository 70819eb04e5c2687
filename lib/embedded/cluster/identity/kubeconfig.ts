import "server-only";
import { stringify } from "yaml";

/** A kubeconfig with everything inline: server, CA and token. */
export function writeKubeconfig({ url, caCertificate, token }: { url: string; caCertificate: string; token: string }): string {
  const name = "lectern-sandbox";
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: { server: url, "certificate-authority-data": Buffer.from(caCertificate).toString("base64") } }],
    users: [{ name: `${name}-admin`, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: `${name}-admin`, namespace: "default" } }],
    "current-context": name,
  });
}
