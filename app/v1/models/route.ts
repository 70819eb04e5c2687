import { gateway } from "@/lib/services/gateway";
import { answerModels } from "@/lib/services/gateway-models";

export const dynamic = "force-dynamic";

/** The names under which this token may have pages read: docs/gateway.md. */
export function GET(request: Request): Promise<Response> {
  return answerModels(gateway(), request);
}
