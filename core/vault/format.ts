/**
 * The object format HFV1 (FORMAT.md): functions that turn names, keys and plain bytes into stored bytes. No other
 * module builds a nonce or derives an object key.
 */
import { concatBytes, equalBytes, hkdfSha256, utf8 } from "#core/kernel/crypto.ts";
import type { OrganisationKey } from "./keys.ts";
import { lengthPrefixed } from "./length-prefixed.ts";
import type { ObjectKind, ObjectScope } from "./types.ts";
import { VaultError } from "./vault-error.ts";

/** Plain bytes of every frame except the last. */
export const FRAME_BYTES = 1_048_576;
/** Length of the GCM tag after each frame. */
export const TAG_BYTES = 16;
/** Total length of magic, key version, salt and commitment. */
export const HEADER_BYTES = 72;
/** Length of the salt. */
export const SALT_BYTES = 32;

const MAGIC = utf8("HFV1");

/** The names that an object's encryption is bound to. */
export type ObjectIdentity = { scope: ObjectScope; id: string; kind: ObjectKind };

/** Returns the key of an object in the bucket. */
export function objectKey(scope: ObjectScope, id: string): string {
  return `${scope.organisationId}/${scope.itemId}/${id}`;
}

/** Returns the number of frames for `sizeBytes` plain bytes. An empty object has one empty frame. */
export function frameCount(sizeBytes: number): number {
  return Math.max(1, Math.ceil(sizeBytes / FRAME_BYTES));
}

/** Returns the stored size of an object with `sizeBytes` plain bytes. */
export function storedSize(sizeBytes: number): number {
  return HEADER_BYTES + sizeBytes + TAG_BYTES * frameCount(sizeBytes);
}

/**
 * Returns the plain size of an object with `storedBytes` bytes. @throws VaultError `truncated` for an impossible length
 */
export function plainSize(storedBytes: number): number {
  const framed = storedBytes - HEADER_BYTES;
  const frames = Math.max(1, Math.ceil(framed / (FRAME_BYTES + TAG_BYTES)));
  const plain = framed - frames * TAG_BYTES;
  if (plain < 0 || frameCount(plain) !== frames) {
    throw new VaultError("truncated", `no object is ${storedBytes} bytes long`);
  }
  return plain;
}

/** A derived key and the object header that belongs to it. */
export type ObjectCipher = { key: CryptoKey; header: Uint8Array<ArrayBuffer> };

/** Derives key and header for a new object. The salt must be fresh and random. */
export async function createCipher(
  organisationKey: OrganisationKey,
  identity: ObjectIdentity,
  salt: Uint8Array,
): Promise<ObjectCipher> {
  const { key, commitment } = await deriveKey(organisationKey, identity, salt);
  const version = new Uint8Array(4);
  new DataView(version.buffer).setUint32(0, organisationKey.version);
  return { key, header: concatBytes(MAGIC, version, salt, commitment) };
}

/**
 * Derives the key for a header and verifies its commitment.
 * @throws VaultError `truncated` for a short header, `tampered` when it is not HFV1, `wrong-key` when the key or a name
 *   differs
 */
export async function openHeader(
  organisationKey: OrganisationKey,
  identity: ObjectIdentity,
  header: Uint8Array,
): Promise<CryptoKey> {
  const name = objectKey(identity.scope, identity.id);
  if (header.length !== HEADER_BYTES) throw new VaultError("truncated", `${name} ends within its header`);
  if (!equalBytes(header.subarray(0, 4), MAGIC))
    throw new VaultError("tampered", `${name} is not an HFV1 object`);
  const version = new DataView(header.buffer, header.byteOffset).getUint32(4);
  if (version !== organisationKey.version) {
    throw new VaultError("wrong-key", `${name} needs key version ${version}, not ${organisationKey.version}`);
  }
  const { key, commitment } = await deriveKey(organisationKey, identity, header.subarray(8, 8 + SALT_BYTES));
  if (!equalBytes(commitment, header.subarray(8 + SALT_BYTES))) {
    throw new VaultError("wrong-key", `${name} does not open as ${identity.kind} under this key`);
  }
  return key;
}

/** Encrypts one frame and returns the ciphertext followed by the tag. */
export async function sealFrame(
  key: CryptoKey,
  frame: { index: number; isLast: boolean; bytes: Uint8Array },
): Promise<Uint8Array<ArrayBuffer>> {
  const algorithm = { name: "AES-GCM", iv: frameNonce(frame.index, frame.isLast) };
  return new Uint8Array(await crypto.subtle.encrypt(algorithm, key, frame.bytes as Uint8Array<ArrayBuffer>));
}

/** Decrypts one frame. @throws VaultError `tampered` */
export async function openFrame(
  key: CryptoKey,
  frame: { index: number; isLast: boolean; bytes: Uint8Array; name: string },
): Promise<Uint8Array<ArrayBuffer>> {
  const algorithm = { name: "AES-GCM", iv: frameNonce(frame.index, frame.isLast) };
  try {
    return new Uint8Array(
      await crypto.subtle.decrypt(algorithm, key, frame.bytes as Uint8Array<ArrayBuffer>),
    );
  } catch (cause) {
    throw new VaultError("tampered", `frame ${frame.index} of ${frame.name} is not what was written`, {
      cause,
    });
  }
}

/** 11 bytes of frame counter, then 1 for the last frame and 0 for all others. */
function frameNonce(index: number, isLast: boolean): Uint8Array<ArrayBuffer> {
  const nonce = new Uint8Array(12);
  const view = new DataView(nonce.buffer);
  view.setUint32(3, Math.floor(index / 2 ** 32));
  view.setUint32(7, index % 2 ** 32);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** HKDF-SHA-256: 32 bytes of object key, 32 bytes of commitment. */
async function deriveKey(organisationKey: OrganisationKey, identity: ObjectIdentity, salt: Uint8Array) {
  const { organisationId, itemId } = identity.scope;
  const info = lengthPrefixed(organisationId, itemId, identity.id, identity.kind, "HFV1");
  const derived = await hkdfSha256(organisationKey.bytes, salt, info, 64);
  const key = await crypto.subtle.importKey("raw", derived.subarray(0, 32), "AES-GCM", false, [
    "encrypt",
    "decrypt",
  ]);
  return { key, commitment: derived.subarray(32) };
}
