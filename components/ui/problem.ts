import { ApiError } from "@/lib/client/api";

/** The parts of an `application/problem+json` answer that a person can use. */
export type Problem = { title: string; detail?: string; requestId?: string };

/** What to show for whatever was thrown: the server's own words where it answered, else one honest sentence. */
export function problemOf(thrown: unknown): Problem {
  if (thrown instanceof ApiError) return { title: thrown.title, detail: thrown.message, requestId: thrown.requestId };
  if (thrown instanceof Error) return { title: "This part of the page failed", detail: thrown.message };
  if (typeof thrown === "object" && thrown !== null && "title" in thrown && typeof thrown.title === "string")
    return { ...thrown, title: thrown.title };
  return { title: "This part of the page failed", detail: "No reason was given. Load the page again." };
}
