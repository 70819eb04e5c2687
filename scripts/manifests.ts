import { modelById, models, skuById } from "@/lib/domain/catalog";
import { engines } from "@/lib/domain/catalog-engine";
import { DeploymentSpec, NamespaceName } from "@/lib/domain/deployment";
import { DomainError } from "@/lib/domain/errors";
import { fits } from "@/lib/domain/fit";
import { manifests, toYaml } from "@/lib/domain/manifest";
import { assertAllowed } from "@/lib/domain/manifest/allowed";
import { ManifestContext } from "@/lib/domain/manifest/context";
import type { KubeObject } from "@/lib/domain/manifest/kube-object";
import { readJson } from "./read-json";

const HELP = `Usage: npm run --silent manifests -- SPEC.json [--namespace NAME]

Prints the Kubernetes objects of a deployment spec as YAML, for example for
kubectl apply --server-side --dry-run=server -f -
SPEC.json may be - for standard input. Its JSON schema is "DeploymentSpec" in the OpenAPI document (/api/openapi.json);
name, modelId and skuId are required. Without --namespace the objects name none, so that kubectl's own choice counts.
A spec that cannot be rendered ends with one sentence and exit status 1. What would not run well is said on standard error.
`;

const place = { namespace: "default", environmentId: "manifests", deploymentId: "manifests", revision: 1, portalNamespace: null };

type Asked = { file: string; namespace: string | null };

function asked(args: readonly string[]): Asked | null {
  const at = args.indexOf("--namespace");
  const namespace = at < 0 ? null : (args[at + 1] ?? "");
  const files = args.filter((_, index) => at < 0 || (index !== at && index !== at + 1));
  const [file] = files;
  return file === undefined || files.length > 1 || (file !== "-" && file.startsWith("-")) ? null : { file, namespace };
}

function readSpec(file: string): DeploymentSpec {
  const result = DeploymentSpec.safeParse(readJson(file, "one deployment spec"));
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => (issue.path.length === 0 ? issue.message : `${issue.path.join(".")}: ${issue.message}`));
  throw new DomainError("invalid_input", `The spec is not valid: ${problems.join("; ")}`);
}

function contextOf(namespace: string | null): ManifestContext {
  if (namespace === null) return ManifestContext.parse(place);
  const name = NamespaceName.safeParse(namespace);
  if (!name.success) throw new DomainError("invalid_input", `The namespace is not valid. ${name.error.issues[0]?.message ?? ""}`);
  return ManifestContext.parse({ ...place, namespace: name.data });
}

function withoutNamespace(object: KubeObject): KubeObject {
  const { namespace: _, ...metadata } = object.metadata;
  return { ...object, metadata: metadata as KubeObject["metadata"] }; // printed for kubectl, which knows the namespace
}

const repositories = [...models.map((model) => model.image.repository), ...engines.flatMap((engine) => engine.image?.repository ?? [])];

function print({ file, namespace }: Asked): void {
  const spec = readSpec(file);
  const context = contextOf(namespace);
  const objects = manifests(spec, context);
  assertAllowed(objects, { namespace: context.namespace, repositories });
  const fit = fits(modelById(spec.modelId), skuById(spec.skuId), { spot: spec.spot, ...(spec.maxModelLen ? { maxModelLen: spec.maxModelLen } : {}) });
  for (const { level, text } of fit.reasons) process.stderr.write(`${level}: ${text}\n`);
  process.stdout.write(toYaml(namespace === null ? objects.map(withoutNamespace) : objects));
}

function main(args: string[]): number {
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(HELP);
    return 0;
  }
  const question = asked(args);
  if (!question) {
    process.stderr.write(HELP);
    return 2;
  }
  try {
    print(question);
    return 0;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

process.exitCode = main(process.argv.slice(2));
