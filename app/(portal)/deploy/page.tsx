import { HydrationBoundary } from "@tanstack/react-query";
import { randomUUID } from "node:crypto";
import { Suspense } from "react";
import { DeployPage } from "@/components/deploy/deploy-page";
import { prefetch } from "@/lib/services/prefetch";

export const metadata = { title: "Deploy" };

export default async function Deploy() {
  const state = await prefetch(["environments.list", {}], ["deployments.list", {}], ["prices.book", {}], ["catalog.get", {}], ["account.get", {}]);
  return (
    <HydrationBoundary state={state}>
      <Suspense>
        <DeployPage deploymentId={randomUUID()} />
      </Suspense>
    </HydrationBoundary>
  );
}
