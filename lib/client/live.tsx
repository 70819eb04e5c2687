"use client";

import { useQueryClient, type QueryClient, type QueryKey } from "@tanstack/react-query";
import { createContext, useContext, useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from "react";
import type { LiveEvent, Topic, TopicKind } from "@/lib/domain/live-topic";
import { readKey } from "./hooks";
import { LiveConnection, type LiveState } from "./live-connection";

const LiveContext = createContext<LiveConnection | null>(null);
const CONNECTING: LiveState = { status: "connecting" };

/** The reads that are about a topic, as the first part of their query keys. */
const READS: Record<TopicKind, string[]> = {
  deployment: ["deployments"],
  run: ["runs"],
  environment: ["environments", "deployments"],
  usage: ["usage", "costs"],
};

type LiveProviderProps = { children: ReactNode };

/** Holds the tab's one live stream; stands inside the query client's provider. */
export function LiveProvider({ children }: LiveProviderProps) {
  const client = useQueryClient();
  const [connection] = useState(() => openConnection(client));
  useEffect(() => {
    const follow = () => (document.hidden ? connection.pause() : connection.resume());
    document.addEventListener("visibilitychange", follow);
    return () => document.removeEventListener("visibilitychange", follow);
  }, [connection]);
  return <LiveContext value={connection}>{children}</LiveContext>;
}

/** Whoever signed in again in between has a new session: the stream goes on with it. */
function openConnection(client: QueryClient): LiveConnection {
  const isSignedIn = () => client.getQueryState(readKey("account.get", {}))?.status === "success";
  const connection: LiveConnection = new LiveConnection({
    onSignedOut: () => void client.invalidateQueries({ queryKey: ["account"] }).then(() => isSignedIn() && connection.resume()),
  });
  return connection;
}

function useConnection(): LiveConnection {
  const connection = useContext(LiveContext);
  if (!connection) throw new Error("useLive stands inside LiveProvider");
  return connection;
}

type LiveOptions = { reads?: QueryKey[] };

/**
 * Follows a topic while the component is there; `null` follows nothing. The topic's reads (`reads`, else those of its kind) are read again once when
 * the server has begun to follow it, so nothing between the first read and the stream is missed. Without `onEvent` each event reads them again.
 */
export function useLive(topic: Topic | null, onEvent?: (event: LiveEvent) => void, { reads }: LiveOptions = {}): void {
  const connection = useConnection();
  const client = useQueryClient();
  const latest = useRef({ onEvent, reads });
  useEffect(() => {
    latest.current = { onEvent, reads };
  });
  useEffect(() => {
    if (topic === null) return;
    const readAgain = () => {
      const keys = latest.current.reads ?? readsOf(topic);
      for (const queryKey of keys) void client.invalidateQueries({ queryKey });
    };
    return connection.subscribe(topic, {
      onEvent: (event) => (latest.current.onEvent ? latest.current.onEvent(event) : readAgain()),
      onSync: readAgain,
    });
  }, [connection, client, topic]);
}

function readsOf(topic: Topic): QueryKey[] {
  const kind = topic.split(":")[0] as TopicKind; // a Topic begins with its kind
  return READS[kind].map((entity) => [entity]);
}

/** Whether the page is up to date: live, connecting, stale since a time, or following nothing. */
export function useLiveState(): LiveState {
  const connection = useConnection();
  return useSyncExternalStore(connection.onState, connection.state, () => CONNECTING);
}
