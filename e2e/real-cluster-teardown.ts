import { cleanRealCluster } from "./real-cluster";

export default async function tearDown(): Promise<void> {
  await cleanRealCluster();
}
