import { DomainError } from "@/lib/domain/errors";
import { db } from "@/lib/platform/db";
import { liveSignals } from "@/lib/platform/listen";
import { streamEvents } from "@/lib/platform/stream";
import { openLive } from "@/lib/services/live-follow";

export const dynamic = "force-dynamic";

/** Everything that a tab follows, in one stream: deployments, runs, environments, usage. */
export function GET(request: Request): Promise<Response> {
  return streamEvents(request, (wanted) => openLive({ db: db(), signals: liveSignals(), open: openText }, wanted));
}

function openText(): never {
  throw new DomainError("unavailable", "Sealed text cannot be opened yet.");
}
