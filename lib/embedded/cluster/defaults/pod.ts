import "server-only";
import { isObject, type JsonObject } from "../json";
import { eachObject, setDefaults } from "./set";

/** The defaults of a pod spec (Kubernetes API reference, core/v1), in place. */
export function defaultPodSpec(spec: JsonObject): void {
  eachObject(spec.containers, defaultContainer);
  eachObject(spec.initContainers, defaultContainer);
  eachObject(spec.volumes, defaultVolume);
  setDefaults(spec, {
    restartPolicy: "Always",
    terminationGracePeriodSeconds: 30,
    dnsPolicy: "ClusterFirst",
    securityContext: {},
    schedulerName: "default-scheduler",
  });
  if (typeof spec.serviceAccountName === "string") setDefaults(spec, { serviceAccount: spec.serviceAccountName });
}

function defaultContainer(container: JsonObject): void {
  eachObject(container.ports, (port) => setDefaults(port, { protocol: "TCP" }));
  for (const name of ["livenessProbe", "readinessProbe", "startupProbe"]) {
    const probe = container[name];
    if (isObject(probe)) defaultProbe(probe);
  }
  eachObject(container.env, (variable) => {
    const reference = isObject(variable.valueFrom) ? variable.valueFrom.fieldRef : undefined;
    if (isObject(reference)) setDefaults(reference, { apiVersion: "v1" });
  });
  setDefaults(container, {
    resources: {},
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    imagePullPolicy: pullPolicy(container.image),
  });
}

function pullPolicy(image: unknown): string {
  const tag = typeof image === "string" ? /:([^:/@]+)(@.*)?$/.exec(image) : null;
  const isPinned = typeof image === "string" && image.includes("@");
  return isPinned || (tag && tag[1] !== "latest") ? "IfNotPresent" : "Always";
}

function defaultProbe(probe: JsonObject): void {
  if (isObject(probe.httpGet)) setDefaults(probe.httpGet, { path: "/", scheme: "HTTP" });
  setDefaults(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
}

function defaultVolume(volume: JsonObject): void {
  for (const name of ["secret", "configMap", "projected", "downwardAPI"]) {
    const source = volume[name];
    if (isObject(source)) setDefaults(source, { defaultMode: 420 });
  }
  if (isObject(volume.hostPath)) setDefaults(volume.hostPath, { type: "" });
  const sources = Object.keys(volume).filter((key) => key !== "name");
  if (sources.length === 0) volume.emptyDir = {};
}

/** Requests that a pod leaves out follow its limits; templates keep what was written. */
export function defaultPodRequests(spec: JsonObject): void {
  for (const list of [spec.containers, spec.initContainers]) {
    eachObject(list, (container) => {
      const resources = isObject(container.resources) ? container.resources : {};
      if (!isObject(resources.limits)) return;
      const requests = isObject(resources.requests) ? resources.requests : {};
      setDefaults(requests, resources.limits);
      resources.requests = requests;
    });
  }
}
