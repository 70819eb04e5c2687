import { dispatch } from "@/lib/platform/http";
import { door } from "@/lib/services/registry";

export const dynamic = "force-dynamic";

type Context = { params: Promise<{ operation: string }> };

async function handle(request: Request, { params }: Context): Promise<Response> {
  return dispatch(door, (await params).operation, request);
}

export { handle as GET, handle as POST, handle as PUT, handle as PATCH, handle as DELETE };
