import type { Db } from "@/lib/platform/db";
import { createSignals } from "@/lib/platform/listen";
import { streamEvents } from "@/lib/platform/stream";
import { openLive, type OpenSealed } from "@/lib/services/live-follow";
import { serveRoute, type RouteServer } from "./serve-route";

type LiveDatabase = { db: Db; url: string };

const noSealed: OpenSealed = () => {
  throw new Error("this test seals nothing");
};

/** `/api/events` on a real server with a LISTEN connection of its own, as one replica has it. */
export async function serveLive({ db, url }: LiveDatabase, { open = noSealed, port = 0 }: { open?: OpenSealed; port?: number } = {}): Promise<RouteServer> {
  process.env.DATABASE_URL = url; // the route's own client reads it on first use
  process.env.LECTERN_LOG_LEVEL = "silent";
  const signals = createSignals(url);
  const server = await serveRoute((request) => streamEvents(request, (wanted) => openLive({ db, signals, open }, wanted)), port);
  const close = async () => {
    await server.close();
    await signals.close();
  };
  return { ...server, close };
}
