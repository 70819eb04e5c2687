"use client";

import Link from "next/link";
import { cn } from "@/components/ui/cn";
import { Logo, LogoMark } from "@/components/ui/logo";
import { isCurrentRoute, type NavLink } from "./nav-items";

export type RailProps = { items: NavLink[]; pathname: string };

/** Left rail: icons with words from 1200 px, icons with their word on hover below; a phone has the bottom bar instead. */
export function Rail({ items, pathname }: RailProps) {
  const groups = [items.filter((item) => item.group === "work"), items.filter((item) => item.group === "manage")];
  return (
    <aside className="sticky top-0 hidden h-dvh w-14 shrink-0 flex-col gap-4 overflow-y-auto border-r bg-card px-2 py-3 sm:flex rail:w-52 rail:px-3">
      <Link href="/" aria-label="Lectern, overview" className="flex h-8 items-center rounded-md max-rail:justify-center rail:px-1">
        <Logo className="max-rail:hidden" />
        <LogoMark className="rail:hidden" />
      </Link>
      <nav aria-label="Main" className="flex flex-1 flex-col">
        {groups.map((group, index) => (
          <ul key={index} className={cn("grid gap-0.5", index > 0 && group.length > 0 && "mt-3 border-t pt-3")}>
            {group.map((item) => (
              <li key={item.href}>
                <RailLink item={item} isCurrent={isCurrentRoute(item.href, pathname)} />
              </li>
            ))}
          </ul>
        ))}
      </nav>
    </aside>
  );
}

function RailLink({ item, isCurrent }: { item: NavLink; isCurrent: boolean }) {
  const Icon = item.icon;
  return (
    <Link
      href={item.address}
      title={item.label}
      aria-current={isCurrent ? "page" : undefined}
      className="relative flex h-9 items-center gap-2.5 rounded-md px-2 font-medium text-muted-foreground transition-colors hover:bg-muted hover:text-foreground aria-[current=page]:bg-accent/9 aria-[current=page]:text-accent max-rail:justify-center pointer-coarse:h-11"
    >
      <Icon aria-hidden className="size-4.5 shrink-0" />
      <span className="max-rail:sr-only">{item.label}</span>
    </Link>
  );
}
