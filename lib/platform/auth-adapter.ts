import "server-only";
import type { NextApiRequest, NextApiResponse } from "next";
import NextAuth, { type AuthOptions } from "next-auth";
import { readJson } from "./http";

/** next-auth's answer, gathered from the calls that it makes on a response object. */
function recorder() {
  const headers = new Map<string, string | string[]>();
  const state = { status: 200, body: null as string | null };
  const response = {
    status: (code: number) => ((state.status = code), response),
    setHeader: (name: string, value: string | string[]) => (headers.set(name.toLowerCase(), value), response),
    getHeader: (name: string) => headers.get(name.toLowerCase()),
    json: (body: unknown) => (response.setHeader("Content-Type", "application/json"), response.send(JSON.stringify(body))),
    send: (body: unknown) => void (state.body = typeof body === "object" ? JSON.stringify(body) : String(body ?? "")),
    end: () => undefined,
  };
  return { response, toResponse: () => new Response(state.body, { status: state.status, headers: pairs(headers) }) };
}

function pairs(headers: Map<string, string | string[]>): [string, string][] {
  return [...headers].flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one]));
}

function cookiesOf(request: Request): Record<string, string> {
  const parts = request.headers.get("cookie")?.split(";") ?? [];
  return Object.fromEntries(parts.map((part) => [part.slice(0, part.indexOf("=")).trim(), decode(part.slice(part.indexOf("=") + 1).trim())]));
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/**
 * Asks next-auth by its plain request and response form, which needs nothing around it: a Request goes in, a Response comes out.
 * `segments` is the path behind /api/auth. Bodies are JSON, as everywhere else.
 */
export async function askNextAuth(request: Request, segments: string[], options: AuthOptions): Promise<Response> {
  const { response, toResponse } = recorder();
  const plain = {
    method: request.method,
    headers: Object.fromEntries(request.headers),
    cookies: cookiesOf(request),
    query: { ...Object.fromEntries(new URL(request.url).searchParams), nextauth: segments },
    body: request.method === "POST" ? await readJson(request) : undefined,
  };
  await NextAuth(plain as unknown as NextApiRequest, response as unknown as NextApiResponse, options); // the fields and methods that next-auth 4.24 uses of them
  return toResponse();
}
