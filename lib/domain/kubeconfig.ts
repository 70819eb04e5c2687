import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { DomainError } from "./errors";
import { ignoredFields, refusals } from "./kubeconfig-refusals";

const base = { server: z.url(), caPem: z.string().optional() };

/** What is kept of a kubeconfig: an https origin, the cluster's CA, and one inline credential. Sealed at rest, never shown again. */
export const ClusterCredentials = z.union([
  z.strictObject({ ...base, token: z.string() }),
  z.strictObject({ ...base, clientCertPem: z.string(), clientKeyPem: z.string() }),
]);
export type ClusterCredentials = z.infer<typeof ClusterCredentials>;

export const maxKubeconfigBytes = 256 * 1024;
const maxEntries = 10;
const maxStructure = 1000;

type Fields = Record<string, unknown>;

/**
 * Reads a pasted kubeconfig against an allow-list and rebuilds it; it never reaches a Kubernetes library, which would run its `exec`
 * commands and read its files. Throws DomainError `invalid_input` naming the refused field and what to do, never its content.
 */
export function parseKubeconfig(text: string): ClusterCredentials {
  const root = allowed(asFields(parseYaml(text), "the file"), "", [
    "apiVersion",
    "kind",
    "clusters",
    "contexts",
    "users",
    "current-context",
  ]);
  if (root.kind !== undefined && root.kind !== "Config") throw invalid(`The kind must be "Config".`);
  const clusters = entries(root.clusters, { list: "clusters", inner: "cluster", names: ["server", "certificate-authority-data"] });
  const users = entries(root.users, { list: "users", inner: "user", names: ["token", "client-certificate-data", "client-key-data"] });
  const contexts = entries(root.contexts, { list: "contexts", inner: "context", names: ["cluster", "user", "namespace"] });
  const context = currentContext(root, contexts);
  const cluster = named(clusters, context.cluster, "cluster");
  const user = named(users, context.user, "user");
  const ca = cluster["certificate-authority-data"];
  return {
    server: serverOrigin(cluster.server),
    ...(ca === undefined ? {} : { caPem: pem(ca, "certificate-authority-data", /-----BEGIN CERTIFICATE-----/) }),
    ...credential(user),
  };
}

function parseYaml(text: string): unknown {
  if (new TextEncoder().encode(text).byteLength > maxKubeconfigBytes)
    throw invalid("The kubeconfig is larger than 256 KiB: paste one with a single cluster.");
  // Parsing time grows with the square of the keys; ten contexts need about 200 of these signs, base64 and tokens have none.
  if ((text.match(/[:{[&!?*]|-\s/g) ?? []).length > maxStructure)
    throw invalid("The kubeconfig has far too many entries or uses aliases and nesting: paste one with a single cluster.");
  try {
    const [document, ...more] = parseAllDocuments(text, { prettyErrors: false, merge: false });
    if (!document || !("toJS" in document) || more.length > 0) throw invalid("The kubeconfig must be exactly one YAML document.");
    if (document.errors.length > 0) throw invalid("The kubeconfig is not valid YAML: copy it again, whole and unchanged.");
    // A kubeconfig has no use for aliases; refusing them all leaves nothing to expand.
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw invalid("The kubeconfig uses YAML that is not accepted here (aliases or extreme nesting): write it out plainly.");
  }
}

function allowed(fields: Fields, where: string, names: readonly string[]): Fields {
  for (const name of Object.keys(fields)) {
    if (names.includes(name) || ignoredFields.has(name)) continue;
    const reason = refusals[name] ?? (/^as(-|$)/.test(name) ? refusals.as : undefined);
    const shown = `${where}${name.slice(0, 60)}`;
    throw new DomainError(
      "invalid_input",
      `The field "${shown}" is refused: ${reason ?? "Lectern does not know it. Remove it and try again."}`,
      {
        fields: [{ path: shown, message: reason ?? "Unknown field." }],
      },
    );
  }
  return fields;
}

/** The named entries of one list, each with its inner fields checked. */
function entries(found: unknown, { list, inner, names }: { list: string; inner: string; names: readonly string[] }): Map<string, Fields> {
  if (!Array.isArray(found) || found.length === 0) throw invalid(`The kubeconfig has no ${list}.`);
  if (found.length > maxEntries) throw invalid(`The kubeconfig has more than ${maxEntries} ${list}: paste one with a single cluster.`);
  return new Map(
    found.map((each: unknown) => {
      const entry = allowed(asFields(each, `an entry of ${list}`), `${list}[].`, ["name", inner]);
      if (typeof entry.name !== "string" || entry.name === "") throw invalid(`An entry of ${list} has no name.`);
      return [entry.name, allowed(asFields(entry[inner], `the ${inner} of an entry`), `${list}[].${inner}.`, names)];
    }),
  );
}

function currentContext(root: Fields, contexts: Map<string, Fields>): Fields {
  const chosen = root["current-context"];
  if (chosen === undefined || chosen === "") {
    const [only, ...more] = contexts.values();
    if (only && more.length === 0) return only;
    throw invalid("The kubeconfig has several contexts and no current-context: run `kubectl config use-context` and copy it again.");
  }
  return named(contexts, chosen, "context");
}

function named(found: Map<string, Fields>, name: unknown, what: string): Fields {
  const fields = typeof name === "string" ? found.get(name) : undefined;
  if (!fields) throw invalid(`The kubeconfig names a ${what} that is not in it.`);
  return fields;
}

function credential(user: Fields): { token: string } | { clientCertPem: string; clientKeyPem: string } {
  const { token, "client-certificate-data": certificate, "client-key-data": key } = user;
  if (token !== undefined && (certificate !== undefined || key !== undefined))
    throw invalid("The user has a token and a client certificate: keep one of them.");
  if (token !== undefined) {
    if (typeof token !== "string" || !/^[\x21-\x7e]{1,16384}$/.test(token))
      throw invalid("The token must be one line of printable characters.");
    return { token };
  }
  if (certificate === undefined || key === undefined) {
    throw invalid(
      "The user has neither a token nor a client certificate with its key: make a service account token with `kubectl create token`.",
    );
  }
  return {
    clientCertPem: pem(certificate, "client-certificate-data", /-----BEGIN CERTIFICATE-----/),
    clientKeyPem: pem(key, "client-key-data", /-----BEGIN ((RSA|EC) )?PRIVATE KEY-----/),
  };
}

function serverOrigin(server: unknown): string {
  if (typeof server !== "string" || !URL.canParse(server)) throw invalid("The cluster's server is not a URL.");
  const url = new URL(server);
  if (url.protocol !== "https:")
    throw invalid("The cluster's server must start with https://: plain http would send the credential in the clear.");
  if (url.username !== "" || url.password !== "") throw invalid("The cluster's server must not contain a user name or password.");
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "")
    throw invalid("The cluster's server must be a host and port without a path: give the API server's own address.");
  return url.origin;
}

function pem(value: unknown, field: string, marker: RegExp): string {
  const wrong = invalid(`The field "${field}" is not base64 of a PEM file: copy it again, whole and unchanged.`);
  if (typeof value !== "string" || !/^[A-Za-z0-9+/=\s]+$/.test(value)) throw wrong;
  try {
    const decoded = atob(value);
    if (marker.test(decoded)) return decoded;
  } catch {
    throw wrong;
  }
  throw wrong;
}

function asFields(value: unknown, what: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalid(`In the kubeconfig, ${what} is not a mapping.`);
  return Object.fromEntries(Object.entries(value));
}

function invalid(message: string): DomainError {
  return new DomainError("invalid_input", message);
}
