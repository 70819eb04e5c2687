import { HydrationBoundary } from "@tanstack/react-query";
import { EnvironmentPage } from "@/components/environments/environment-page";
import { EnvironmentOperatePanels } from "@/components/operate/operate-panels";
import { prefetch } from "@/lib/services/prefetch";

export const metadata = { title: "Environment" };

type Props = { params: Promise<{ slug: string }> };

export default async function Page({ params }: Props) {
  const { slug } = await params;
  const state = await prefetch(["environments.list", {}]);
  return (
    <HydrationBoundary state={state}>
      <EnvironmentPage slug={slug} />
      <EnvironmentOperatePanels slug={slug} />
    </HydrationBoundary>
  );
}
