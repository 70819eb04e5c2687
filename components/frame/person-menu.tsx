"use client";

import { LogOut, Settings } from "lucide-react";
import Link from "next/link";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/dropdown-menu";
import { ThemeChoices } from "@/components/ui/theme-toggle";

export type FrameUser = { name: string; email: string };

export function PersonMenu({ user, canSeeSettings, onSignOut }: { user: FrameUser; canSeeSettings: boolean; onSignOut: () => void }) {
  return (
    <Menu
      align="end"
      className="min-w-56"
      trigger={
        <Button variant="ghost" size="icon" className="rounded-full" aria-label={`Account of ${user.name}`} title={user.name}>
          <span aria-hidden className="grid size-7 place-items-center rounded-full bg-accent text-xs font-semibold text-accent-foreground">
            {initials(user.name)}
          </span>
        </Button>
      }
    >
      <div className="grid px-2 py-1.5">
        <span className="font-medium break-words">{user.name}</span>
        <span className="text-sm break-words text-muted-foreground">{user.email}</span>
      </div>
      <MenuSeparator />
      {canSeeSettings && (
        <MenuItem asChild>
          <Link href="/settings">
            <Settings aria-hidden />
            Sessions and tokens
          </Link>
        </MenuItem>
      )}
      <div className="sm:hidden">
        <ThemeChoices />
        <MenuSeparator />
      </div>
      <MenuItem onSelect={onSignOut}>
        <LogOut aria-hidden />
        Sign out
      </MenuItem>
    </Menu>
  );
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  return [words[0], words.length > 1 ? words.at(-1) : ""].map((word) => word?.charAt(0).toUpperCase() ?? "").join("") || "?";
}
