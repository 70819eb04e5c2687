import { gateway } from "@/lib/services/gateway";
import { answerChat } from "@/lib/services/gateway-chat";

export const dynamic = "force-dynamic";

/** OpenAI's chat completions, for one page a request: docs/gateway.md. */
export function POST(request: Request): Promise<Response> {
  return answerChat(gateway(), request);
}
