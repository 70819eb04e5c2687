import { HydrationBoundary } from "@tanstack/react-query";
import { SettingsPage } from "@/components/settings/settings-page";
import { prefetch } from "@/lib/services/prefetch";

export const metadata = { title: "Settings" };

type Props = { searchParams: Promise<{ tab?: string }> };

export default async function Page({ searchParams }: Props) {
  const { tab } = await searchParams;
  const first = { tokens: ["tokens.list", {}], people: ["users.list", { query: "" }], limits: ["gateway.limits", {}], roles: ["roles.list", {}] } as const;
  const state = await prefetch(tab && tab in first ? first[tab as keyof typeof first] : ["sessions.list", {}]); // `in` has checked the key
  return (
    <HydrationBoundary state={state}>
      <SettingsPage />
    </HydrationBoundary>
  );
}
