import { handleAuth } from "@/lib/platform/auth-handler";
import { db } from "@/lib/platform/db";
import { signInRules } from "@/lib/services/sign-in";

export const dynamic = "force-dynamic";

async function handle(request: Request): Promise<Response> {
  return handleAuth(request, signInRules(db()));
}

export { handle as GET, handle as POST };
