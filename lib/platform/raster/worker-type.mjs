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
 * Refuses content that cannot be read, or whose name says something else. `ext` is what unreadable content turned out to be.
 * @param {string | undefined} mime @param {string} name @param {string} [ext]
 */
export function checkName(mime, name, ext) {
  const ending = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  const isAcceptedEnding = [...endings.values()].some((list) => list.includes(ending));
  const allowed = mime && endings.get(mime);
  if (!allowed) {
    if (!isAcceptedEnding) throw new Refusal("unsupported_type", { detected: ext });
    throw ext ? new Refusal("name_mismatch", { detected: ext }) : new Refusal("corrupt");
  }
  if (ending && !allowed.includes(ending)) throw new Refusal("name_mismatch", { detected: allowed[0] });
}

/** The media type by content. @param {Uint8Array} bytes @returns {Promise<{ mime?: string, ext?: string }>} */
export async function detect(bytes) {
  const type = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (type?.mime === "image/apng") return { mime: "image/png", ext: "png" };
  return type ?? {};
}

/** PDF readers accept junk before the header as long as it is in the first kilobyte. @param {Uint8Array} head */
export async function looksLikePdf(head) {
  if (!new TextDecoder("latin1").decode(head.subarray(0, 1024)).includes("%PDF-")) return false;
  const { mime } = await detect(head);
  return !mime || mime === "application/pdf" || !endings.has(mime);
}
