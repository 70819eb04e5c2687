import "server-only";

/** What can be made to go wrong, and how it then looks from outside. */
export const faultNames = [
  "untolerated-taint",
  "no-matching-node",
  "insufficient-gpu",
  "insufficient-resources",
  "no-device-plugin",
  "claim-not-found",
  "claim-unbound",
  "volume-held",
  "quota-exceeded",
  "pod-security",
  "image-pull-error",
  "crash-loop",
  "out-of-memory",
  "gpu-out-of-memory",
  "driver-too-old",
  "never-ready",
  "slow-start",
] as const;

export type FaultName = (typeof faultNames)[number];

/** Lets a test or a person break the sandbox while it runs; a namespace's own fault wins over the global one. */
export type FaultSwitch = {
  set(fault: FaultName | undefined, namespace?: string): void;
  get(namespace: string): FaultName | undefined;
  onChange(listener: () => void): void;
};

/** Annotation of a pod template (or a Namespace) that asks for a fault by name. */
export const FAULT_ANNOTATION = "sandbox.lectern.dev/fault";

export function isFaultName(value: unknown): value is FaultName {
  return faultNames.some((name) => name === value);
}

export function createFaultSwitch(): FaultSwitch {
  const byNamespace = new Map<string, FaultName>();
  const listeners: (() => void)[] = [];
  const everywhere = "";
  return {
    set(fault, namespace = everywhere) {
      if (fault) byNamespace.set(namespace, fault);
      else byNamespace.delete(namespace);
      for (const listener of listeners) listener();
    },
    get: (namespace) => byNamespace.get(namespace) ?? byNamespace.get(everywhere),
    onChange: (listener) => void listeners.push(listener),
  };
}
