import "server-only";
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { Transform } from "node:stream";
import { DomainError } from "@/lib/domain/errors";
import { chunkOpener, chunkSealer } from "./seal-chunks";

/** A key-encryption key of 32 bytes; the id (1–32 of a–z, 0–9, -) is written into everything that it seals. */
export type MasterKey = { id: string; key: Uint8Array };

/** Where a sealed thing belongs. It opens only there: another environment, object or purpose fails. */
export type SealPlace = { environment: string; object: string; purpose: string };

export type Sealer = {
  /** Seals a small thing, such as credentials or a page's text, under a fresh data key. */
  seal(plaintext: Uint8Array, place: SealPlace): Buffer;
  /** Opens what `seal` made. Throws DomainError `unprocessable` when a bit, the place or the key is wrong. */
  open(sealed: Uint8Array, place: SealPlace): Buffer;
  /** Seals a stream of any length in constant memory. */
  sealStream(place: SealPlace): Transform;
  /** Opens what `sealStream` made; the stream fails, before it gives out the bytes, where something was changed, moved or cut off. */
  openStream(place: SealPlace): Transform;
  /**
   * What must stand in place of the first `replaces` bytes of a sealed thing so that the present master key wraps its data key; null when it does already.
   * The data itself stays as it is; of a stream its first kilobyte is enough. Throws like `open`.
   */
  rewrap(start: Uint8Array, kind: SealKind, place: SealPlace): { header: Buffer; replaces: number } | null;
};

export type SealKind = "whole" | "stream";

// Layout: "LS", version, kind, key id length, key id, nonce (12), wrapped data key (32), tag (16); then the data.
const magic = [0x4c, 0x53, 1] as const;
const kindByte: Record<SealKind, number> = { whole: 1, stream: 2 };
const fixedBytes = 5;
const nonceBytes = 12;
const keyBytes = 32;
const tagBytes = 16;
const wrappedBytes = nonceBytes + keyBytes + tagBytes;

/**
 * Envelope encryption with AES-256-GCM: a fresh data key per object, wrapped by the master key, both bound to the place.
 * `retired` master keys open old objects and seal no new ones. The data is bound to its place but not to the master key's id,
 * so that rotation can wrap a data key anew without reading the object.
 */
export function sealer(master: MasterKey, retired: readonly MasterKey[] = []): Sealer {
  const keys = new Map([...retired, master].map((candidate) => [candidate.id, checked(candidate)]));
  const findKey = (id: string) => {
    const key = keys.get(id);
    if (!key) throw cannotOpen();
    return key;
  };

  return {
    seal(plaintext, place) {
      const { header, dataKey } = startEnvelope(master, "whole", place);
      return Buffer.concat([header, encrypt(dataKey, plaintext, boundTo("whole", place))]);
    },
    open(sealed, place) {
      const envelope = readEnvelope(sealed, { kind: "whole", place, findKey });
      if (!envelope) throw cannotOpen();
      return decrypt(envelope.dataKey, sealed.subarray(envelope.headerBytes), boundTo("whole", place));
    },
    sealStream(place) {
      const { header, dataKey } = startEnvelope(master, "stream", place);
      return chunkSealer({ header, dataKey, aad: boundTo("stream", place) });
    },
    openStream: (place) =>
      chunkOpener({
        aad: boundTo("stream", place),
        readHeader: (start) => readEnvelope(start, { kind: "stream", place, findKey }),
        cannotOpen,
      }),
    rewrap(start, kind, place) {
      const envelope = readEnvelope(start, { kind, place, findKey });
      if (!envelope) throw cannotOpen();
      if (keyIdOf(start) === master.id) return null;
      return { header: wrap(master, envelope.dataKey, { kind, place }), replaces: envelope.headerBytes };
    },
  };
}

/** The id of the master key that a sealed thing needs; null for what is none. */
export function keyIdOf(sealed: Uint8Array): string | null {
  if (sealed.byteLength < fixedBytes || magic.some((byte, i) => sealed[i] !== byte)) return null;
  return Buffer.from(sealed.subarray(fixedBytes, fixedBytes + (sealed[4] ?? 0))).toString("latin1");
}

function checked({ id, key }: MasterKey): Uint8Array {
  if (key.byteLength !== keyBytes) throw new RangeError("A master key has 32 bytes.");
  if (!/^[a-z0-9-]{1,32}$/.test(id)) throw new RangeError("A master key id has 1–32 of a–z, 0–9 and -.");
  return key;
}

function startEnvelope(master: MasterKey, kind: SealKind, place: SealPlace) {
  const dataKey = randomBytes(keyBytes);
  return { dataKey, header: wrap(master, dataKey, { kind, place }) };
}

function wrap(master: MasterKey, dataKey: Buffer, { kind, place }: { kind: SealKind; place: SealPlace }): Buffer {
  const prefix = Buffer.concat([Buffer.from([...magic, kindByte[kind], master.id.length]), Buffer.from(master.id)]);
  return Buffer.concat([prefix, encrypt(master.key, dataKey, Buffer.concat([prefix, boundTo(kind, place)]))]);
}

type EnvelopeQuestion = { kind: SealKind; place: SealPlace; findKey(id: string): Uint8Array };

/** The data key and the header's length; null while `start` is too short to hold the header. */
function readEnvelope(start: Uint8Array, { kind, place, findKey }: EnvelopeQuestion): { dataKey: Buffer; headerBytes: number } | null {
  if (start.byteLength < fixedBytes) return null;
  if (magic.some((byte, i) => start[i] !== byte) || start[3] !== kindByte[kind]) throw cannotOpen();
  const prefixBytes = fixedBytes + (start[4] ?? 0);
  const headerBytes = prefixBytes + wrappedBytes;
  if (start.byteLength < headerBytes) return null;
  const prefix = start.subarray(0, prefixBytes);
  const key = findKey(Buffer.from(prefix.subarray(fixedBytes)).toString("latin1"));
  const dataKey = decrypt(key, start.subarray(prefixBytes, headerBytes), Buffer.concat([prefix, boundTo(kind, place)]));
  return { dataKey, headerBytes };
}

/** The place as bytes; JSON keeps the parts apart whatever they contain. */
function boundTo(kind: SealKind, { environment, object, purpose }: SealPlace): Buffer {
  return Buffer.from(JSON.stringify(["lectern/1", kind, environment, object, purpose]));
}

function encrypt(key: Uint8Array, plaintext: Uint8Array, aad: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(aad);
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Uint8Array, sealed: Uint8Array, aad: Buffer): Buffer {
  if (sealed.byteLength < nonceBytes + tagBytes) throw cannotOpen();
  const end = sealed.byteLength - tagBytes;
  const options = { authTagLength: tagBytes };
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, nonceBytes), options)
    .setAAD(aad)
    .setAuthTag(sealed.subarray(end));
  const plaintext = decipher.update(sealed.subarray(nonceBytes, end));
  try {
    return Buffer.concat([plaintext, decipher.final()]);
  } catch {
    throw cannotOpen();
  }
}

function cannotOpen(): DomainError {
  return new DomainError(
    "unprocessable",
    "A stored object cannot be opened: it was changed, moved to another place, or its master key is missing; restore it or its key from a backup.",
  );
}
