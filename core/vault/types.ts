/**
 * The vault's own words. It stores bytes: it knows organisations, items and runs only as opaque names that go
 * into key derivation and object keys. Order of writing is always content → manifest → commit (design, engine 3).
 */
import type { Json } from "#core/kernel/canonical-json.ts";

/** What an object in the bucket holds; part of the key derivation, so one kind never opens as another. */
export type ObjectKind = "pack" | "stream" | "manifest" | "draft" | "companion" | "layout";

/** The names an object is bound to; decrypting under any other fails. */
export type ObjectScope = { organisationId: string; itemId: string };

/** A stored object as the ledger knows it. */
export type StoredObject = {
  id: string;
  kind: ObjectKind;
  /** R2 key: `{organisationId}/{itemId}/{objectId}`. */
  key: string;
  /** Plain size in bytes. */
  sizeBytes: number;
  /** Size in the bucket, header and tags included. */
  storedBytes: number;
  /** SHA-256 of the plain bytes, hexadecimal. */
  hash: string;
  /** CRC-32 of the plain bytes, for the ZIP. */
  crc32: number;
};

/**
 * The ledger's list of objects. An object is reserved before its first byte is uploaded, so that whatever a
 * crashed run leaves behind is known and `prune` finds it without listing buckets.
 */
export interface ObjectRegistry {
  reserve(object: {
    id: string;
    kind: ObjectKind;
    key: string;
    itemId: string;
    runId: string;
  }): Promise<void>;
  complete(object: StoredObject): Promise<void>;
  /**
   * A finished stream of the item with this hash, so that equal bytes are stored once. The answer is adopted by
   * the run in the same statement (mark cleared, run set), so that `prune` cannot take it before the commit.
   */
  findStream(itemId: string, hash: string, runId: string): Promise<StoredObject | null>;
  /** Forgets reservations whose objects were deleted again. */
  discard(ids: readonly string[]): Promise<void>;
}

/** Where bytes of an entry lie. Records lie inside packs, streams are whole objects (offset 0). */
export type Location = {
  object: string;
  /** Offset of the stored (perhaps deflated) bytes inside the object's plain bytes. */
  offset: number;
  /** Length of the stored bytes. */
  length: number;
  /** ZIP method: 0 stored, 8 raw deflate. */
  method: 0 | 8;
};

/** One line of a manifest. */
export type ManifestEntry = {
  path: string;
  kind: string;
  type: "record" | "stream";
  title?: string;
  parent?: string;
  /** Plain size in bytes. */
  sizeBytes: number;
  /** SHA-256 of the plain bytes, hexadecimal. */
  hash: string;
  /** CRC-32 of the plain bytes. */
  crc32: number;
  where: Location;
};

/** What a version holds against what the platform has (engine 3). Ends every manifest. */
export type Completeness = {
  /** Entries per kind. */
  counts: Record<string, number>;
  /** What the platform itself reported per kind. */
  reported: Record<string, number>;
  /** What could not be read, and why; at most 1,000 and half a megabyte are kept, `skippedCount` counts all. */
  skipped: { path: string; kind: string; reason: string }[];
  skippedCount: number;
  /** Platform API version and acting account. */
  apiVersion: string;
  account: string;
};

/**
 * Points to a manifest. `id` is the hash of its content without locations: equal content gives an equal id,
 * wherever the bytes lie. Its location and the objects it needs are kept in the ledger, so that readers and
 * `prune` need not open it. A commit that meets the id again keeps the location it already knows.
 */
export type ManifestRef = {
  id: string;
  root: Location & { hash: string };
  entryCount: number;
  /** Sum of the plain sizes of all entries. */
  sizeBytes: number;
  /** Ids of every object that the manifest or its chunks refer to. */
  objects: string[];
};

/** What a finished draft hands to the one D1 batch that makes the snapshot visible. */
export type DraftResult = {
  manifest: ManifestRef;
  /** True when the manifest equals the previous one, which is then returned as it was. */
  unchanged: boolean;
  /** Bytes newly written to the bucket for this snapshot. */
  newBytes: number;
  completeness: Completeness;
};

/** State of an interrupted draft, small enough for the run's cursor (bulk lies in a draft object). */
export type DraftCursor = Json;
