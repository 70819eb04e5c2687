import "server-only";
import path from "node:path";
import { generate } from "selfsigned";
import { parseJson, textAt } from "../json";
import { readPrivateFile, writePrivateFile } from "./files";

export type Certificates = { caCertificate: string; key: string; certificate: string };

const VALID_DAYS = 3650;
const names = [
  { type: 7 as const, ip: "127.0.0.1" },
  { type: 2 as const, value: "localhost" },
  { type: 2 as const, value: "kubernetes.default.svc" },
];

async function makeCertificates(): Promise<Certificates> {
  const notBeforeDate = new Date(Date.now() - 3_600_000);
  const notAfterDate = new Date(Date.now() + VALID_DAYS * 86_400_000);
  const common = { keyType: "ec", curve: "P-256", algorithm: "sha256", notBeforeDate, notAfterDate } as const;
  const ca = await generate([{ name: "commonName", value: "lectern-sandbox-ca" }], {
    ...common,
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, digitalSignature: true, critical: true },
    ],
  });
  const server = await generate([{ name: "commonName", value: "lectern-sandbox" }], {
    ...common,
    ca: { key: ca.private, cert: ca.cert },
    extensions: [
      { name: "basicConstraints", cA: false },
      { name: "keyUsage", digitalSignature: true, critical: true },
      { name: "extKeyUsage", serverAuth: true },
      { name: "subjectAltName", altNames: names },
    ],
  });
  return { caCertificate: ca.cert, key: server.private, certificate: server.cert };
}

/** The sandbox's own CA and server certificate for 127.0.0.1 and localhost, made once and kept. The CA's key is not kept. */
export async function loadCertificates(directory: string): Promise<Certificates> {
  const file = path.join(directory, "certificates.json");
  const stored = parseJson(readPrivateFile(file) ?? "");
  const caCertificate = textAt(stored, "caCertificate");
  const key = textAt(stored, "key");
  const certificate = textAt(stored, "certificate");
  if (caCertificate !== undefined && key !== undefined && certificate !== undefined) return { caCertificate, key, certificate };
  const made = await makeCertificates();
  writePrivateFile(file, JSON.stringify(made));
  return made;
}
