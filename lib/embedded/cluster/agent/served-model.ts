import "server-only";
import { listAt, textAt, type Json } from "../json";
import type { KubeObject } from "../object";

export type ServedModel = { name: string; root: string; maxLength: number };

const DEFAULT_MAX_LENGTH = 16384;

function words(container: Json | undefined): string[] {
  return [...listAt(container, "command"), ...listAt(container, "args")].filter((word) => typeof word === "string");
}

/** The value of a flag, written `--flag value` or `--flag=value`. */
function flag(args: string[], name: string): string | undefined {
  const joined = args.find((arg) => arg.startsWith(`${name}=`));
  if (joined !== undefined) return joined.slice(name.length + 1);
  const index = args.indexOf(name);
  return index < 0 ? undefined : args[index + 1];
}

/** What `vllm serve` was told to serve: the model, and the name under which clients ask for it. */
export function servedModel(pod: KubeObject): ServedModel {
  const args = listAt(pod, "spec", "containers").flatMap(words);
  const serve = args.indexOf("serve");
  const positional = serve >= 0 && !args[serve + 1]?.startsWith("-") ? args[serve + 1] : undefined;
  const model = flag(args, "--model") ?? positional ?? textAt(listAt(pod, "spec", "containers")[0], "image") ?? "model";
  const maxLength = Number(flag(args, "--max-model-len") ?? DEFAULT_MAX_LENGTH);
  return { name: flag(args, "--served-model-name") ?? model, root: model, maxLength };
}
