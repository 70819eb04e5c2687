"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import { Button } from "./button";
import { Menu, MenuChoices } from "./dropdown-menu";

const themes = [
  {
    value: "light",
    label: (
      <>
        <Sun aria-hidden /> Light
      </>
    ),
  },
  {
    value: "dark",
    label: (
      <>
        <Moon aria-hidden /> Dark
      </>
    ),
  },
  {
    value: "system",
    label: (
      <>
        <Monitor aria-hidden /> As the system
      </>
    ),
  },
];

/** The three themes inside a menu. */
export function ThemeChoices() {
  const { theme, setTheme } = useTheme();
  return <MenuChoices label="Theme" value={theme ?? "system"} onChange={setTheme} choices={themes} />;
}

export function ThemeToggle({ className }: { className?: string }) {
  return (
    <Menu
      align="end"
      className="min-w-40"
      trigger={
        <Button variant="ghost" size="icon" aria-label="Theme" title="Theme" className={className}>
          <Sun aria-hidden className="dark:hidden" />
          <Moon aria-hidden className="hidden dark:block" />
        </Button>
      }
    >
      <ThemeChoices />
    </Menu>
  );
}
