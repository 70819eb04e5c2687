"use client";

import { usePathname, useRouter } from "next/navigation";
import { lazy, type ReactNode, Suspense, useCallback, useState } from "react";
import { BottomBar } from "./bottom-bar";
import { useCommandKey } from "./command-key";
import type { PaletteAction } from "./command-palette";
import type { FrameEnvironment } from "./environment-switcher";
import type { LiveState } from "./live-dot";
import { navItems, routeAddress } from "./nav-items";
import type { FrameUser } from "./person-menu";
import { Rail } from "./rail";
import { mainId, SkipLink } from "./skip-link";
import { TopBar } from "./top-bar";

// Nobody pays for the palette before the first ⌘K.
const CommandPalette = lazy(() => import("./command-palette").then((file) => ({ default: file.CommandPalette })));

export type AppFrameProps = {
  user: FrameUser;
  environments: FrameEnvironment[];
  /** Slug of the environment that the page is about. */
  environment: string | null;
  onEnvironmentChange: (slug: string) => void;
  /** Routes the person may use: `visibleRoutes(can)`. */
  canSee: string[];
  live: LiveState;
  /** Further commands: deploy, stop, open a deployment. */
  actions?: PaletteAction[];
  /** Hears what is typed into the palette, for commands that are looked up: of ten thousand deployments it holds a few. */
  onSearch?: (text: string) => void;
  onSignOut: () => void;
  children: ReactNode;
};

export function AppFrame({
  user,
  environments,
  environment,
  onEnvironmentChange,
  canSee,
  live,
  actions = [],
  onSearch,
  onSignOut,
  children,
}: AppFrameProps) {
  const pathname = usePathname();
  const router = useRouter();
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [wasPaletteOpened, setPaletteOpened] = useState(false);
  const setPalette = useCallback((open: boolean) => {
    setPaletteOpen(open);
    if (open) setPaletteOpened(true);
  }, []);
  useCommandKey(useCallback(() => setPalette(true), [setPalette]));

  const items = navItems.filter((item) => canSee.includes(item.href)).map((item) => ({ ...item, address: routeAddress(item.href, environment) }));
  const current = environments.find((each) => each.slug === environment);

  return (
    <div className="flex min-h-dvh">
      <SkipLink />
      {current?.kind === "production" && (
        <div data-slot="production-bar" aria-hidden className="fixed inset-x-0 top-0 z-40 h-[3px] bg-env-production" />
      )}
      <Rail items={items} pathname={pathname} />
      <div className="flex min-w-0 flex-1 flex-col">
        <TopBar
          user={user}
          environments={environments}
          current={current}
          onEnvironmentChange={onEnvironmentChange}
          live={live}
          canSeeSettings={canSee.includes("/settings")}
          onSearch={() => setPalette(true)}
          onSignOut={onSignOut}
        />
        <main id={mainId} tabIndex={-1} className="min-w-0 flex-1 outline-none max-sm:pb-16">
          {children}
        </main>
      </div>
      <BottomBar items={items} pathname={pathname} />
      {wasPaletteOpened && (
        <Suspense>
          <CommandPalette
            open={isPaletteOpen}
            onOpenChange={setPalette}
            items={items}
            environments={environments}
            actions={actions}
            onSearch={onSearch}
            onNavigate={(href) => router.push(href)}
            onEnvironmentChange={onEnvironmentChange}
          />
        </Suspense>
      )}
    </div>
  );
}
