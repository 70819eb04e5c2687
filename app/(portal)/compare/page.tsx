import { HydrationBoundary } from "@tanstack/react-query";
import { ComparePage } from "@/components/compare/compare-page";
import { prefetch } from "@/lib/services/prefetch";

export const metadata = { title: "Compare" };

export default async function Page() {
  const state = await prefetch(["compare.list", {}], ["engines.list", {}]);
  return (
    <HydrationBoundary state={state}>
      <ComparePage />
    </HydrationBoundary>
  );
}
