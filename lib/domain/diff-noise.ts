import { overridesAnnotation, revisionAnnotation } from "./manifest/metadata";
import { isRecord } from "./diff-path";

/** Set by the server at every write: it tells people nothing about the change. */
const serverFields = ["managedFields", "resourceVersion", "uid", "generation", "creationTimestamp", "selfLink", "deletionTimestamp", "deletionGracePeriodSeconds"];
const controllerAnnotations = ["deployment.kubernetes.io/revision"];
/** Ours and kubectl's bookkeeping; kubectl's copies the whole object, secrets included. */
const shownNever = [...controllerAnnotations, revisionAnnotation, overridesAnnotation, "kubectl.kubernetes.io/last-applied-configuration"];

/** What people compare: no status and no bookkeeping. */
export function forPeople(object: unknown): unknown {
  return without(object, shownNever);
}

/** What a preview is bound to: everything but the status and what the server and controllers write at each heartbeat. */
export function forDigest(object: unknown): unknown {
  return without(object, controllerAnnotations);
}

function without(object: unknown, annotations: readonly string[]): unknown {
  if (!isRecord(object)) return object;
  const { status: _, metadata, ...rest } = object;
  if (!isRecord(metadata)) return rest;
  const kept = Object.fromEntries(Object.entries(metadata).filter(([key]) => !serverFields.includes(key)));
  if (isRecord(kept.annotations)) {
    const others = Object.entries(kept.annotations).filter(([key]) => !annotations.includes(key));
    if (others.length > 0) kept.annotations = Object.fromEntries(others);
    else delete kept.annotations;
  }
  return { ...rest, metadata: kept };
}
