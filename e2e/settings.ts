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
/** What the suite was started with; the portals that it starts get it too. Nothing else of the suite reads the environment. */
export const ENVIRONMENT = process.env;
/** The suite takes README's pictures when this is set. */
export const PICTURES_DIR = ENVIRONMENT.PICTURES_DIR;
/** A real cluster's kubeconfig: the deploy journeys then run there, in a namespace of their own. */
export const KUBECONFIG = ENVIRONMENT.E2E_KUBECONFIG;
/** The size that the journeys deploy on; by default one that fits a node. */
export const SKU = ENVIRONMENT.E2E_SKU;
/** One for the whole run: workers get it from the process that read the configuration. */
ENVIRONMENT.E2E_NAMESPACE ??= KUBECONFIG ? `lectern-e2e-${randomBytes(4).toString("hex")}` : "lectern-development";
export const NAMESPACE = ENVIRONMENT.E2E_NAMESPACE;
