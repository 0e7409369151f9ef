/**
 * The manifest: a sorted list of entries cut into chunks, and a root that lists the chunks. The path of an entry alone
 * decides whether a chunk ends after it, so unchanged regions of two snapshots give the same chunks. Chunks and
 * manifests are named by their content without locations: equal content has an equal id wherever it is stored.
 */
import { crc32 } from "node:zlib";
import { canonicalJson } from "#core/kernel/canonical-json.ts";
import { fromUtf8, utf8 } from "#core/kernel/crypto.ts";
import { hashOf } from "./record-pack.ts";
import type { Completeness, Location, ManifestEntry } from "./types.ts";
import { VaultError } from "./vault-error.ts";

const FORMAT_VERSION = 1;
/** On average one path in this many ends a chunk. */
const MEAN_CHUNK_ENTRIES = 512;
const MAX_CHUNK_ENTRIES = 2_048;

/** Location of a blob in a pack, and the hash of its plain bytes. */
export type BlobPlace = Location & { hash: string };

/** A chunk as listed in the root. */
export type ChunkRef = {
  /** Path of its first entry. */
  first: string;
  /** Number of entries. */
  count: number;
  /** Sum of the plain sizes of its entries. */
  sizeBytes: number;
  /** Hash of its entries without their locations. */
  id: string;
  blob: BlobPlace;
};

/** The list of chunks, with totals. */
export type ManifestRoot = {
  chunks: ChunkRef[];
  entryCount: number;
  sizeBytes: number;
  completeness: Completeness;
};

/** True when a chunk ends after this path. */
export function endsChunk(path: string, count: number): boolean {
  return count >= MAX_CHUNK_ENTRIES || crc32(path) % MEAN_CHUNK_ENTRIES === 0;
}

/** Encodes entries as a chunk. `id` names the content, `bytes` is the stored form. */
export function encodeChunk(entries: readonly ManifestEntry[]): { id: string; bytes: Uint8Array } {
  const content: string[] = [];
  const stored: string[] = [];
  for (const entry of entries) {
    const facts = encodeFacts(entry);
    content.push(`${facts}}\n`);
    stored.push(`${facts},"where":${canonicalJson(entry.where)}}\n`);
  }
  return { id: hashOf(content.join("")), bytes: utf8(stored.join("")) };
}

/** Parses a chunk. Unknown fields are ignored. @throws VaultError `tampered` */
export function decodeChunk(bytes: Uint8Array): ManifestEntry[] {
  const text = fromUtf8(bytes);
  const lines = text.slice(0, text.lastIndexOf("\n")).replaceAll("\n", ",");
  return parse<ManifestEntry[]>(`[${lines}]`, "a manifest chunk");
}

/** Splits a chunk into unparsed lines. Identical lines are the same entry at the same location. */
export function linesOfChunk(bytes: Uint8Array): string[] {
  const lines = fromUtf8(bytes).split("\n");
  lines.pop();
  return lines;
}

/** Parses one line of a chunk. @throws VaultError `tampered` */
export function decodeLine(line: string): ManifestEntry {
  return parse<ManifestEntry>(line, "a line of a manifest chunk");
}

/** Encodes a root. `id` names the manifest's content, `bytes` is the stored form. */
export function encodeRoot(root: ManifestRoot): { id: string; bytes: Uint8Array } {
  const whole = { format: "holdfast-manifest", version: FORMAT_VERSION, ...root };
  const chunks = root.chunks.map(({ blob: _, ...facts }) => facts);
  return { id: hashOf(canonicalJson({ ...whole, chunks })), bytes: utf8(canonicalJson(whole)) };
}

/** Parses a root. @throws VaultError `tampered` when the bytes are not a root of this format version */
export function decodeRoot(bytes: Uint8Array): ManifestRoot {
  const root = parse<ManifestRoot & { format: string; version: number }>(fromUtf8(bytes), "a manifest root");
  if (root.format !== "holdfast-manifest" || root.version !== FORMAT_VERSION) {
    throw new VaultError("tampered", `the manifest has the unknown format ${root.format} ${root.version}`);
  }
  return root;
}

/** True when two entries have the same content, regardless of location. */
export function hasSameContent(a: ManifestEntry, b: ManifestEntry): boolean {
  return (
    a.hash === b.hash &&
    a.path === b.path &&
    a.type === b.type &&
    a.kind === b.kind &&
    a.title === b.title &&
    a.parent === b.parent &&
    a.sizeBytes === b.sizeBytes
  );
}

/** Canonical JSON of everything except the location, without the closing brace. `where` sorts after all other keys. */
function encodeFacts(entry: ManifestEntry): string {
  const { where: _, ...facts } = entry;
  return canonicalJson(facts).slice(0, -1);
}

function parse<T>(text: string, what: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new VaultError("tampered", `${what} is not JSON`, { cause });
  }
}
