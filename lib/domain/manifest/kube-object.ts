export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A Kubernetes object as it is sent: plain JSON with at least its type and name. */
export type KubeObject = {
  apiVersion: string;
  kind: string;
  /** `resourceVersion` is set only as a precondition of a write. */
  metadata: { name: string; namespace: string; labels: Record<string, string>; annotations?: Record<string, string>; resourceVersion?: string };
  spec?: { [key: string]: Json };
  /** Of a ConfigMap. */
  data?: Record<string, string>;
  automountServiceAccountToken?: boolean;
};
