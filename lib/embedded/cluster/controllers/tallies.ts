import "server-only";
import { quotaUsage } from "../admission/quota";
import { isPodReady } from "../agent/pod-status";
import { matchesLabelSelector } from "../api/selectors";
import { at, numberAt, objectAt, textMap, type Json } from "../json";
import { isDeleting, labelsOf, nameOf, namespaceOf, type KubeObject } from "../object";
import { CONTROLLER_MANAGER, type ControlContext } from "./context";
import { WorkQueue } from "./work-queue";

const BUDGETS = "policy/poddisruptionbudgets";
const QUOTAS = "/resourcequotas";

/** Keeps the counts in the status of disruption budgets and quotas. */
export class TallyController {
  readonly queue: WorkQueue;

  constructor(private readonly context: ControlContext) {
    this.queue = new WorkQueue(context.clock, (namespace) => this.sync(namespace));
    context.store.onChange(({ resource, object }) => {
      if (["/pods", BUDGETS, QUOTAS].includes(resource)) this.queue.add(namespaceOf(object));
    });
  }

  private sync(namespace: string): void {
    for (const budget of this.context.store.list(BUDGETS, namespace)) this.count(budget);
    for (const quota of this.context.store.list(QUOTAS, namespace)) this.measure(quota);
  }

  private count(budget: KubeObject): void {
    const pods = this.context.store
      .list("/pods", namespaceOf(budget))
      .filter((pod) => matchesLabelSelector(at(budget, "spec", "selector"), labelsOf(pod)) && !isDeleting(pod));
    const currentHealthy = pods.filter(isPodReady).length;
    const expectedPods = pods.length;
    const minimum = share(at(budget, "spec", "minAvailable"), expectedPods);
    const desiredHealthy = minimum ?? Math.max(0, expectedPods - (share(at(budget, "spec", "maxUnavailable"), expectedPods) ?? 0));
    const status = {
      disruptionsAllowed: expectedPods === 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy),
      currentHealthy,
      desiredHealthy,
      expectedPods,
    };
    this.context.registry.modify(
      budget,
      (draft) => {
        draft.status = { ...objectAt(draft, "status"), observedGeneration: numberAt(budget, "metadata", "generation") ?? 1, ...status };
      },
      { manager: CONTROLLER_MANAGER, subresource: "status" },
    );
  }

  private measure(quota: KubeObject): void {
    const hard = textMap(quota, "spec", "hard");
    const used = Object.fromEntries(Object.entries(quotaUsage(this.context.store, quota)).map(([name, amount]) => [name, String(amount)]));
    this.context.registry.modify(quota, (draft) => void (draft.status = { hard, used }), {
      manager: CONTROLLER_MANAGER,
      subresource: "status",
    });
  }

  start(): void {
    for (const namespace of this.context.store.list("/namespaces")) this.queue.add(nameOf(namespace));
  }
}

function share(value: Json | undefined, total: number): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" ? Math.ceil((Number.parseInt(value, 10) * total) / 100) : undefined;
}
