import { Status, type State } from "@/components/ui/status";
import type { Output } from "@/lib/client/api";

export type Cluster = Output<"clusters.list">["clusters"][number];

const looks: Record<Cluster["health"], { state: State; word: string }> = {
  fine: { state: "ready", word: "answers" },
  warning: { state: "waiting", word: "answers, look at it" },
  down: { state: "failed", word: "does not answer" },
  unknown: { state: "unknown", word: "not asked yet" },
};

export function ClusterHealth({ cluster }: { cluster: Cluster }) {
  const { state, word } = looks[cluster.health];
  return (
    <Status state={state} {...(cluster.health === "down" && cluster.lastContactAt ? { since: cluster.lastContactAt } : {})}>
      {word}
    </Status>
  );
}
