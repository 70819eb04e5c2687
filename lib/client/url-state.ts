"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";

export type UrlState = { get(name: string): string | undefined; set(changes: Record<string, string | undefined>): void };

/** What the address says behind the ?: what can be linked to lives there. An empty or missing value takes the parameter out. */
export function useUrlState(): UrlState {
  const router = useRouter();
  const pathname = usePathname();
  const params = useSearchParams();
  return {
    get: (name) => params.get(name) ?? undefined,
    set: (changes) => {
      const next = new URLSearchParams(params);
      for (const [name, value] of Object.entries(changes)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
      router.push(next.size > 0 ? `${pathname}?${next}` : pathname, { scroll: false });
    },
  };
}
