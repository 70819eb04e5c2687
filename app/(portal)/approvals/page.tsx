import { HydrationBoundary } from "@tanstack/react-query";
import { ApprovalsPage } from "@/components/approvals/approvals-page";
import { prefetch } from "@/lib/services/prefetch";

export const metadata = { title: "Approvals" };

export default async function Page() {
  const state = await prefetch(["approvals.list", {}], ["environments.list", {}]);
  return (
    <HydrationBoundary state={state}>
      <ApprovalsPage />
    </HydrationBoundary>
  );
}
