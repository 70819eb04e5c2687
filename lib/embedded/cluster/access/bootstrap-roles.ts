import "server-only";
import type { JsonObject } from "../json";

type Rule = { verbs: string[]; apiGroups?: string[]; resources?: string[]; nonResourceURLs?: string[] };

const everything = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
const reading = ["get", "list", "watch"];
const publicPaths = ["/healthz", "/livez", "/readyz", "/version", "/version/"];
const namespaced: [string, string[]][] = [
  [
    "",
    [
      "configmaps",
      "endpoints",
      "events",
      "persistentvolumeclaims",
      "pods",
      "pods/log",
      "services",
      "serviceaccounts",
      "resourcequotas",
      "limitranges",
    ],
  ],
  ["apps", ["deployments", "deployments/scale", "replicasets", "replicasets/scale", "statefulsets", "daemonsets"]],
  ["batch", ["jobs", "cronjobs"]],
  ["autoscaling", ["horizontalpodautoscalers"]],
  ["networking.k8s.io", ["ingresses", "networkpolicies"]],
  ["policy", ["poddisruptionbudgets"]],
];

function over(verbs: string[]): Rule[] {
  return namespaced.map(([group, resources]) => ({ verbs, apiGroups: [group], resources }));
}

const secrets: Rule = { verbs: everything, apiGroups: [""], resources: ["secrets"] };
const localRoles: Rule = { verbs: everything, apiGroups: ["rbac.authorization.k8s.io"], resources: ["roles", "rolebindings"] };

const roles: Record<string, Rule[]> = {
  "cluster-admin": [
    { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
    { verbs: ["*"], nonResourceURLs: ["*"] },
  ],
  admin: [...over(everything), secrets, localRoles],
  edit: [...over(everything), secrets],
  view: over(reading),
  "system:basic-user": [
    { verbs: ["create"], apiGroups: ["authorization.k8s.io"], resources: ["selfsubjectaccessreviews", "selfsubjectrulesreviews"] },
    { verbs: ["create"], apiGroups: ["authentication.k8s.io"], resources: ["selfsubjectreviews"] },
  ],
  "system:discovery": [
    {
      verbs: ["get"],
      nonResourceURLs: [
        "/api",
        "/api/*",
        "/apis",
        "/apis/*",
        "/healthz",
        "/livez",
        "/openapi",
        "/openapi/*",
        "/readyz",
        "/version",
        "/version/",
      ],
    },
  ],
  "system:public-info-viewer": [{ verbs: ["get"], nonResourceURLs: publicPaths }],
  "system:service-account-issuer-discovery": [
    {
      verbs: ["get"],
      nonResourceURLs: ["/.well-known/openid-configuration", "/.well-known/openid-configuration/", "/openid/v1/jwks", "/openid/v1/jwks/"],
    },
  ],
};

const bindings: Record<string, string[]> = {
  "cluster-admin": ["system:masters"],
  "system:basic-user": ["system:authenticated"],
  "system:discovery": ["system:authenticated"],
  "system:public-info-viewer": ["system:authenticated", "system:unauthenticated"],
  "system:service-account-issuer-discovery": ["system:serviceaccounts"],
};

const apiGroup = "rbac.authorization.k8s.io";
const labels = { "kubernetes.io/bootstrapping": "rbac-defaults" };

/** The cluster roles and bindings that every cluster starts with. */
export function bootstrapRoles(): JsonObject[] {
  const apiVersion = `${apiGroup}/v1`;
  const made: JsonObject[] = Object.entries(roles).map(([name, rules]) => ({
    apiVersion,
    kind: "ClusterRole",
    metadata: { name, labels },
    rules,
  }));
  const bound: JsonObject[] = Object.entries(bindings).map(([name, groups]) => ({
    apiVersion,
    kind: "ClusterRoleBinding",
    metadata: { name, labels },
    roleRef: { apiGroup, kind: "ClusterRole", name },
    subjects: groups.map((group) => ({ apiGroup, kind: "Group", name: group })),
  }));
  return [...made, ...bound];
}
