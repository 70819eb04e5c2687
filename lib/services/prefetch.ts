import "server-only";
import { randomUUID } from "node:crypto";
import { dehydrate, QueryClient, type DehydratedState } from "@tanstack/react-query";
import { headers } from "next/headers";
import { cache } from "react";
import type { Caller } from "@/lib/domain/caller";
import { DomainError } from "@/lib/domain/errors";
import { db } from "@/lib/platform/db";
import { identify } from "./identify";
import { findOperation, type Input, type ReadName } from "./registry";
import { execute } from "./pipeline";

/** Who looks at the page; once per request. */
export const pageCaller = cache(async (): Promise<Caller> => identify(db(), { headers: new Headers(await headers()), origin: "ui", requestId: randomUUID() }));

type Wanted = { [Name in ReadName]: readonly [Name, Input<Name>] }[ReadName];

/** Runs a page's first reads in the process, through the same pipeline, and hands them to the browser's query cache. What is refused stays out: the browser asks again and shows why. */
export async function prefetch(...wanted: Wanted[]): Promise<DehydratedState> {
  const caller = await pageCaller();
  const client = new QueryClient();
  await Promise.all(wanted.map((one) => load(client, caller, one)));
  return dehydrate(client);
}

async function load(client: QueryClient, caller: Caller, [name, input]: Wanted): Promise<void> {
  const operation = findOperation(name);
  if (!operation) return;
  const [entity, verb] = name.split(".");
  try {
    client.setQueryData([entity, verb, input], await execute(operation, { db: db(), caller, input }));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}
