import "server-only";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { JsonObject } from "../json";

export type Scenario = { scenario: string; applied: JsonObject; deployment: JsonObject; pods: JsonObject[]; events: JsonObject[] };

const recorded: { scenarios: Scenario[] } = JSON.parse(readFileSync(path.join(import.meta.dirname, "../fixtures/scheduling.json"), "utf8"));

/** What a real cluster answered to one of its scenarios; throws for a name that was not recorded. */
export function scenario(name: string): Scenario {
  const found = recorded.scenarios.find((item) => item.scenario === name);
  if (!found) throw new Error(`No recorded scenario is called ${name}.`);
  return found;
}

/** The two nodes that the scenarios were recorded on. */
export const recordedNodes = [
  { name: "cpu-1", labels: {}, taints: [], extra: {} },
  {
    name: "l4-1",
    labels: { "cloud.google.com/gke-accelerator": "nvidia-l4" },
    taints: [{ key: "nvidia.com/gpu", value: "present", effect: "NoSchedule" }],
    extra: { "nvidia.com/gpu": "1" },
  },
];

/** Generated names differ from run to run. */
export function generic(message: string | undefined): string {
  return (message ?? "").replaceAll(/lightonocr-[a-z0-9]+(-[a-z0-9]{5})?/g, "lightonocr-x");
}
