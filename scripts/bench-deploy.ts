/**
 * `npm run bench:deploy -- [--changes=500] [--runs=30] [--rounds=30] [--deployments=10000] [--nodes=5000] [--pods=10000] [--rollouts=10000]`: the deploy
 * leg in one run, against a database and a sandbox cluster of its own. Each line ends in a ratio to its budget: 1 or more holds. 0 leaves a part out.
 */
import { measureDeployments } from "./bench-deploy/lists.ts";
import { measureLive } from "./bench-deploy/live.ts";
import { measureLocal } from "./bench-deploy/local.ts";
import { startPlace } from "./bench-deploy/place.ts";
import { measurePreview } from "./bench-deploy/preview.ts";
import { measureRollouts } from "./bench-deploy/rollouts.ts";
import { measureScale } from "./bench-deploy/scale.ts";

const flag = (name: string, usual: number) => Number(process.argv.find((one) => one.startsWith(`--${name}=`))?.split("=")[1] ?? usual);
const runs = flag("runs", 30);

async function main(): Promise<void> {
  const changes = flag("changes", 500);
  if (changes > 0) measureLocal(changes);
  const place = await startPlace();
  try {
    await measurePreview(place, runs);
    const rounds = flag("rounds", 30);
    if (rounds > 0) await measureLive(place, rounds);
    const deployments = flag("deployments", 10_000);
    if (deployments > 0) await measureDeployments(place, { count: deployments, runs });
    const rollouts = flag("rollouts", 10_000);
    if (rollouts > 0) await measureRollouts(place, rollouts);
    const [nodes, pods] = [flag("nodes", 5000), flag("pods", 10_000)];
    if (pods > 0) await measureScale(place, { nodes, pods, runs });
  } finally {
    await place.stop();
  }
}

await main();
process.exit();
