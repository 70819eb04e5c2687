export const SUBJECTS: string[];
export type OidcServer = { issuer: string; stop(): Promise<void> };
export function startOidcServer(options: { port?: number; clientId: string; clientSecret: string; redirectUri: string }): Promise<OidcServer>;
