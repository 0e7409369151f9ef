import { Buffer } from "node:buffer";
import { BLOB, COMMIT, TAG, TREE } from "./pack-entry.ts";
import type { PrefixSet } from "./prefix-set.ts";

/** A pointer to a Git LFS file: the SHA-256 of its bytes and its size. */
export type LfsPointer = { oid: string; sizeBytes: number };

const POINTER_START = Buffer.from("version https://git-lfs.github.com/spec/");
/** Longer blobs are not pointers (git-lfs: docs/spec.md). */
const POINTER_BELOW_BYTES = 1024;

/** Parses a blob as a pointer; null = it is not one. */
export function readLfsPointer(blob: Uint8Array): LfsPointer | null {
  if (blob.length >= POINTER_BELOW_BYTES || blob[0] !== POINTER_START[0]) return null;
  const text = Buffer.from(blob.buffer, blob.byteOffset, blob.length).toString("latin1");
  if (!text.startsWith(POINTER_START.toString("latin1"))) return null;
  const oid = /^oid sha256:([0-9a-f]{64})\r?$/m.exec(text)?.[1];
  const size = /^size ([0-9]{1,15})\r?$/m.exec(text)?.[1];
  return oid === undefined || size === undefined ? null : { oid, sizeBytes: Number(size) };
}

/**
 * Adds every object that this one references: a commit's tree and parents, a tree's entries except submodules, a
 * tag's object. Returns false when the object is malformed for its type.
 */
export function collectReferences(
  type: number,
  payload: Uint8Array,
  oidLength: number,
  set: PrefixSet,
): boolean {
  if (type === COMMIT) return collectFromCommit(payload, oidLength, set);
  if (type === TREE) return collectFromTree(payload, oidLength, set);
  if (type === TAG) return addHexLine(payload, 0, "object ", oidLength, set) !== null;
  return type === BLOB;
}

function collectFromCommit(payload: Uint8Array, oidLength: number, set: PrefixSet): boolean {
  const parentsAt = addHexLine(payload, 0, "tree ", oidLength, set);
  for (let at = parentsAt; at !== null; ) at = addHexLine(payload, at, "parent ", oidLength, set);
  return parentsAt !== null;
}

const scratch = new Uint8Array(32);

/** Adds the object name in a line `<key><hex>\n` and returns the position after it; null = there is no such line. */
function addHexLine(
  payload: Uint8Array,
  at: number,
  key: string,
  oidLength: number,
  set: PrefixSet,
): number | null {
  for (let i = 0; i < key.length; i++) if (payload[at + i] !== key.charCodeAt(i)) return null;
  const start = at + key.length;
  for (let i = 0; i < oidLength; i++) {
    const high = hexDigit(payload[start + i * 2]!);
    const low = hexDigit(payload[start + i * 2 + 1]!);
    if (high < 0 || low < 0) return null;
    scratch[i] = high * 16 + low;
  }
  const end = start + oidLength * 2;
  if (payload[end] !== 0x0a) return null;
  set.add(scratch, 0);
  return end + 1;
}

/** The value of a lower-case hexadecimal digit; -1 = it is none, or the payload has ended. */
function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  return byte >= 0x61 && byte <= 0x66 ? byte - 0x57 : -1;
}

/** Folders, files and links reference an object; git treats everything else as a submodule. */
function leadsToObject(mode: number): boolean {
  return [0o040000, 0o100000, 0o120000].includes(mode & 0o170000);
}

/** Entries are `<octal mode> <name>\0<raw name of the object>`. */
function collectFromTree(payload: Uint8Array, oidLength: number, set: PrefixSet): boolean {
  let at = 0;
  while (at < payload.length) {
    const start = at;
    let mode = 0;
    while (payload[at] !== 0x20) {
      const digit = payload[at]! - 0x30;
      if (!(digit >= 0 && digit <= 7)) return false;
      // Old tools wrote leading zeros; only the last 16 bits count.
      mode = ((mode << 3) | digit) & 0xffff;
      at += 1;
    }
    const end = payload.indexOf(0, at);
    if (end < 0 || at === start || end + 1 + oidLength > payload.length) return false;
    if (leadsToObject(mode)) set.add(payload, end + 1);
    at = end + 1 + oidLength;
  }
  return true;
}
