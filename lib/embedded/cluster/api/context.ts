import "server-only";
import type { Rbac } from "../access/rbac";
import type { Tokens } from "../access/tokens";
import type { LogBook } from "../agent/log-book";
import type { Registry } from "../registry/registry";
import type { Store } from "../store/store";

/** What the handlers of the API work with. */
export type ApiContext = {
  store: Store;
  registry: Registry;
  rbac: Rbac;
  tokens: Tokens;
  logs: LogBook;
  engineUrl: string;
  /** `127.0.0.1:port` of this server, as discovery tells it. */
  address: () => string;
  /** Ends with the server: every stream listens. */
  stopping: AbortSignal;
};
