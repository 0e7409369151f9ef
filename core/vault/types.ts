/**
 * Types of the vault. It stores bytes: organisations, items and runs are opaque names that go into key derivation and
 * object keys. The write order is always content → manifest → commit (design, engine 3).
 */
import type { Json } from "#core/kernel/canonical-json.ts";

/** The content of an object in the bucket. It is part of the key derivation, so one kind never opens as another. */
export type ObjectKind =
  | "pack"
  | "stream"
  | "manifest"
  | "draft"
  | "companion"
  | "layout"
  | "names"
  | "state";

/** The names that an object is bound to. Decrypting with any other name fails. */
export type ObjectScope = { organisationId: string; itemId: string };

/** A stored object as listed in the ledger. */
export type StoredObject = {
  id: string;
  kind: ObjectKind;
  /** R2 key: `{organisationId}/{itemId}/{objectId}`. */
  key: string;
  /** Plain size in bytes. */
  sizeBytes: number;
  /** Size in the bucket, including header and tags. */
  storedBytes: number;
  /** SHA-256 of the plain bytes, hexadecimal. */
  hash: string;
  /** CRC-32 of the plain bytes, for the ZIP. */
  crc32: number;
};

/**
 * The ledger's list of objects. An object is reserved before its first byte is uploaded, so `prune` finds what a
 * crashed run leaves behind without listing buckets.
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
   * Finds a stored stream of the item with this hash, so equal bytes are stored once. The same statement assigns it to
   * the run (clears the mark, sets the run), so `prune` cannot delete it before the commit.
   */
  findStream(itemId: string, hash: string, runId: string): Promise<StoredObject | null>;
  /** Deletes reservations whose objects were removed. */
  discard(ids: readonly string[]): Promise<void>;
}

/** Location of an entry's bytes. Records are inside packs; streams are whole objects (offset 0). */
export type Location = {
  object: string;
  /** Offset of the stored, possibly deflated bytes inside the object's plain bytes. */
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

/** The contents of a version compared with the platform (engine 3). Ends every manifest. */
export type Completeness = {
  /** Entries per kind. */
  counts: Record<string, number>;
  /** Counts per kind that the platform reported. */
  reported: Record<string, number>;
  /** What could not be read, and why. At most 1,000 entries and half a megabyte are kept; `skippedCount` counts all. */
  skipped: { path: string; kind: string; reason: string }[];
  skippedCount: number;
  /** Platform API version and acting account. */
  apiVersion: string;
  account: string;
};

/**
 * Points to a manifest. `id` is the hash of its content without locations: equal content has an equal id, wherever the
 * bytes are stored. The ledger keeps its location. A commit with a known id keeps the known location.
 */
export type ManifestRef = {
  id: string;
  root: Location & { hash: string };
  entryCount: number;
  /** Sum of the plain sizes of all entries. */
  sizeBytes: number;
};

/** A manifest with the objects that it needs. The ledger keeps them, so `prune` need not open manifests. */
export type ListedManifest = ManifestRef & {
  /** Ids of all objects that the manifest or its chunks refer to. */
  objects: readonly string[];
};

/** The result of a draft, committed by the one D1 batch that makes the snapshot visible. */
export type DraftResult = {
  manifest: ListedManifest;
  /** The manifest that the draft built on, as it was found in the vault. */
  previous: ListedManifest | null;
  /** True when the manifest equals the previous one, which is then returned unchanged. */
  unchanged: boolean;
  /** Bytes newly written to the bucket for this snapshot. */
  newBytes: number;
  completeness: Completeness;
};

/** State of an interrupted draft, small enough for the run's cursor. Draft objects hold the bulk. */
export type DraftCursor = Json;
