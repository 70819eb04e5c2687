import type { Explanation, Refusal } from "./finding-refusal";

/** The pod names a claim that is not there. */
export function claimMissing({ text }: Refusal): Explanation {
  const name = /persistentvolumeclaim "([^"]*)"/.exec(text)?.[1] ?? "";
  return {
    id: "claim-missing",
    cause: `The volume claim "${name}" does not exist.`,
    remedy: "Apply the deployment again: Lectern creates the claim before the pod.",
  };
}

/** The claim is there and gets no volume; its own events say why. */
export function claimUnbound({ pod, input: { claims, events } }: Refusal): Explanation {
  const names = (pod.spec?.volumes ?? []).flatMap((volume) => volume.persistentVolumeClaim?.claimName ?? []);
  const claim = claims.find((each) => each.status?.phase !== "Bound" && (names.length === 0 || names.includes(each.metadata.name)));
  const failures = events.filter((event) => event.involvedObject.kind === "PersistentVolumeClaim" && event.type === "Warning");
  const facts = failures.map((event) => event.message ?? event.reason ?? "");
  const storageClass = claim?.spec?.storageClassName;
  if (facts.some((fact) => /storageclass.*not found/.test(fact))) {
    return {
      id: "storage-class-missing",
      cause: `The storage class "${storageClass ?? ""}" does not exist in this cluster.`,
      remedy: "Choose a storage class of the cluster; a claim's class cannot be changed, so a new claim is made.",
      facts,
    };
  }
  const cause =
    storageClass === undefined
      ? "The volume claim names no storage class, and the cluster has no default one."
      : "The volume claim is not bound: its storage class makes no volume.";
  return { id: "claim-unbound", cause, remedy: "Choose a storage class that works in this cluster.", facts };
}
