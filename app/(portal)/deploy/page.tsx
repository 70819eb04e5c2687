import { HydrationBoundary } from "@tanstack/react-query";
import { randomUUID } from "node:crypto";
import { Suspense } from "react";
import { DeployPage } from "@/components/deploy/deploy-page";
import { USUAL_NAME } from "@/components/deploy/usual-name";
import { prefetch } from "@/lib/services/prefetch";

export const metadata = { title: "Deploy" };

export default async function Deploy() {
  const state = await prefetch(["environments.list", {}], ["deployments.list", { search: USUAL_NAME, limit: 500 }], ["prices.book", {}], ["catalog.get", {}], ["account.get", {}]);
  return (
    <HydrationBoundary state={state}>
      <Suspense>
        <DeployPage deploymentId={randomUUID()} />
      </Suspense>
    </HydrationBoundary>
  );
}
