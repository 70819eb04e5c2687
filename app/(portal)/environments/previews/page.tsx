import { HydrationBoundary } from "@tanstack/react-query";
import { PreviewEnvironmentsPage } from "@/components/operate/preview-environments-page";
import { prefetch } from "@/lib/services/prefetch";

export const metadata = { title: "Preview environments" };

export default async function Page() {
  const state = await prefetch(["previewEnvironments.list", {}]);
  return (
    <HydrationBoundary state={state}>
      <PreviewEnvironmentsPage />
    </HydrationBoundary>
  );
}
