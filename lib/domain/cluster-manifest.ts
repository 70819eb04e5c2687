import { stringify } from "yaml";
import { NEEDS, type Need } from "./cluster-rights";

/** The name of everything that the link creates in a cluster. */
export const LINK_NAME = "lectern";

type Rule = { apiGroups: string[]; resources: string[]; verbs: string[] };

function rules(needs: readonly Need[]): Rule[] {
  return needs.map(({ group, resource, subresource, verbs }) => ({
    apiGroups: [group],
    resources: [subresource ? `${resource}/${subresource}` : resource],
    verbs: [...verbs],
  }));
}

/**
 * What gives Lectern its place in a cluster: a namespace, a service account, a Role made of exactly what Lectern uses there, a read-only
 * ClusterRole, and a token that does not end by itself. It can neither give rights, act as somebody else, list secrets nor enter a pod.
 */
export function linkObjects(namespace: string) {
  const labels = { "app.kubernetes.io/managed-by": LINK_NAME };
  const metadata = { name: LINK_NAME, namespace, labels };
  // Two clusters' worth of environments may be linked to one: each has a cluster role of its own.
  const clusterWide = { name: `${LINK_NAME}-${namespace}`, labels };
  const subjects = [{ kind: "ServiceAccount", name: LINK_NAME, namespace }];
  const rbac = "rbac.authorization.k8s.io";
  return [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, labels: { ...labels, "pod-security.kubernetes.io/enforce": "restricted" } } },
    { apiVersion: "v1", kind: "ServiceAccount", metadata, automountServiceAccountToken: false },
    { apiVersion: `${rbac}/v1`, kind: "Role", metadata, rules: rules(NEEDS.filter((need) => need.scope === "namespace")) },
    { apiVersion: `${rbac}/v1`, kind: "RoleBinding", metadata, roleRef: { apiGroup: rbac, kind: "Role", name: LINK_NAME }, subjects },
    { apiVersion: `${rbac}/v1`, kind: "ClusterRole", metadata: clusterWide, rules: rules(NEEDS.filter((need) => need.scope === "cluster")) },
    { apiVersion: `${rbac}/v1`, kind: "ClusterRoleBinding", metadata: clusterWide, roleRef: { apiGroup: rbac, kind: "ClusterRole", name: clusterWide.name }, subjects },
    { apiVersion: "v1", kind: "Secret", type: "kubernetes.io/service-account-token", metadata: { ...metadata, name: `${LINK_NAME}-token`, annotations: { "kubernetes.io/service-account.name": LINK_NAME } } },
  ];
}

/** The objects as a YAML file for `kubectl apply`. */
export function linkYaml(namespace: string): string {
  return linkObjects(namespace).map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })).join("---\n");
}

export const LINK_FILE = "lectern-link.yaml";
export const PROVIDERS = ["eks", "gke", "aks", "kapsule", "own"] as const;
export type Provider = (typeof PROVIDERS)[number];
export const PROVIDER_NAMES: Record<Provider, string> = { eks: "Amazon EKS", gke: "Google GKE", aks: "Azure AKS", kapsule: "Scaleway Kapsule", own: "Own cluster" };

/** How people get their own access first; Lectern never sees it. */
const signIn: Record<Provider, string> = {
  eks: "aws eks update-kubeconfig --region REGION --name CLUSTER",
  gke: "gcloud container clusters get-credentials CLUSTER --location LOCATION --project PROJECT",
  aks: "az aks get-credentials --resource-group GROUP --name CLUSTER",
  kapsule: "scw k8s kubeconfig install CLUSTER_ID region=REGION",
  own: "kubectl config use-context CONTEXT",
};

/** Three commands: get into the cluster, create Lectern's account, print a kubeconfig that holds nothing but that account. */
export function linkCommands(provider: Provider, namespace: string): string[] {
  const view = "kubectl config view --minify --raw --flatten -o";
  const server = `$(${view} jsonpath='{.clusters[0].cluster.server}')`;
  const authority = `$(${view} jsonpath='{.clusters[0].cluster.certificate-authority-data}')`;
  const token = `$(kubectl -n ${namespace} get secret ${LINK_NAME}-token -o jsonpath='{.data.token}' | base64 -d)`;
  const config = [
    "apiVersion: v1",
    "kind: Config",
    "clusters: [{name: c, cluster: {server: \"%s\", certificate-authority-data: \"%s\"}}]",
    "users: [{name: u, user: {token: \"%s\"}}]",
    "contexts: [{name: x, context: {cluster: c, user: u}}]",
    "current-context: x",
  ].join("\\n");
  return [signIn[provider], `kubectl apply -f ${LINK_FILE}`, `printf '${config}\\n' "${server}" "${authority}" "${token}"`];
}
