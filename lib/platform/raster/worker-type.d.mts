export const endings: ReadonlyMap<string, readonly string[]>;
