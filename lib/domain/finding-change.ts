import type { DeploymentSpec } from "./deployment";
import type { Finding } from "./finding";

/** A change of the spec that answers a finding; shown as a button, previewed like any other change. */
export type SuggestedChange = { label: string; change: Partial<Pick<DeploymentSpec, "maxModelLen" | "storageGi">> };

const leastModelLen = 4096;

/** What can be changed in the spec itself to answer a finding, or null when the remedy lies elsewhere. `defaultModelLen` is the model's, in tokens. */
export function suggestedChange(finding: Pick<Finding, "id">, spec: Pick<DeploymentSpec, "maxModelLen" | "storageGi">, defaultModelLen: number): SuggestedChange | null {
  if (finding.id === "gpu-memory" || finding.id === "kv-too-small") {
    const present = spec.maxModelLen ?? defaultModelLen;
    const maxModelLen = Math.max(leastModelLen, Math.floor(present / 2));
    return maxModelLen < present ? { label: `Try a length of ${maxModelLen.toLocaleString("en")} tokens`, change: { maxModelLen } } : null;
  }
  if (finding.id === "volume-full") return { label: `Grow the volume to ${Math.min(1000, spec.storageGi * 2)} GiB`, change: { storageGi: Math.min(1000, spec.storageGi * 2) } };
  return null;
}
