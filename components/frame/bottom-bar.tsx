"use client";

import { Ellipsis } from "lucide-react";
import Link from "next/link";
import { Menu, MenuItem } from "@/components/ui/dropdown-menu";
import { isCurrentRoute, type NavLink } from "./nav-items";

const slot =
  "flex h-14 min-w-0 flex-1 flex-col items-center justify-center gap-0.5 text-xs font-medium text-muted-foreground outline-offset-[-3px] aria-[current=page]:text-accent data-[state=open]:text-foreground";

const slots = 5;

/** The rail of a phone: what fits in five places, the rest behind the last. */
export function BottomBar({ items, pathname }: { items: NavLink[]; pathname: string }) {
  const shown = items.length <= slots ? items : items.slice(0, slots - 1);
  const rest = items.slice(shown.length);
  return (
    <nav aria-label="Main" className="fixed inset-x-0 bottom-0 z-30 flex border-t bg-card pb-[env(safe-area-inset-bottom)] sm:hidden">
      {shown.map((item) => (
        <Link key={item.href} href={item.address} aria-current={isCurrentRoute(item.href, pathname) ? "page" : undefined} className={slot}>
          <item.icon aria-hidden className="size-5" />
          {item.label}
        </Link>
      ))}
      {rest.length > 0 && <MoreMenu items={rest} pathname={pathname} />}
    </nav>
  );
}

function MoreMenu({ items, pathname }: { items: NavLink[]; pathname: string }) {
  const hasCurrent = items.some((item) => isCurrentRoute(item.href, pathname));
  return (
    <Menu
      align="end"
      side="top"
      trigger={
        <button type="button" className={slot} aria-current={hasCurrent ? "page" : undefined}>
          <Ellipsis aria-hidden className="size-5" />
          More
        </button>
      }
    >
      {items.map((item) => (
        <MenuItem key={item.href} asChild>
          <Link href={item.address}>
            <item.icon aria-hidden />
            {item.label}
          </Link>
        </MenuItem>
      ))}
    </Menu>
  );
}
