/** What every page has of the list of deployments: the newest. The list's own page has the rest. */
export const RECENT_DEPLOYMENTS = { limit: 100 } as const;

/** What the list's page reads at a time, and how many more with each click. */
export const DEPLOYMENTS_PAGE = 25;
