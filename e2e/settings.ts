import { randomBytes } from "node:crypto";
import path from "node:path";

export const PORT = 3100;
export const BASE_URL = `http://localhost:${PORT}`;
export const OIDC_PORT = 3190;
export const OIDC_NAME = "the test provider";
export const DATA_DIR = ".data/e2e";
export const OWNER_LINK_FILE = path.join(DATA_DIR, "owner-link.txt");
export const OWNER_STATE_FILE = path.join(DATA_DIR, "owner.json");
export const OWNER = { name: "Owner", email: "owner@example.com", password: "a long passphrase for tests" };
export const SAMPLES_DIR = "public/samples";
/** The suite takes README's pictures when this is set. */
export const PICTURES_DIR = process.env.PICTURES_DIR;
/** A real cluster's kubeconfig: the deploy journeys then run there, in a namespace of their own. */
export const KUBECONFIG = process.env.E2E_KUBECONFIG;
/** One for the whole run: workers get it from the process that read the configuration. */
process.env.E2E_NAMESPACE ??= KUBECONFIG ? `lectern-e2e-${randomBytes(4).toString("hex")}` : "lectern-development";
export const NAMESPACE = process.env.E2E_NAMESPACE;
