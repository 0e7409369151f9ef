import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import type { GitObjectType, ObjectFormat } from "./object-format.ts";
import { type ObjectStore, openObjectStore } from "./object-store.ts";
import { BLOB, COMMIT, OFS_DELTA, REF_DELTA, TAG, TREE } from "./pack-entry.ts";
import { type IndexedPack, type IndexPackOrder, indexPack } from "./pack-index.ts";
import type { PackSource } from "./pack-source.ts";

/** An entry of a forged pack. Its values may be false. */
export type ForgedEntry = { kind: number; size: number; extra?: Uint8Array; body: Uint8Array };

const KINDS: Record<GitObjectType, number> = { commit: COMMIT, tree: TREE, blob: BLOB, tag: TAG };

/** Builds a pack entry by entry, without git. */
export function forge(
  entries: readonly ForgedEntry[],
  count = entries.length,
  format: ObjectFormat = "sha1",
): Buffer {
  const head = Buffer.from("PACK\0\0\0\x02\0\0\0\0", "latin1");
  head.writeUInt32BE(count, 8);
  const body = Buffer.concat([head, ...entries.map(entryBytes)]);
  return Buffer.concat([body, createHash(format).update(body).digest()]);
}

/** The bytes of one entry: its header, what lies between, and its compressed bytes. */
export function entryBytes({ kind, size, extra, body }: ForgedEntry): Buffer {
  const header: number[] = [];
  let rest = Math.floor(size / 16);
  header.push((kind << 4) | (size % 16) | (rest > 0 ? 0x80 : 0));
  while (rest > 0) {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    header.push(low | (rest > 0 ? 0x80 : 0));
  }
  return Buffer.concat([Uint8Array.from(header), extra ?? new Uint8Array(0), body]);
}

/** An object as an entry. */
export function objectEntry(type: GitObjectType, payload: string | Uint8Array): ForgedEntry {
  return { kind: KINDS[type], size: Buffer.byteLength(payload), body: deflateSync(payload) };
}

/** A blob as an entry. */
export const blob = (payload: string | Uint8Array): ForgedEntry => objectEntry("blob", payload);

/** A delta on the object `distance` bytes before it. */
export const delta = (bytes: readonly number[], distance: number): ForgedEntry => ({
  kind: OFS_DELTA,
  size: bytes.length,
  extra: Uint8Array.from(distanced(distance)),
  body: deflateSync(Uint8Array.from(bytes)),
});

/** A distance as git writes it (gitformat-pack, "offset encoding"). */
function distanced(value: number): number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    rest -= 1;
    bytes.unshift((rest % 128) | 0x80);
  }
  return bytes;
}

/** A delta on an object given by its name. */
export const namedDelta = (bytes: readonly number[], base: string): ForgedEntry => ({
  kind: REF_DELTA,
  size: bytes.length,
  extra: Buffer.from(base, "hex"),
  body: deflateSync(Uint8Array.from(bytes)),
});

/** A number at the start of a delta: seven bits per byte, the lowest first. */
export function sized(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) | 0x80);
  }
}

/** A delta that ignores its base and makes this content. */
export function replacing(baseSize: number, content: Uint8Array): number[] {
  const inserts: number[] = [];
  for (let at = 0; at < content.length; at += 127) {
    const piece = content.subarray(at, at + 127);
    inserts.push(piece.length, ...piece);
  }
  return [...sized(baseSize), ...sized(content.length), ...inserts];
}

/** A delta that keeps its base, of less than 64 KiB, and appends a text of less than 128 bytes. */
export function appending(baseSize: number, text: string): number[] {
  const copy = baseSize < 256 ? [0x90, baseSize] : [0xb0, baseSize % 256, baseSize >> 8];
  return [...sized(baseSize), ...sized(baseSize + text.length), ...copy, text.length, ...Buffer.from(text)];
}

/** The name of an object. */
export function oidOf(
  type: GitObjectType,
  payload: string | Uint8Array,
  format: ObjectFormat = "sha1",
): string {
  return createHash(format)
    .update(`${type} ${Buffer.byteLength(payload)}\0`)
    .update(payload)
    .digest("hex");
}

/** The bytes of a commit. */
export function commitText(tree: string, parents: readonly string[] = [], second = 1, message = "m"): string {
  const lines = parents.map((parent) => `parent ${parent}\n`).join("");
  return `tree ${tree}\n${lines}author A <a@b> ${second} +0000\ncommitter C <c@d> ${second} +0000\n\n${message}\n`;
}

/** The bytes of a tree. */
export function treeBytes(...entries: readonly [mode: string, name: string, oid: string][]): Buffer {
  return Buffer.concat(
    entries.flatMap(([mode, name, oid]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, "hex")]),
  );
}

/** Bytes that hardly compress. */
export function noise(length: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(length);
  for (let i = 0, x = seed; i < length; i++) {
    x = (Math.imul(x, 1_103_515_245) + 12_345) >>> 0;
    bytes[i] = x >>> 16;
  }
  return bytes;
}

/** Bytes as the source of a pack. */
export function sourceOf(bytes: Uint8Array): PackSource {
  return { size: bytes.length, read: async (offset, length) => bytes.subarray(offset, offset + length) };
}

/** Indexes a pack to its end. */
export async function indexAll(bytes: Uint8Array, order: Partial<IndexPackOrder> = {}): Promise<IndexedPack> {
  const result = await indexPack(sourceOf(bytes), { objectFormat: "sha1", ...order });
  if (result.kind !== "indexed") throw new Error("suspended");
  return result;
}

/** Opens forged packs as one store. Packs after the first may hold deltas on objects of the packs before. */
export async function openForged(...packs: readonly Buffer[]): Promise<ObjectStore> {
  const sources = [];
  for (const pack of packs) {
    const { idx } = await indexAll(pack);
    sources.push({ pack: sourceOf(pack), index: sourceOf(Buffer.concat([...idx()])) });
  }
  return openObjectStore(sources, "sha1");
}
