import { checked } from "./api";

type Redirect = { url: string };

async function post(path: string, body: Record<string, string>): Promise<Redirect> {
  const csrf = await checked(await fetch("/api/auth/csrf"));
  const { csrfToken } = (await csrf.json()) as { csrfToken: string }; // next-auth's fixed answer
  const payload = JSON.stringify({ ...body, csrfToken, json: "true" });
  const response = await fetch(`/api/auth/${path}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: payload });
  return (await checked(response)).json() as Promise<Redirect>; // next-auth's answer to json: "true"
}

/** Only a path of this portal: never another site, whatever the address bar said. */
export function safePath(next: string | null | undefined): string {
  return next && /^\/(?![/\\])/.test(next) ? next : "/";
}

/** Signs in with e-mail and password; rejects with ApiError. The cookie is set afterwards. */
export async function signInWithPassword(values: { email: string; password: string }): Promise<void> {
  await post("callback/credentials", values);
}

/** Leaves for the identity provider, which sends the browser back to `next`. `isAgain` has it ask anew, although it knows the person. */
export async function signInWithProvider(next: string, { isAgain = false } = {}): Promise<void> {
  const { url } = await post(isAgain ? "signin/oidc?prompt=login&max_age=0" : "signin/oidc", { callbackUrl: safePath(next) });
  window.location.assign(url);
}

/** Leaves for the sign-in page after the session ended elsewhere, with the way back; a full load, so that nothing read before stays in memory. */
export function leaveForSignIn(): void {
  const { pathname, search } = window.location;
  const target = `/login?${new URLSearchParams({ error: "SessionEnded", next: pathname + search })}`;
  window.location.replace(target);
}

/** Ends the session at the server and leaves for the sign-in page with a full load, so that nothing read before stays in memory. */
export async function signOut(): Promise<void> {
  const { url } = await post("signout", { callbackUrl: "/login" });
  window.location.assign(url);
}
