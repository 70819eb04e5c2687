import type { Input, OperationName, Output, ReadName } from "@/lib/services/registry";

/** What an operation takes and gives, for components: they know the services by these types alone. */
export type { Input, Output } from "@/lib/services/registry";

/** A problem document as the browser sees it. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly requestId: string;
  readonly fields: { path: string; message: string }[];

  constructor(problem: { status: number; code: string; title: string; detail: string; requestId: string; errors?: { path: string; message: string }[] }) {
    super(problem.detail);
    this.name = "ApiError";
    this.status = problem.status;
    this.code = problem.code;
    this.title = problem.title;
    this.requestId = problem.requestId;
    this.fields = problem.errors ?? [];
  }
}

function unreachable(): ApiError {
  return new ApiError({ status: 0, code: "offline", title: "Lectern does not answer", detail: "The connection failed. Check the network and try again.", requestId: "" });
}

/** The answer as it is, or an ApiError made of its problem document. */
export async function checked(response: Response): Promise<Response> {
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => null);
  if (body && typeof body === "object" && "code" in body) throw new ApiError(body as ConstructorParameters<typeof ApiError>[0]); // written by lib/platform/problem.ts
  throw new ApiError({ status: response.status, code: "unknown", title: "Unexpected answer", detail: `The server answered with status ${response.status}.`, requestId: response.headers.get("x-request-id") ?? "" });
}

/** The address of a read, for links and pictures. */
export function readUrl<Name extends ReadName>(name: Name, input: Input<Name>): string {
  return `/api/${name}?input=${encodeURIComponent(JSON.stringify(input))}`;
}

/** Calls a read. Rejects with ApiError. */
export async function callRead<Name extends ReadName>(name: Name, input: Input<Name>, signal?: AbortSignal): Promise<Output<Name>> {
  const response = await fetch(readUrl(name, input), { headers: { Accept: "application/json" }, ...(signal ? { signal } : {}) }).catch((error: Error) => {
    throw error.name === "AbortError" ? error : unreachable();
  });
  return (await checked(response)).json() as Promise<Output<Name>>; // the server parsed it with the output schema
}

/** Calls a write. Rejects with ApiError. */
export async function callWrite<Name extends OperationName>(name: Name, input: Input<Name>): Promise<Output<Name>> {
  const response = await fetch(`/api/${name}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(input) }).catch(() => {
    throw unreachable();
  });
  return (await checked(response)).json() as Promise<Output<Name>>; // the server parsed it with the output schema
}
