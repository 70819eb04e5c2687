import { solve } from "@/lib/domain/cost";
import { singlePlan, type ApiPlan } from "@/lib/domain/cost/api-plan";
import { exact, ZERO } from "@/lib/domain/money";
import { line, percentile, timed } from "./measure.ts";

/** The worst case that is promised: 50 nodes and 6 tiers. */
export async function measureSolver(): Promise<void> {
  const tiers = [1, 2, 4, 8, 16].map((million, index) => ({ upTo: million * 1_000_000, perPage: exact(`0.00${15 - index}`) }));
  const plan: ApiPlan = { mode: "graduated", freePages: 0, monthlyFee: ZERO, includedPages: 0, tiers: [...tiers, { upTo: null, perPage: exact("0.0006") }] };
  const rate = { pagesPerSecond: exact("0.5"), utilisation: exact("0.5") };
  const fleet = { kind: "nodes" as const, hourly: exact("0.8048"), hours: exact("730"), rate, minNodes: 1, overhead: ZERO, variablePerPage: ZERO };
  const times = await timed(200, () => solve(fleet, singlePlan(plan), { searchUpTo: 50 * 657_000 }));
  line("solver, 50 nodes and 6 tiers, p95 (budget 5 ms)", `${percentile(times, 0.95).toFixed(2)} ms`, 5 / percentile(times, 0.95));
}
