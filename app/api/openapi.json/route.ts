import { env } from "@/lib/platform/env";
import { openApiDocument } from "@/lib/platform/openapi";
import { PRIVATE_HEADERS } from "@/lib/platform/problem";
import { door } from "@/lib/services/registry";
import about from "@/package.json";

export const dynamic = "force-dynamic";

/** How every operation is called. Open to everybody: it describes the code, and holds nothing of this installation but its address. */
export function GET(): Response {
  return Response.json(openApiDocument(door.operations, { version: about.version, url: env().NEXTAUTH_URL }), { headers: PRIVATE_HEADERS });
}
