import { serveMcp } from "@/lib/platform/mcp";
import { door } from "@/lib/services/registry";
import about from "@/package.json";

export const dynamic = "force-dynamic";

function handle(request: Request): Promise<Response> {
  return serveMcp(door, request, about.version);
}

export { handle as GET, handle as POST, handle as DELETE };
