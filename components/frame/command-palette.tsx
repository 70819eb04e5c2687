"use client";

import { Command } from "cmdk";
import { type LucideIcon, Monitor, Moon, Search, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import { Dialog } from "radix-ui";
import type { ReactNode } from "react";
import { EnvironmentMark } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { overlayClass } from "@/components/ui/dialog";
import type { FrameEnvironment } from "./environment-switcher";
import type { NavLink } from "./nav-items";

export type PaletteAction = {
  id: string;
  label: string;
  icon?: LucideIcon;
  group?: string;
  keywords?: string[];
  hint?: ReactNode;
  onSelect: () => void;
};

export type CommandPaletteProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  items: NavLink[];
  environments: FrameEnvironment[];
  actions: PaletteAction[];
  onSearch?: ((text: string) => void) | undefined;
  onNavigate: (href: string) => void;
  onEnvironmentChange: (slug: string) => void;
};

export function CommandPalette({ open, onOpenChange, ...content }: CommandPaletteProps) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={overlayClass} />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-50 w-[calc(100%-2rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-lg border bg-popover text-popover-foreground shadow-float data-[state=open]:animate-in data-[state=open]:fade-in-0"
        >
          <Dialog.Title className="sr-only">Search and commands</Dialog.Title>
          <PaletteList {...content} onDone={() => onOpenChange(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

type PaletteListProps = Omit<CommandPaletteProps, "open" | "onOpenChange"> & { onDone: () => void };

const themes = [
  { value: "light", label: "Light theme", icon: Sun },
  { value: "dark", label: "Dark theme", icon: Moon },
  { value: "system", label: "Theme as the system", icon: Monitor },
];

function PaletteList({ items, environments, actions, onSearch, onNavigate, onEnvironmentChange, onDone }: PaletteListProps) {
  const { setTheme } = useTheme();
  const groups = [...new Set(actions.map((action) => action.group ?? "Actions"))];
  function then(deed: () => void) {
    return () => {
      onDone();
      deed();
    };
  }
  return (
    <Command label="Search and commands" loop>
      <div className="flex items-center gap-2.5 border-b px-4">
        <Search aria-hidden className="size-4 shrink-0 text-muted-foreground" />
        <Command.Input
          placeholder="Go to a page, change something…"
          onValueChange={(text) => onSearch?.(text.trim().slice(0, 100))}
          className="h-12 w-full bg-transparent text-lg outline-none placeholder:text-muted-foreground"
        />
      </div>
      <Command.List className="max-h-[min(24rem,60vh)] overflow-y-auto p-1.5">
        <Command.Empty className="px-4 py-8 text-center text-muted-foreground">Nothing has that name.</Command.Empty>
        {groups.map((group) => (
          <PaletteGroup key={group} heading={group}>
            {actions
              .filter((action) => (action.group ?? "Actions") === group)
              .map((action) => (
                <PaletteItem
                  key={action.id}
                  value={action.id}
                  label={action.label}
                  keywords={action.keywords}
                  icon={action.icon}
                  hint={action.hint}
                  onSelect={then(action.onSelect)}
                />
              ))}
          </PaletteGroup>
        ))}
        <PaletteGroup heading="Go to">
          {items.map((item) => (
            <PaletteItem
              key={item.href}
              value={`go ${item.href}`}
              label={item.label}
              keywords={item.keywords}
              icon={item.icon}
              onSelect={then(() => onNavigate(item.address))}
            />
          ))}
        </PaletteGroup>
        <PaletteGroup heading="Environment">
          {environments.map((environment) => (
            <PaletteItem
              key={environment.slug}
              value={`environment ${environment.slug}`}
              label={environment.name}
              hint={<EnvironmentMark kind={environment.kind} />}
              onSelect={then(() => onEnvironmentChange(environment.slug))}
            />
          ))}
        </PaletteGroup>
        <PaletteGroup heading="Theme">
          {themes.map((theme) => (
            <PaletteItem
              key={theme.value}
              value={`theme ${theme.value}`}
              label={theme.label}
              icon={theme.icon}
              onSelect={then(() => setTheme(theme.value))}
            />
          ))}
        </PaletteGroup>
      </Command.List>
    </Command>
  );
}

function PaletteGroup({ heading, children }: { heading: string; children: ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-sm [&_[cmdk-group-heading]]:text-muted-foreground"
    >
      {children}
    </Command.Group>
  );
}

type PaletteItemProps = { value: string; label: string; keywords?: string[]; icon?: LucideIcon; hint?: ReactNode; onSelect: () => void };

function PaletteItem({ value, label, keywords = [], icon: Icon, hint, onSelect }: PaletteItemProps) {
  return (
    <Command.Item
      value={value}
      keywords={[label, ...keywords]}
      onSelect={onSelect}
      className={cn(
        "flex min-h-9 cursor-default items-center gap-2.5 rounded-md px-2.5 data-[selected=true]:bg-muted pointer-coarse:min-h-11",
      )}
    >
      {Icon && <Icon aria-hidden className="size-4 shrink-0 text-muted-foreground" />}
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {hint && <span className="shrink-0 text-sm text-muted-foreground">{hint}</span>}
    </Command.Item>
  );
}
