"use client";

import { Search } from "lucide-react";
import { Kbd } from "@/components/ui/kbd";
import { ThemeToggle } from "@/components/ui/theme-toggle";
import { useCommandKeyName } from "./command-key";
import { type FrameEnvironment, EnvironmentSwitcher } from "./environment-switcher";
import { LiveDot, type LiveState } from "./live-dot";
import { type FrameUser, PersonMenu } from "./person-menu";

export type TopBarProps = {
  user: FrameUser;
  environments: FrameEnvironment[];
  current: FrameEnvironment | undefined;
  onEnvironmentChange: (slug: string) => void;
  live: LiveState;
  canSeeSettings: boolean;
  onSearch: () => void;
  onSignOut: () => void;
};

export function TopBar({ user, environments, current, onEnvironmentChange, live, canSeeSettings, onSearch, onSignOut }: TopBarProps) {
  return (
    <header className="sticky top-0 z-30 flex h-13 items-center gap-2 border-b bg-background px-2 sm:px-4">
      <EnvironmentSwitcher environments={environments} current={current} onChange={onEnvironmentChange} />
      <div className="flex flex-1 justify-end sm:justify-center">
        <SearchButton onClick={onSearch} />
      </div>
      <LiveDot live={live} />
      <ThemeToggle className="max-sm:hidden" />
      <PersonMenu user={user} canSeeSettings={canSeeSettings} onSignOut={onSignOut} />
    </header>
  );
}

function SearchButton({ onClick }: { onClick: () => void }) {
  const keyName = useCommandKeyName();
  return (
    <button
      type="button"
      onClick={onClick}
      className="inline-flex h-8 items-center gap-2 rounded-md text-muted-foreground transition-colors hover:text-foreground max-sm:size-8 max-sm:justify-center sm:w-72 sm:border sm:border-input/60 sm:bg-card sm:px-2.5 pointer-coarse:h-11 max-sm:pointer-coarse:w-11"
    >
      <Search aria-hidden className="size-4 shrink-0" />
      <span className="flex-1 text-left max-sm:sr-only">Search and commands</span>
      <span className="max-sm:hidden">
        <Kbd>{keyName}</Kbd>
      </span>
    </button>
  );
}
