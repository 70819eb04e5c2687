import type { Finding } from "./finding";

/** Lines of vLLM's log that name a cause; sources: vLLM's issue tracker and documentation. */
const rules: readonly [RegExp, string, string, string][] = [
  [
    /Free memory on device .* is less than desired GPU memory utilization/i,
    "gpu-shared",
    "Another process holds memory of the GPU, or the card is shared.",
    "Free the card, or use a node whose GPU is not shared.",
  ],
  [
    /No available memory for the cache blocks|KV cache .*(smaller|larger) than/i,
    "kv-too-small",
    "No room is left for the KV cache after the weights.",
    "Lower the maximum length, or choose a GPU with more memory.",
  ],
  [
    /torch\.(cuda\.)?OutOfMemoryError|CUDA out of memory/,
    "gpu-memory",
    "The GPU's own memory ran out.",
    "Lower the maximum length, or choose a GPU with more memory.",
  ],
  [
    /Error 80[34]\b|CUDA driver version is insufficient|driver .*too old/i,
    "driver-too-old",
    "The node's NVIDIA driver is older than the image's CUDA needs.",
    "Update the driver on the nodes, or use an older image.",
  ],
  [/VLLM_PORT/, "vllm-port", "A Service called vllm set VLLM_PORT in the pod.", "Rename the Service, and keep enableServiceLinks off."],
  [
    /architectures? .* (is|are) not supported|cannot import name|ImportError: .*transformers/i,
    "wrong-versions",
    "vLLM or transformers in this image cannot load the model.",
    "Use the image that the catalogue pins for this model.",
  ],
  [
    /401 Client Error|403 Client Error|404 Client Error|RepositoryNotFound|RevisionNotFound/,
    "hub-refused",
    "The model hub refuses the download.",
    "Check the model's name and revision, and the way out to huggingface.co.",
  ],
  [/No space left on device/, "volume-full", "The volume is full.", "Make the volume larger."],
  [
    /getpwuid|Permission denied/,
    "permission",
    "The server may not write where it must.",
    "Keep the user, group and cache settings that Lectern sets.",
  ],
];

/** The cause that a crashed server's log names. Only the one matching line becomes evidence: a log may hold more than it should. */
export function logFinding(log: string, facts: readonly string[]): Finding | undefined {
  const lines = log.split("\n");
  for (const [pattern, id, cause, remedy] of rules) {
    const line = lines.findLast((each) => pattern.test(each));
    if (line !== undefined) return { id, cause, evidence: [...facts, line.trim().slice(0, 400)], remedy, severity: "blocker" };
  }
  return undefined;
}
