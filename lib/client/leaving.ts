import type { QueryClient } from "@tanstack/react-query";

/** Ids of things that this tab is deleting: nothing about them is read again, so that no page asks for what it has just taken away. */
const leaving = new Set<string>();
let isSigningOut = false;

/** From here on nothing is read any more: who signs out would only be refused. The answer takes it back. */
export function leaveEverything(): () => void {
  isSigningOut = true;
  return () => {
    isSigningOut = false;
  };
}

export function isLeaving(input: unknown): boolean {
  if (isSigningOut) return true;
  if (leaving.size === 0 || typeof input !== "object" || input === null) return false;
  return Object.values(input).some((value) => typeof value === "string" && leaving.has(value));
}

/** Runs the deletion of a thing; reads of it that are under way are given up. Rejects as `remove` does, and then the thing is read as before. */
export async function whileLeaving<T>(client: QueryClient, id: string, remove: () => Promise<T>): Promise<T> {
  leaving.add(id);
  const giveUp = () => client.cancelQueries({ predicate: ({ queryKey }) => Object.values(queryKey[2] ?? {}).includes(id) });
  await giveUp();
  return remove().catch(async (error: unknown) => {
    leaving.delete(id);
    await giveUp(); // also those that waited and never began
    throw error;
  });
}
