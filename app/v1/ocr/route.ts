import { gateway } from "@/lib/services/gateway";
import { answerOcr } from "@/lib/services/gateway-ocr";

export const dynamic = "force-dynamic";

/** Mistral's OCR API: docs/gateway.md. */
export function POST(request: Request): Promise<Response> {
  return answerOcr(gateway(), request);
}
