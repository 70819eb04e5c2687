import { allModels, allSkus } from "./catalog";
import { engines, type EngineId } from "./catalog-engine";
import { DeploymentName, type DeploymentSpecInput } from "./deployment";
import { ImageTag, PodSelector } from "./deployment-options";
import { isRecord } from "./diff-path";
import { deploymentLabel } from "./manifest/metadata";

type Loose = Record<string, unknown>;
type Labels = Record<string, string>;

/** A Deployment that serves LightOnOCR and that Lectern did not apply, as far as it can be read. */
export type Found = {
  name: string;
  image: string;
  engine: EngineId;
  modelId: string;
  /** null: neither the Deployment nor its node names a size of the catalogue; somebody must choose. */
  skuId: string | null;
  replicas: number;
  spec: Omit<DeploymentSpecInput, "skuId">;
  /** The id that its labels give it, when Lectern wrote the manifests that somebody applied. */
  labelledId: string | null;
  /** What of it does not come along, and what was guessed, one sentence each. */
  notes: string[];
  /** Why it cannot be taken over at all; null when it can. */
  problem: string | null;
};

/** What stands around it: the labels of a node that it runs on, and the claim named NAME-weights. */
export type Surroundings = { nodeLabels: Labels | null; claim: Loose | null };

/** Reads a live Deployment. Null when no container runs a known engine with a LightOnOCR model. Pure; never throws. */
export function readDeployment(live: unknown, { nodeLabels, claim }: Surroundings): Found | null {
  const metadata = mapOf(at(live, "metadata"));
  const name = textOf(metadata.name);
  const pod = mapOf(at(live, "spec", "template", "spec"));
  const serving = listOf(pod.containers).flatMap((container) => servingOf(container) ?? []);
  const [found] = serving;
  if (!found || name === "") return null;
  const { container, engine, modelId, tag } = found;
  const words = wordsOf(container);
  const matchLabels = stringsOf(at(live, "spec", "selector", "matchLabels"));
  const labelledId = matchLabels[deploymentLabel] ?? null;
  const sku = skuOf(pod, nodeLabels);
  const replicas = Number(at(live, "spec", "replicas") ?? 1);
  const length = Number(valueAfter(words, ["--max-model-len", "--context-length", "--ctx-size"]));
  const token = tokenOf(container);
  const isSpot = sku !== null && Object.keys(sku.placement.spotSelector).length > 0 && Object.entries(sku.placement.spotSelector).every(([key, value]) => mapOf(pod.nodeSelector)[key] === value);
  const spec: Found["spec"] = {
    name,
    modelId,
    engine,
    replicas,
    ...(isSpot ? { spot: true } : {}),
    ...(tag !== null && ImageTag.safeParse(tag).success ? { imageTag: tag } : {}),
    ...(length >= 4096 && length <= 262_144 ? { maxModelLen: length } : {}),
    ...(labelledId === null ? { selector: matchLabels } : {}),
    ...claimSpec(claim),
    ...(claim && envOf(container, "HF_HUB_OFFLINE") === "1" ? { offline: true } : {}),
    ...(token.secret ? { hubToken: token.secret } : {}),
    ...named(pod, "runtimeClassName"),
    ...named(pod, "priorityClassName"),
    ...(listOf(pod.imagePullSecrets).length > 0 ? { imagePullSecret: textOf(listOf(pod.imagePullSecrets)[0]?.name) } : {}),
  };
  const notes = notesOf({ pod, container, claim, isPlainToken: token.isPlain, hasSize: sku !== null, isTagKept: spec.imageTag !== undefined || tag === null });
  return { name, image: textOf(container.image), engine, modelId, skuId: sku?.id ?? null, replicas, spec, labelledId, notes, problem: problemOf(live, { name, matchLabels, labelledId, serving: serving.length }) };
}

type Serving = { container: Loose; engine: EngineId; modelId: string; tag: string | null };

function servingOf(container: Loose): Serving | null {
  const [reference = "", digest] = textOf(container.image).split("@");
  const colon = reference.lastIndexOf(":");
  const isTagged = colon > reference.lastIndexOf("/");
  const repository = isTagged ? reference.slice(0, colon) : reference;
  // A mirror keeps the path of the repository behind its own name.
  const engine = engines.find((each) => each.image && (repository === each.image.repository || repository.endsWith(`/${each.image.repository}`)));
  if (!engine?.deployable) return null;
  const words = wordsOf(container);
  const model = allModels().find((each) => words.includes(each.hfId) || words.includes(engine.copies?.[each.id] ?? "\0"));
  if (!model) return null;
  const release = engine.deployable === "vllm" ? model.image.tag : engine.image?.tag;
  const tag = isTagged ? reference.slice(colon + 1) : "latest";
  return { container, engine: engine.deployable, modelId: model.id, tag: tag === release && digest === undefined ? null : `${tag}${digest === undefined ? "" : `@${digest}`}` };
}

