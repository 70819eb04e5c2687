import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { deploy, type Place } from "./place.ts";

const HOUR_MS = 3_600_000;
/** After this a slot that a killed process had claimed is another's: longer than the lease of schedules-fire.ts. */
const PAST_LEASE_MS = 61_000;
/** How long a first tick takes is not known yet: the next ones are hit anywhere in the time that the one before took. */
const FIRST_TICK_MS = 300;
const SPARES = 2;

type Said = { ready?: true; acted?: number; error?: string };
type Scheduler = { child: ChildProcess; ready: Promise<void> };

function start(): Scheduler {
  const child = fork(path.join(import.meta.dirname, "worker.ts"), { execArgv: ["--conditions=react-server", "--import", "tsx"], stdio: ["ignore", "ignore", "ignore", "ipc"] });
  return { child, ready: once(child, "message").then(() => undefined) };
}

async function tick({ child }: Scheduler, at: number): Promise<Said> {
  if (child.exitCode !== null || child.signalCode !== null) return { error: "killed" };
  const answer = once(child, "message").then(([said]) => said as Said); // the worker's own words
  child.send(at);
  return Promise.race([answer, once(child, "exit").then((): Said => ({ error: "killed" }))]);
}

export type Kills = { moments: number; killedInTick: number; changes: number; expected: number; doubles: number; missed: number };

/**
 * Two schedulers tick at the same instants; at each, one of them is killed (SIGKILL) somewhere in its tick and replaced. The hours turn every
 * hour, so that every deployment is to change once at each moment. What counts is what the cluster saw: how often its replicas changed.
 */
export async function measureKills(place: Place, { moments, deployments }: { moments: number; deployments: number }): Promise<Kills> {
  const { db, environmentId } = place;
  const ids = await Promise.all(Array.from({ length: deployments }, (_, index) => deploy(db, environmentId, `killed-${index}`)));
  const from = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  const week = Array.from({ length: 12 }, (_, index) => ({ days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], hours: { from: `${pad(index * 2 + 1)}:00`, to: index === 11 ? "24:00" : `${pad(index * 2 + 2)}:00` } }));
  const firstIsOff = new Date(from).getUTCHours() % 2 === 0;
  const begin = firstIsOff ? from : from + HOUR_MS; // all run now: the first change is a stop
  await db.schedule.createMany({ data: ids.map((id) => ({ environmentId, deploymentId: id, rule: { timeZone: "UTC", week }, countsFrom: new Date(begin - 1) })) });
  const seen = await watchReplicas(place);
  let [left, right] = [start(), start()];
  const spares = Array.from({ length: SPARES }, start);
  await Promise.all([left.ready, right.ready]);
  let killedInTick = 0;
  let tickMs = FIRST_TICK_MS;
  for (let moment = 0; moment < moments; moment += 1) {
    const at = begin + moment * HOUR_MS;
    const begun = performance.now();
    const ticks = Promise.all([tick(left, at), tick(right, at)]);
    await wait(Math.random() * tickMs);
    const victim = moment % 2 === 0 ? left : right;
    victim.child.kill("SIGKILL");
    if ((await ticks).some((said) => said.error === "killed")) killedInTick += 1;
    tickMs = performance.now() - begun;
    const next = spares.shift() ?? start();
    await next.ready;
    spares.push(start());
    if (victim === left) left = next;
    else right = next;
    await Promise.all([tick(left, at + PAST_LEASE_MS), tick(right, at + PAST_LEASE_MS)]);
  }
  for (const { child } of [left, right, ...spares]) child.kill("SIGKILL");
  const changes = await seen.stop();
  await db.deployment.updateMany({ where: { id: { in: ids } }, data: { deletedAt: new Date() } });
  const each = ids.map((_, index) => changes.get(`killed-${index}`) ?? 0);
  const sum = each.reduce((all, count) => all + count, 0);
  return { moments, killedInTick, changes: sum, expected: moments * deployments, doubles: each.reduce((all, count) => all + Math.max(0, count - moments), 0), missed: each.reduce((all, count) => all + Math.max(0, moments - count), 0) };
}

const pad = (hour: number) => String(hour).padStart(2, "0");

/** Counts, over the cluster's own watch, how often each Deployment's wanted replicas changed. */
async function watchReplicas({ kube, namespace }: Place) {
  const end = new AbortController();
  const last = new Map<string, number>();
  const changes = new Map<string, number>();
  type Live = { metadata: { name: string; resourceVersion?: string }; spec: { replicas: number } };
  const take = ({ metadata: { name }, spec: { replicas } }: Live) => {
    if (last.has(name) && last.get(name) !== replicas) changes.set(name, (changes.get(name) ?? 0) + 1);
    last.set(name, replicas);
  };
  let isListed = () => {};
  const listed = new Promise<void>((resolve) => (isListed = resolve));
  const done = kube.watchList<Live>({ apiVersion: "apps/v1", resource: "deployments", namespace }, {
    signal: end.signal,
    on: (event) => {
      if (event.type === "list") {
        event.items.forEach(take);
        isListed();
      }
      if (event.type === "change") take(event.object);
    },
  });
  await listed;
  return {
    stop: async () => {
      await wait(500);
      end.abort();
      await done.catch(() => undefined);
      return changes;
    },
  };
}
