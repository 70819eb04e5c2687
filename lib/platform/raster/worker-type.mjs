import { fileTypeFromBuffer } from "file-type";

/** A file or page that is refused for a known reason (lib/domain/document-failure.ts). */
export class Refusal extends Error {
  /** @param {string} reason @param {{ detected?: string, isPoisoned?: boolean }} [extra] */
  constructor(reason, extra = {}) {
    super(reason);
    this.reason = reason;
    this.detected = extra.detected;
    this.isPoisoned = extra.isPoisoned ?? false;
  }
}

// Same table as acceptedTypes in lib/domain/document.ts; a test holds the two together.
export const endings = new Map([
  ["application/pdf", ["pdf"]],
  ["image/png", ["png"]],
  ["image/jpeg", ["jpg", "jpeg", "jpe", "jfif"]],
  ["image/webp", ["webp"]],
  ["image/tiff", ["tif", "tiff"]],
  ["image/gif", ["gif"]],
  ["image/avif", ["avif"]],
]);

/**
 * The media type by content, checked against the name.
 * @param {Uint8Array} bytes @param {string} name @param {{ maxBytes: number }} limits
 */
export async function sniff(bytes, name, limits) {
  if (bytes.length === 0) throw new Refusal("empty");
  if (bytes.length > limits.maxBytes) throw new Refusal("too_large");
  const ending = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  const isAcceptedEnding = [...endings.values()].some((list) => list.includes(ending));
  const { mime, ext } = await detect(bytes);
  const allowed = mime && endings.get(mime);
  if (!allowed) {
    if (!isAcceptedEnding) throw new Refusal("unsupported_type", { detected: ext });
    throw ext ? new Refusal("name_mismatch", { detected: ext }) : new Refusal("corrupt");
  }
  if (ending && !allowed.includes(ending)) throw new Refusal("name_mismatch", { detected: allowed[0] });
  return mime;
}

/** @param {Uint8Array} bytes @returns {Promise<{ mime?: string, ext?: string }>} */
async function detect(bytes) {
  const type = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (type?.mime === "image/apng") return { mime: "image/png", ext: "png" };
  if (type && endings.has(type.mime)) return type;
  // PDF readers accept junk before the header as long as it is in the first kilobyte.
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 1024));
  return head.includes("%PDF-") ? { mime: "application/pdf", ext: "pdf" } : (type ?? {});
}
