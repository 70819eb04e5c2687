import { HydrationBoundary } from "@tanstack/react-query";
import { EnvironmentTablePage } from "@/components/environments/environment-table-page";
import { prefetch } from "@/lib/services/prefetch";

export const metadata = { title: "Environments" };

export default async function Page() {
  const state = await prefetch(["environments.list", {}]);
  return (
    <HydrationBoundary state={state}>
      <EnvironmentTablePage />
    </HydrationBoundary>
  );
}
