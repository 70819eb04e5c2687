export const dynamic = "force-dynamic";

/** The process lives. Whether it can work is /api/ready. */
export function GET(): Response {
  return Response.json({ status: "live" }, { headers: { "Cache-Control": "no-store" } });
}
