import { gpuList } from "@/lib/domain/catalog";
import { engines } from "@/lib/domain/catalog-engine";
import type { AdditionField } from "./addition-form";

type Values = Record<string, string>;

const numberOf = (text: string | undefined) => (text === undefined || text.trim() === "" ? null : Number(text));
const clouds = [["aws", "AWS"], ["gcp", "Google Cloud"], ["azure", "Azure"], ["scaleway", "Scaleway"], ["own", "Own nodes"]] as const;

export const skuFields: readonly AdditionField[] = [
  { key: "id", label: "Id", hint: "As specs and prices name it: aws-g6-4xlarge." },
  { key: "cloud", label: "Cloud", options: clouds.map(([value, label]) => ({ value, label })) },
  { key: "instanceType", label: "Size, as the cloud names it", hint: "Empty for own nodes." },
  { key: "gpuId", label: "GPU", options: gpuList.map((gpu) => ({ value: gpu.id, label: `${gpu.name}, ${gpu.memoryGb} GB` })) },
  { key: "gpuCount", label: "GPUs", type: "number", initial: "1" },
  { key: "vcpu", label: "vCPU", type: "number" },
  { key: "ramGib", label: "Memory, in GiB", type: "number" },
  { key: "source", label: "Source", hint: "Address of the cloud's page." },
  { key: "note", label: "Note" },
];

export function skuOf(values: Values): unknown {
  const { id, cloud, gpuId, source } = values;
  return { id, cloud, gpuId, source, instanceType: values.instanceType || null, gpuCount: numberOf(values.gpuCount), vcpu: numberOf(values.vcpu), ramGib: numberOf(values.ramGib), note: values.note || null };
}

export const imageFields: readonly AdditionField[] = [
  { key: "engine", label: "Engine", options: engines.flatMap((engine) => (engine.deployable ? [{ value: engine.deployable, label: engine.name }] : [])) },
  { key: "tag", label: "Tag and digest", hint: "v0.30.0@sha256:… as your registry has it." },
];

export const imageOf = ({ engine, tag }: Values): unknown => ({ engine, tag });

export const modelFields: readonly AdditionField[] = [
  { key: "id", label: "Id", hint: "As specs name it." },
  { key: "name", label: "Name" },
  { key: "hfId", label: "Name on the hub", hint: "owner/name" },
  { key: "revision", label: "Commit of the weights", hint: "40 hexadecimal digits." },
  { key: "licence", label: "Licence", initial: "Apache-2.0" },
  { key: "architecture", label: "Model class" },
  { key: "parameters", label: "Parameters", type: "number" },
  { key: "weightsGb", label: "Weights, in GB", type: "number" },
  { key: "contextTokens", label: "Context, in tokens", type: "number" },
  { key: "maxModelLen", label: "Longest page, in tokens", type: "number" },
  { key: "longestEdgePx", label: "Longest edge, in pixels", type: "number", initial: "2048" },
  { key: "thinkingSwitch", label: "Thinking switch", options: [{ value: "yes", label: "has one, switched off" }, { value: "no", label: "has none" }] },
  { key: "image.repository", label: "Image repository", initial: "vllm/vllm-openai" },
  { key: "image.tag", label: "Image tag", initial: "v0.30.0" },
  { key: "image.digest", label: "Image digest", hint: "sha256:…" },
  { key: "kv.layers", label: "Layers with KV cache", type: "number" },
  { key: "kv.heads", label: "KV heads", type: "number" },
  { key: "kv.headDim", label: "Head size", type: "number" },
  { key: "stateMibPerSequence", label: "State per page, in MiB", type: "number", initial: "0" },
  { key: "pageTokens.image", label: "Image tokens of a page", type: "number" },
  { key: "pageTokens.output", label: "Output tokens of a page", type: "number" },
  { key: "float16", label: "Without bf16", options: [{ value: "refused", label: "refused" }, { value: "unverified", label: "allowed, unverified" }] },
  { key: "source", label: "Source of the figures", hint: "An address." },
];

export function modelOf(values: Values): unknown {
  const number = (key: string) => numberOf(values[key]);
  const [layers, heads, headDim] = [number("kv.layers"), number("kv.heads"), number("kv.headDim")];
  return {
    id: values.id,
    name: values.name,
    hfId: values.hfId,
    revision: values.revision,
    licence: values.licence,
    architecture: values.architecture,
    parameters: number("parameters"),
    weightsGb: number("weightsGb"),
    contextTokens: number("contextTokens"),
    maxModelLen: number("maxModelLen"),
    longestEdgePx: number("longestEdgePx"),
    thinkingSwitch: values.thinkingSwitch === "yes",
    image: { repository: values["image.repository"], tag: values["image.tag"], digest: values["image.digest"], digestNote: "", pythonPackages: [], source: values.source },
    accuracy: [],
    speeds: [],
    // Keys and values, two bytes each.
    kv: { layers, heads, headDim, bytesPerToken: 4 * (layers ?? 0) * (heads ?? 0) * (headDim ?? 0) },
    stateMibPerSequence: number("stateMibPerSequence"),
    pageTokens: { image: number("pageTokens.image"), output: number("pageTokens.output") },
    float16: values.float16,
  };
}