/** Command, arguments and values of variables, split where a shell or an equals sign would. */
function wordsOf(container: Loose): string[] {
  const texts = [...textsOf(container.command), ...textsOf(container.args), ...listOf(container.env).map((each) => textOf(each.value))];
  return texts.flatMap((text) => text.split(/[\s=,"'\\]+/)).filter((word) => word !== "");
}

function valueAfter(words: readonly string[], flags: readonly string[]): string | undefined {
  const index = words.findIndex((word) => flags.includes(word));
  return index < 0 ? undefined : words[index + 1];
}

/** The size whose placement names what the pod, or the node that it runs on, names. */
function skuOf(pod: Loose, nodeLabels: Labels | null) {
  const asked = new Map<string, string[]>(Object.entries(stringsOf(pod.nodeSelector)).map(([key, value]) => [key, [value]]));
  const terms = listOf(at(pod, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms"));
  for (const rule of terms.flatMap((term) => listOf(term.matchExpressions))) if (rule.operator === "In") asked.set(textOf(rule.key), textsOf(rule.values));
  const onNode = new Map(Object.entries(nodeLabels ?? {}).map(([key, value]) => [key, [value]]));
  return skuBy(asked) ?? skuBy(onNode);
}

function skuBy(labels: ReadonlyMap<string, readonly string[]>) {
  const of = (...keys: string[]) => keys.flatMap((key) => labels.get(key) ?? []);
  const types = of("node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type");
  const accelerators = of("cloud.google.com/gke-accelerator");
  const products = of("nvidia.com/gpu.product");
  const skus = allSkus();
  return (
    skus.find((sku) => sku.instanceType !== null && types.includes(sku.instanceType)) ??
    skus.find((sku) => sku.cloud === "gcp" && sku.gpu.gkeAccelerator !== null && accelerators.includes(sku.gpu.gkeAccelerator)) ??
    skus.find((sku) => sku.cloud === "own" && sku.gpu.products.some((product) => products.includes(product))) ??
    null
  );
}

function claimSpec(claim: Loose | null): Partial<DeploymentSpecInput> {
  if (!claim) return {};
  const size = /^(\d+)Gi$/.exec(textOf(at(claim, "spec", "resources", "requests", "storage")));
  const mode = textsOf(at(claim, "spec", "accessModes"))[0];
  const storageClass = textOf(at(claim, "spec", "storageClassName"));
  return {
    ...(size ? { storageGi: Number(size[1]) } : {}),
    ...(mode === "ReadWriteOnce" || mode === "ReadWriteMany" ? { accessMode: mode } : {}),
    ...(storageClass === "" ? {} : { storageClass }),
  };
}

function tokenOf(container: Loose): { secret: { name: string; key: string } | null; isPlain: boolean } {
  const variable = listOf(container.env).find((each) => each.name === "HF_TOKEN" || each.name === "HUGGING_FACE_HUB_TOKEN");
  const reference = mapOf(at(variable, "valueFrom", "secretKeyRef"));
  const secret = typeof reference.name === "string" && typeof reference.key === "string" ? { name: reference.name, key: reference.key } : null;
  return { secret, isPlain: textOf(variable?.value) !== "" };
}

type Noted = { pod: Loose; container: Loose; claim: Loose | null; isPlainToken: boolean; hasSize: boolean; isTagKept: boolean };

function notesOf({ pod, container, claim, isPlainToken, hasSize, isTagKept }: Noted): string[] {
  const gpus = Number(at(container, "resources", "limits", "nvidia.com/gpu") ?? 0);
  const volumes = listOf(pod.volumes).filter((volume) => volume.persistentVolumeClaim !== undefined || volume.hostPath !== undefined);
  return [
    ...(hasSize ? [] : ["Neither its node selector nor its node names a GPU size of the catalogue: choose the one that it runs on."]),
    ...(isTagKept ? [] : ["Its image has no release that stays the same: the catalogue's is taken instead."]),
    ...(gpus > 1 ? [`It asks for ${gpus} GPUs; Lectern gives one to each replica.`] : []),
    ...(!claim && volumes.length > 0 ? ["Its volume stays as it is and is not mounted any more: the weights are downloaded once more, to a volume of Lectern's."] : []),
    ...(isPlainToken ? ["Its token of the model hub stands in plain text and does not come along: put it into a Secret and name that under the options."] : []),
    ...(listOf(pod.containers).length > 1 ? ["Its other containers do not come along."] : []),
  ];
}

function problemOf(live: unknown, { name, matchLabels, labelledId, serving }: { name: string; matchLabels: Labels; labelledId: string | null; serving: number }): string | null {
  if (serving > 1) return "It serves two models in one pod: Lectern serves one model in each deployment.";
  const named = DeploymentName.safeParse(name);
  if (!named.success) return `Its name cannot stay: ${named.error.issues[0]?.message ?? ""}`;
  if (listOf(at(live, "spec", "selector", "matchExpressions")).length > 0) return "It chooses its pods by expressions, which a cluster never lets change and Lectern does not write.";
  if (labelledId !== null) return null;
  const selector = PodSelector.safeParse(matchLabels);
  return selector.success ? null : `Its selector, which a cluster never lets change, cannot stay: ${selector.error.issues[0]?.message ?? ""}`;
}

function named(pod: Loose, field: "runtimeClassName" | "priorityClassName"): Partial<DeploymentSpecInput> {
  const value = textOf(pod[field]);
  return value === "" ? {} : { [field]: value };
}

function envOf(container: Loose, name: string): string {
  return textOf(listOf(container.env).find((each) => each.name === name)?.value);
}

function at(value: unknown, ...keys: string[]): unknown {
  return keys.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value);
}
const mapOf = (value: unknown): Loose => (isRecord(value) ? value : {});
const listOf = (value: unknown): Loose[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter((each) => typeof each === "string") : []);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const stringsOf = (value: unknown): Labels => Object.fromEntries(Object.entries(mapOf(value)).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
