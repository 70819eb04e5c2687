/** Making one takes a millisecond, reading with it a microsecond. */
const clocks = new Map<string, Intl.DateTimeFormat>();

/** What clocks on the wall show in a time zone (IANA name), as numbers of the parts; throws RangeError for an unknown zone. */
export function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const parts = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" } as const;
  const made = new Intl.DateTimeFormat("en-US", { timeZone, hourCycle: "h23", ...parts });
  clocks.set(timeZone, made);
  return made;
}
