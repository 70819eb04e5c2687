import "server-only";

/** Who is asking. */
export type User = { name: string; uid: string; groups: string[]; extra: Record<string, string[]> };

export const anonymous: User = { name: "system:anonymous", uid: "", groups: ["system:unauthenticated"], extra: {} };

export const administrator: User = { name: "lectern-admin", uid: "", groups: ["system:masters", "system:authenticated"], extra: {} };
