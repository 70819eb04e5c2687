import { db } from "@/lib/platform/db";
import { liveSignals } from "@/lib/platform/listen";
import { streamEvents } from "@/lib/platform/stream";
import { openLive } from "@/lib/services/live-follow";
import { openLiveText } from "@/lib/services/run-rows";

export const dynamic = "force-dynamic";

/** Everything that a tab follows, in one stream: deployments, runs, environments, usage. */
export function GET(request: Request): Promise<Response> {
  return streamEvents(request, (wanted) => openLive({ db: db(), signals: liveSignals(), open: (sealed, { topic }) => openLiveText(topic, sealed) }, wanted));
}
