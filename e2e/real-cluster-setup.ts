import { prepareRealCluster } from "./real-cluster";
import { NAMESPACE } from "./settings";

export default async function setUp(): Promise<void> {
  console.log(`On the cluster of E2E_KUBECONFIG, in the namespace ${NAMESPACE}: the deploy journeys only. Skipped: reading pages (simulated nodes have no engine) and the sandbox's injected faults.`);
  await prepareRealCluster();
}
