"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import { Button } from "./button";
import { Menu, MenuChoices } from "./dropdown-menu";

const choices = [
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

export function ThemeToggle() {
  const { theme, setTheme } = useTheme();
  return (
    <Menu
      align="end"
      className="min-w-40"
      trigger={
        <Button variant="ghost" size="icon" aria-label="Theme" title="Theme">
          <Sun aria-hidden className="dark:hidden" />
          <Moon aria-hidden className="hidden dark:block" />
        </Button>
      }
    >
      <MenuChoices label="Theme" value={theme ?? "system"} onChange={setTheme} choices={choices} />
    </Menu>
  );
}
