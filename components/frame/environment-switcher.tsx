"use client";

import { ChevronDown } from "lucide-react";
import type { EnvironmentKind } from "@/lib/domain/environment";
import { EnvironmentMark } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Menu, MenuChoices, MenuLabel } from "@/components/ui/dropdown-menu";

export type FrameEnvironment = { slug: string; name: string; kind: EnvironmentKind };

export type EnvironmentSwitcherProps = {
  environments: FrameEnvironment[];
  current: FrameEnvironment | undefined;
  onChange: (slug: string) => void;
};

export function EnvironmentSwitcher({ environments, current, onChange }: EnvironmentSwitcherProps) {
  if (environments.length === 0) return null;
  return (
    <Menu
      className="min-w-56"
      trigger={
        <Button variant="ghost" className="min-w-0 shrink px-2" aria-label={`Environment: ${current?.name ?? "none chosen"}`}>
          {current && <EnvironmentMark kind={current.kind} />}
          <span className="truncate">{current?.name ?? "Choose an environment"}</span>
          <ChevronDown aria-hidden className="text-muted-foreground" />
        </Button>
      }
    >
      <MenuLabel>Environment</MenuLabel>
      <MenuChoices
        label="Environment"
        value={current?.slug ?? ""}
        onChange={onChange}
        choices={environments.map((environment) => ({ value: environment.slug, label: <EnvironmentChoice environment={environment} /> }))}
      />
    </Menu>
  );
}

function EnvironmentChoice({ environment }: { environment: FrameEnvironment }) {
  const isNamedByKind = environment.name.toLowerCase() === environment.kind;
  return (
    <span className="flex min-w-0 items-center gap-2">
      <EnvironmentMark kind={environment.kind} />
      <span className="truncate">{environment.name}</span>
      {!isNamedByKind && <span className="text-sm text-muted-foreground">{environment.kind}</span>}
    </span>
  );
}
