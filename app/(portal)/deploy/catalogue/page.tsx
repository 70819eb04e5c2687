import { HydrationBoundary } from "@tanstack/react-query";
import { CataloguePage } from "@/components/deploy/catalogue-page";
import { prefetch } from "@/lib/services/prefetch";

export const metadata = { title: "Catalogue" };

export default async function Catalogue() {
  const state = await prefetch(["catalog.get", {}], ["account.get", {}]);
  return (
    <HydrationBoundary state={state}>
      <CataloguePage />
    </HydrationBoundary>
  );
}
