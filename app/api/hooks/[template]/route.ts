import { db } from "@/lib/platform/db";
import { answerHook } from "@/lib/services/preview-environments-hook";

export const dynamic = "force-dynamic";

type Context = { params: Promise<{ template: string }> };

/** Webhooks of GitHub and GitLab: docs/operate.md. */
export async function POST(request: Request, { params }: Context): Promise<Response> {
  return answerHook(db(), (await params).template, request);
}
