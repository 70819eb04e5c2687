/**
 * `npm run bench:operate -- --deployments=500 --kills=20 --killed=5 --wakes=3 --previews=50 --days=365 --yearly=2`: the scheduler under load, killed, with
 * preview environments, waking, and over a year. The kills of a release are `--kills=1000`. Each line ends in a ratio to its budget where there is one: 1 or more holds.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { measureDecisions } from "./bench-operate/decisions.ts";
import { measureKills } from "./bench-operate/kills.ts";
import { startPlace } from "./bench-operate/place.ts";
import { measurePreviews } from "./bench-operate/previews.ts";
import { measureWakes } from "./bench-operate/wakes.ts";
import { measureYear } from "./bench-operate/year.ts";
import { line, percentile } from "./bench-cost/measure.ts";

const flag = (name: string, usual: number) => Number(process.argv.find((one) => one.startsWith(`--${name}=`))?.split("=")[1] ?? usual);
/** A tick is every two seconds: it has to be over before the next one. */
const TICK_BUDGET_MS = 2_000;
/** Two ticks of two seconds may pass until a waking is begun and until it is seen as ended. */
const WAKE_BUDGET_SECONDS = 4;
const YEAR_BUDGET_MB = 32;

async function fast(): Promise<boolean> {
  const place = await startPlace({ speed: 1000 });
  try {
    const deployments = flag("deployments", 500);
    const { perSecond, tickMs } = await measureDecisions(place, deployments);
    line(`one tick over ${deployments} deployments with schedules (budget 2 s)`, `${tickMs.toFixed(0)} ms, ${perSecond.toFixed(0)} decisions/s`, TICK_BUDGET_MS / tickMs);
    const kills = flag("kills", 20);
    const found = kills > 0 ? await measureKills(place, { moments: kills, deployments: flag("killed", 5) }) : null;
    if (found) console.log(`${found.moments} kill -9 moments with two schedulers (${found.killedInTick} within a tick): ${found.changes} of ${found.expected} changes, ${found.doubles} double, ${found.missed} missed`);
    const previews = flag("previews", 50);
    const held = previews > 0 ? await measurePreviews(place, previews) : null;
    if (held) console.log(`${held.count} preview environments at once: all open after ${held.openSeconds.toFixed(0)} s, all removed after ${held.removeSeconds.toFixed(0)} s; left: ${held.leftNamespaces} namespaces, ${held.leftObjects} pods, ${held.openIntervals} paid nodes`);
    const days = flag("days", 365);
    const year = days > 0 ? await measureYear(place, { days, deployments: flag("yearly", 2) }) : null;
    if (year) line(`heap over ${year.days} days, ${year.ticks} ticks, ${year.firings} slots (budget +32 MB)`, `${year.beforeMb.toFixed(1)} → ${year.afterMb.toFixed(1)} MB`, YEAR_BUDGET_MB / Math.max(1, year.afterMb - year.beforeMb));
    return !found || found.doubles + found.missed === 0;
  } finally {
    await place.stop();
  }
}

async function atRealSpeed(rounds: number): Promise<void> {
  const engine = createServer((request, response) => void request.resume().on("end", () => response.writeHead(200, { "content-type": "text/event-stream" }).end("data: {}\n\n")));
  await new Promise<void>((resolve) => engine.listen(0, "127.0.0.1", resolve));
  const place = await startPlace({ speed: 1, engineUrl: `http://127.0.0.1:${(engine.address() as AddressInfo).port}` }); // a listening TCP server
  try {
    const { wake, bare } = await measureWakes(place, rounds);
    const [woken, scaled] = [percentile(wake, 0.5), percentile(bare, 0.5)];
    line("wake to first token against a bare scale 1 + wait, medians (budget +4 s)", `${woken.toFixed(1)} s against ${scaled.toFixed(1)} s`, WAKE_BUDGET_SECONDS / Math.max(0.1, woken - scaled));
  } finally {
    await place.stop();
    engine.close();
  }
}

const isExact = await fast();
const rounds = flag("wakes", 3);
if (rounds > 0) await atRealSpeed(rounds);
process.exit(isExact ? 0 : 1);
