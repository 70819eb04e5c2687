import { readiness } from "@/lib/services/readiness";

export const dynamic = "force-dynamic";

/** The database answers and is at this version of the code. */
export async function GET(): Promise<Response> {
  const state = await readiness();
  return Response.json(state, { status: state.ready ? 200 : 503, headers: { "Cache-Control": "no-store" } });
}
