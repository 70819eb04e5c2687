import type { Cloud } from "./catalog-node";

/** A size that looks like a GPU node and is not one for this load. */
export type SkuTrap = { cloud: Cloud; sizes: string; matches: RegExp; reason: string; instead: string | null };

/** Sizes that are refused, with the reason. Sources: Azure NVadsA10 v5 page, Karpenter's AWS and Azure tables, Scaleway's GPU guide, vLLM's floor of compute capability 7.0. */
export const skuTraps: readonly SkuTrap[] = [
  {
    cloud: "azure",
    sizes: "Standard_NV6ads_A10_v5, NV12ads, NV18ads",
    matches: /^Standard_NV(6|12|18)ads_A10_v5$/i,
    reason: "It is 1/6, 1/3 or 1/2 of an A10 (4, 8 or 12 GB), although Azure's size list says one GPU.",
    instead: "azure-nv36ads-a10-v5",
  },
  {
    cloud: "azure",
    sizes: "Standard_NC8ads_A10_v4",
    matches: /^Standard_NC8ads_A10_v4$/i,
    reason:
      "It has half the CPU and memory of NC16ads and still reports one GPU: very likely half a card. Refused until somebody checked it.",
    instead: "azure-nc16ads-a10-v4",
  },
  {
    cloud: "azure",
    sizes: "Standard_NC24lds and NC36ds_xl_RTXPRO6000BSE_v6",
    matches: /^Standard_NC\d+\w*_RTXPRO6000BSE_v6$/i,
    reason: "Sizes from 24 to 144 vCPU all report one GPU: the small ones are very likely slices. Refused until somebody checked it.",
    instead: null,
  },
  {
    cloud: "aws",
    sizes: "g6f.large to g6f.4xlarge, gr6f.4xlarge",
    matches: /^gr?6f\./i,
    reason: "It is 1/8, 1/4 or 1/2 of an L4 (2,861 to 11,444 MiB), and Karpenter counts no GPU in it.",
    instead: "aws-g6-xlarge",
  },
  {
    cloud: "aws",
    sizes: "g5g.*",
    matches: /^g5g\./i,
    reason: "Its CPU is ARM and its GPU a T4G without bf16: the pinned engine image is built for x86.",
    instead: "aws-g6-xlarge",
  },
  {
    cloud: "scaleway",
    sizes: "RENDER-S",
    matches: /^RENDER-S$/i,
    reason: "Its P100 has compute capability 6.0; vLLM needs 7.0.",
    instead: "scaleway-l4-1-24g",
  },
];

/** The trap that a size of a cloud is, if it is one. */
export function findTrap(cloud: Cloud, instanceType: string): SkuTrap | undefined {
  return skuTraps.find((trap) => trap.cloud === cloud && trap.matches.test(instanceType));
}

/** The trap that somebody names by an id in the manner of the catalogue, such as `aws-g6f-xlarge`. */
export function trapOfId(id: string): SkuTrap | undefined {
  const [cloud = "", ...rest] = id.split("-");
  const names = [rest.join("-"), rest.join("."), `Standard_${rest.join("_")}`];
  return skuTraps.find((trap) => trap.cloud === cloud && names.some((name) => trap.matches.test(name)));
}
