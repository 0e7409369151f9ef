import { crc32 } from "node:zlib";
import { canonicalJson, type Json } from "#core/kernel/canonical-json.ts";
import { utf8 } from "#core/kernel/crypto.ts";
import type { ManifestReader } from "./manifest-reader.ts";
import { type createPackWriter, hashOf } from "./record-pack.ts";
import type { Location, ManifestEntry } from "./types.ts";

const MAX_REMEMBERED_HASHES = 65_536;

/** Location and identity of a record as in a manifest. */
export type StoredRecord = Pick<ManifestEntry, "hash" | "sizeBytes" | "crc32" | "where">;

/**
 * Returns the function that stores a record at a path. It does not store a record again that the path already has, or
 * that the draft or the previous snapshot contains.
 */
export function recordStore(
  packs: ReturnType<typeof createPackWriter>,
  previous: ManifestReader | null,
): (path: string, value: Json) => Promise<StoredRecord> {
  const hashes = new Map<string, Location>();
  let movable: ReadonlyMap<string, Location> | null = null;

  /** Locations of the previous snapshot's records, for records that only changed their path. Read on first use. */
  async function previousRecords(): Promise<ReadonlyMap<string, Location>> {
    movable ??= await locationsByHash(previous);
    return movable;
  }

  return async (path, value) => {
    const plain = utf8(canonicalJson(value));
    const hash = hashOf(plain);
    const facts = { hash, sizeBytes: plain.length };
    const old = await previous?.find(path);
    if (old?.type === "record" && old.hash === hash) return { ...facts, crc32: old.crc32, where: old.where };
    const known = hashes.get(hash) ?? (await previousRecords()).get(hash);
    if (known) return { ...facts, crc32: crc32(plain), where: known };
    const blob = await packs.add("record", plain, hash);
    if (hashes.size < MAX_REMEMBERED_HASHES) hashes.set(hash, blob.where);
    return { ...facts, crc32: blob.crc32, where: blob.where };
  };
}

/** Returns the locations of a manifest's records by hash; empty if the manifest is too large for memory. */
async function locationsByHash(manifest: ManifestReader | null): Promise<ReadonlyMap<string, Location>> {
  const places = new Map<string, Location>();
  if (!manifest || manifest.root.entryCount > MAX_REMEMBERED_HASHES) return places;
  for await (const { type, hash, where } of manifest.entries()) {
    if (type === "record") places.set(hash, where);
  }
  return places;
}
