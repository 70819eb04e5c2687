export const FORGES = ["github", "gitlab"] as const;
export type Forge = (typeof FORGES)[number];

/** Where comments go when nobody says otherwise. */
export const FORGE_API: Record<Forge, string> = { github: "https://api.github.com", gitlab: "https://gitlab.com/api/v4" };
export const FORGE_NAMES: Record<Forge, string> = { github: "GitHub", gitlab: "GitLab" };

export const END_REASONS = ["merged", "closed", "expired", "budget", "person"] as const;
export type EndReason = (typeof END_REASONS)[number];

export const END_WORDS: Record<EndReason, string> = { merged: "it was merged", closed: "it was closed", expired: "its time was over", budget: "its budget was spent", person: "somebody removed it" };
