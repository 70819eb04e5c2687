import "server-only";
import { randomUUID } from "node:crypto";
import { openAiError } from "@/lib/platform/gateway-errors";
import { PRIVATE_HEADERS } from "@/lib/platform/problem";
import { admitCaller, type Gateway } from "./gateway";

/** Answers `GET /v1/models`: what this token may have pages read by, under the names that requests use. */
export async function answerModels(gateway: Gateway, request: Request): Promise<Response> {
  const requestId = randomUUID();
  try {
    const { actor } = await admitCaller(gateway, request, requestId);
    const offers = await gateway.offers(actor);
    const names = new Map<string, Date>();
    for (const offer of offers)
      for (const name of [offer.name, ...offer.shared.slice(0, 1)]) names.set(`${offer.environment.slug}/${name}`, offer.createdAt);
    const data = [...names].map(([id, createdAt]) => ({ id, object: "model", created: Math.floor(createdAt.getTime() / 1000), owned_by: id.slice(0, id.indexOf("/")) }));
    return Response.json({ object: "list", data }, { headers: { ...PRIVATE_HEADERS, "X-Request-Id": requestId } });
  } catch (error) {
    return openAiError(error, requestId);
  }
}
