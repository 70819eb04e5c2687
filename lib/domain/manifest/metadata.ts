import type { KubeObject } from "./kube-object";
import type { Rendering } from "./context";
import { engineVersion } from "./engine-process";

/** Labels by which Lectern finds its objects again; `lectern/…` are ours. */
export const deploymentLabel = "lectern/deployment";
export const environmentLabel = "lectern/environment";
export const revisionAnnotation = "lectern/revision";
/** Paths that an override has changed, as a JSON list: every diff marks them. */
export const overridesAnnotation = "lectern/overrides";

/** The selector is immutable on a Deployment (a change is answered 422), so nothing that may change is in it; one that was taken over keeps its own. */
export function selectorLabels(rendering: Rendering): Record<string, string> {
  return rendering.spec.selector ?? ownSelector(rendering);
}

function ownSelector({ spec, context }: Rendering): Record<string, string> {
  return { "app.kubernetes.io/name": "lightonocr", "app.kubernetes.io/instance": spec.name, [deploymentLabel]: context.deploymentId };
}

export function labels(rendering: Rendering): Record<string, string> {
  return {
    ...ownSelector(rendering),
    "app.kubernetes.io/version": engineVersion(rendering),
    "app.kubernetes.io/component": "ocr-engine",
    "app.kubernetes.io/part-of": "lectern",
    "app.kubernetes.io/managed-by": "lectern",
    [environmentLabel]: rendering.context.environmentId,
  };
}

/** Labels of the engine's pods: those of every object, and those that they are chosen by. */
export function podLabels(rendering: Rendering): Record<string, string> {
  return { ...labels(rendering), ...rendering.spec.selector };
}

/** Metadata of one object; the revision is an annotation and not on the pod template, where it would restart pods. */
export function metadata(rendering: Rendering, name: string): KubeObject["metadata"] {
  return {
    name,
    namespace: rendering.context.namespace,
    labels: labels(rendering),
    annotations: { [revisionAnnotation]: String(rendering.context.revision) },
  };
}

export const claimName = (rendering: Rendering): string => `${rendering.spec.name}-weights`;

/** Labels of the pods of the download: not the engine's, so that neither its Service nor its network policy takes them for it. */
export function prefetchSelector({ spec, context }: Rendering): Record<string, string> {
  return { "app.kubernetes.io/name": "lightonocr-prefetch", "app.kubernetes.io/instance": spec.name, [deploymentLabel]: context.deploymentId };
}
