import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, type APIRequestContext } from "@playwright/test";
import type { Input, OperationName, Output, ReadName } from "@/lib/services/registry";
import { BASE_URL, OWNER, OWNER_LINK_FILE, SAMPLES_DIR } from "./settings";

/** The operations over HTTP with a person's cookie, for what a test needs before and after, and never for what it is about. */
export class PortalApi {
  private readonly sameOrigin: { Origin: string };

  constructor(readonly request: APIRequestContext, origin: string = BASE_URL) {
    this.sameOrigin = { Origin: origin };
  }

  async read<Name extends ReadName>(name: Name, input: Input<Name>): Promise<Output<Name>> {
    const response = await this.request.get(`/api/${name}?input=${encodeURIComponent(JSON.stringify(input))}`);
    expect(response.status(), `${name}: ${response.ok() ? "" : await response.text()}`).toBe(200);
    return (await response.json()) as Output<Name>; // the server parsed it with the output schema
  }

  async write<Name extends OperationName>(name: Name, input: Input<Name>): Promise<Output<Name>> {
    const response = await this.request.post(`/api/${name}`, { headers: this.sameOrigin, data: input });
    expect(response.status(), `${name}: ${response.ok() ? "" : await response.text()}`).toBe(200);
    return (await response.json()) as Output<Name>; // as above
  }

  async upload(file: string, environmentId: string): Promise<Output<"documents.upload">> {
    const input = encodeURIComponent(JSON.stringify({ environmentId, name: file }));
    const response = await this.request.put(`/api/documents.upload?input=${input}`, { headers: { ...this.sameOrigin, "Content-Type": "application/octet-stream" }, data: readFileSync(path.join(SAMPLES_DIR, file)) });
    expect(response.status(), file).toBe(200);
    return (await response.json()) as Output<"documents.upload">; // as above
  }

  async signIn(email: string, password: string): Promise<void> {
    const { csrfToken } = (await (await this.request.get("/api/auth/csrf")).json()) as { csrfToken: string }; // next-auth's fixed answer
    const response = await this.request.post("/api/auth/callback/credentials", { headers: this.sameOrigin, data: { email, password, csrfToken, json: "true" } });
    expect(response.status(), "sign-in").toBe(200);
  }

  async environment(slug: string) {
    const { environments } = await this.read("environments.list", {});
    const found = environments.find((each) => each.slug === slug);
    if (!found) throw new Error(`there is no environment ${slug}`);
    return found;
  }
}

/** Makes the owner with the printed link, for a spec that runs without the journey. */
export async function becomeOwner(api: PortalApi): Promise<void> {
  const secret = readFileSync(OWNER_LINK_FILE, "utf8").split("#")[1] ?? "";
  await api.write("links.redeemOwner", { secret, ...OWNER });
  await api.signIn(OWNER.email, OWNER.password);
}
