import { stringify } from "yaml";
import { z } from "zod";
import type { KubeObject } from "./manifest/kube-object";

export const EXPORT_FORMS = ["yaml", "kustomize", "argocd", "flux", "terraform", "helm"] as const;
export const ExportForm = z.enum(EXPORT_FORMS);
export type ExportForm = z.infer<typeof ExportForm>;

export const FORM_TITLES: Record<ExportForm, string> = { yaml: "Plain YAML", kustomize: "Kustomize", argocd: "Argo CD Application", flux: "Flux Kustomization", terraform: "Terraform", helm: "Helm chart" };

export type ExportFile = { path: string; text: string };
/** What is exported: the objects of a revision. `repoUrl` is the Git repository that a GitOps tool shall read; a placeholder stands where there is none. */
export type Exported = { name: string; namespace: string; revision: number; objects: readonly KubeObject[]; repoUrl: string | null };

const PLACEHOLDER = "https://git.example.com/replace/me.git";

/** The files of an export; each form makes the same objects, and a README says how. */
export function exportFiles(form: ExportForm, exported: Exported): ExportFile[] {
  const files = builders[form](exported);
  return [...files, { path: "README.md", text: readme(form, exported) }];
}

const builders: Record<ExportForm, (exported: Exported) => ExportFile[]> = {
  yaml: ({ objects }) => objects.map((object, index) => ({ path: fileName(object, index), text: yamlOf(object) })),
  kustomize: (exported) => kustomized(exported, ""),
  argocd: (exported) => [{ path: "application.yaml", text: yamlOf(argoApplication(exported)) }, ...kustomized(exported, `${exported.name}/`)],
  flux: (exported) => [{ path: "flux.yaml", text: fluxObjects(exported).map(yamlOf).join("---\n") }, ...kustomized(exported, `${exported.name}/`)],
  terraform: terraformFiles,
  helm: helmFiles,
};

/** In the order of application: the number keeps it where tools sort by name. */
function fileName(object: KubeObject, index: number): string {
  return `${String(index + 1).padStart(2, "0")}-${object.kind.toLowerCase()}.yaml`;
}

function yamlOf(value: unknown): string {
  // Kubernetes reads YAML 1.1, where a bare `no` is a boolean; `compat` quotes such strings.
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, compat: "yaml-1.1" });
}

function kustomized({ objects }: Exported, folder: string): ExportFile[] {
  const resources = objects.map(fileName);
  const kustomization = { apiVersion: "kustomize.config.k8s.io/v1beta1", kind: "Kustomization", resources };
  return [{ path: `${folder}kustomization.yaml`, text: yamlOf(kustomization) }, ...objects.map((object, index) => ({ path: `${folder}${fileName(object, index)}`, text: yamlOf(object) }))];
}

function argoApplication({ name, namespace, repoUrl }: Exported) {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Application",
    metadata: { name, namespace: "argocd" },
    spec: {
      project: "default",
      source: { repoURL: repoUrl ?? PLACEHOLDER, path: name, targetRevision: "HEAD" },
      destination: { server: "https://kubernetes.default.svc", namespace },
      // The weights stay when the application is pruned: loading them again takes minutes.
      syncPolicy: { syncOptions: ["CreateNamespace=true", "ServerSideApply=true", "PruneLast=true"] },
    },
  };
}

function fluxObjects({ name, namespace, repoUrl }: Exported) {
  return [
    { apiVersion: "source.toolkit.fluxcd.io/v1", kind: "GitRepository", metadata: { name, namespace: "flux-system" }, spec: { interval: "5m", url: repoUrl ?? PLACEHOLDER, ref: { branch: "main" } } },
    {
      apiVersion: "kustomize.toolkit.fluxcd.io/v1",
      kind: "Kustomization",
      metadata: { name, namespace: "flux-system" },
      spec: { interval: "10m", path: `./${name}`, prune: true, wait: true, timeout: "40m", targetNamespace: namespace, sourceRef: { kind: "GitRepository", name } },
    },
  ];
}

function terraformFiles({ objects }: Exported): ExportFile[] {
  const names = objects.map((object) => object.kind.toLowerCase());
  const resources = objects.map((object, index) => {
    const before = names[index - 1];
    const order = before === undefined ? "" : `\n  depends_on = [kubernetes_manifest.${before}]`;
    return `resource "kubernetes_manifest" "${names[index]}" {\n  manifest = jsondecode(file("\${path.module}/objects/${names[index]}.json"))\n\n  field_manager {\n    name = "terraform"\n  }${order}\n}\n`;
  });
  const head = 'terraform {\n  required_providers {\n    kubernetes = {\n      source  = "hashicorp/kubernetes"\n      version = ">= 2.30"\n    }\n  }\n}\n\n';
  return [{ path: "main.tf", text: head + resources.join("\n") }, ...objects.map((object, index) => ({ path: `objects/${names[index]}.json`, text: `${JSON.stringify(object, null, 2)}\n` }))];
}

function helmFiles({ name, revision, objects }: Exported): ExportFile[] {
  const chart = { apiVersion: "v2", name, description: "LightOnOCR served by vLLM, as Lectern deployed it", type: "application", version: `0.${revision}.0` };
  // Two opening braces begin an action in Helm's templates, also within quotes.
  const template = (object: KubeObject) => yamlOf(object).replaceAll("{{", '{{ "{{" }}');
  return [
    { path: `${name}/Chart.yaml`, text: yamlOf(chart) },
    { path: `${name}/values.yaml`, text: "# Nothing to set: the templates are the objects as they were applied.\n{}\n" },
    ...objects.map((object, index) => ({ path: `${name}/templates/${fileName(object, index)}`, text: template(object) })),
  ];
}

const COMMANDS: Record<ExportForm, (exported: Exported) => string> = {
  yaml: ({ namespace }) => `kubectl apply --server-side -n ${namespace} -f .`,
  kustomize: () => "kubectl apply --server-side -k .",
  argocd: ({ name }) => `# put the folder ${name} into the repository that application.yaml names, then\nkubectl apply -f application.yaml`,
  flux: ({ name }) => `# put the folder ${name} into the repository that flux.yaml names, then\nkubectl apply -f flux.yaml`,
  terraform: () => "terraform init && terraform apply",
  helm: ({ name, namespace }) => `helm install ${name} ./${name} -n ${namespace}`,
};

function readme(form: ExportForm, exported: Exported): string {
  const { name, namespace, revision, repoUrl } = exported;
  const missing = repoUrl === null && (form === "argocd" || form === "flux") ? `\nReplace ${PLACEHOLDER} by your repository first.\n` : "";
  return `# ${name}: revision ${revision} as ${FORM_TITLES[form]}\n\nThe objects that Lectern applied to the namespace ${namespace}, unchanged. The namespace must exist:\n\n    kubectl create namespace ${namespace}\n${missing}\n${COMMANDS[form](exported)
    .split("\n")
    .map((line) => `    ${line}`)
    .join("\n")}\n\nDelete the deployment in Lectern only afterwards, and keep its volume, or stop managing it there: two owners undo each other's changes.\n`;
}
