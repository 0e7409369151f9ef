import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, sqliteTable, sqliteView, text } from "drizzle-orm/sqlite-core";
import { DAY_MS } from "#core/kernel/clock.ts";
import { shortBytes, shortHash } from "../short-hash.ts";

/** Every version is checked in full again within this time (promise of proof, reliability R9). The index below holds it. */
export const REVERIFY_AFTER_MS = 30 * DAY_MS;

/**
 * SQL of the time when a version is looked at next: its check is too long ago, or it has expired. One index for both
 * duties, because each entry of an index costs every backup a row. The text of the index `snapshot_due`.
 */
export const VERSION_DUE_AT = (version: string) =>
  `min(${version}expires_at, coalesce(${version}verified_at + ${REVERIFY_AFTER_MS}, ${version}expires_at))`;

/** Immutable state of one item at one time. Inserting the row commits a backup. */
export const snapshot = sqliteTable(
  "snapshot",
  {
    id: text("id").primaryKey(),
    organisationId: text("organisation_id").notNull(),
    itemId: text("item_id").notNull(),
    /** The run that took it, which has this version in its `snapshot_id`. */
    runId: text("run_id").notNull(),
    takenAt: integer("taken_at").notNull(),
    /** Its manifest. Equal states share one. */
    manifestId: text("manifest_id").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    /** Bytes newly written for it (the spec's sizeSub). */
    newBytes: integer("new_bytes").notNull(),
    skippedCount: integer("skipped_count").notNull().default(0),
    /** Intact = every byte is proven, but some content could not be checked here; `verifyText` says what and why. */
    verifyState: text("verify_state", { enum: ["queued", "verified", "intact", "failed"] }).notNull(),
    verifiedAt: integer("verified_at"),
    verifyText: text("verify_text"),
    /** Why its platform does not take the version back, as found by the check. Null = it does, or is not yet known. */
    restoreObstacle: text("restore_obstacle"),
    /** Objects that the version holds and no ref reaches, and their bytes; null = none were found, or not counted. */
    unreachableObjects: integer("unreachable_objects"),
    unreachableBytes: integer("unreachable_bytes"),
    /** `expire` deletes the version after this time, unless it is the newest good one of an item that still exists. */
    expiresAt: integer("expires_at").notNull(),
    /** What is known of the run that took it, once that row is folded into this one. Null = the run has its row. */
    runTrigger: text("run_trigger", { enum: ["schedule", "user", "system"] }),
    runCreatedBy: text("run_created_by"),
    runCreatedAt: integer("run_created_at"),
    runStartedAt: integer("run_started_at"),
    runFinishedAt: integer("run_finished_at"),
    runAttempts: integer("run_attempts"),
    runBytesRead: integer("run_bytes_read"),
  },
  (t) => [
    index("snapshot_item").on(t.itemId, t.takenAt),
    index("snapshot_due").on(sql.raw(VERSION_DUE_AT(""))),
    index("snapshot_unchecked").on(t.takenAt).where(sql`verify_state = 'queued'`),
  ],
);

/**
 * The manifests' rows, by number of the item (`numbers.ts`): where a manifest's root is in the vault. Keyed by item,
 * because items have different keys. Read them as `manifest`.
 */
export const manifestRow = sqliteTable(
  "manifest_row",
  {
    item: integer("item").notNull(),
    /** Its number among the item's manifests, from 1. It grows with every commit and is never used again. */
    seq: integer("seq").notNull(),
    id: text("id").notNull(),
    rootObject: text("root_object").notNull(),
    rootOffset: integer("root_offset").notNull(),
    rootLength: integer("root_length").notNull(),
    rootMethod: integer("root_method").notNull(),
    rootHash: blob("root_hash").notNull(),
    entryCount: integer("entry_count").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    completeness: text("completeness", { mode: "json" }).notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.item, t.seq] }),
    index("manifest_row_id").on(t.item, sql.raw(shortHash("id"))),
  ],
);

/** The manifests with the ids of their items and organisations. */
export const manifest = sqliteView("manifest", {
  item: integer("item").notNull(),
  itemId: text("item_id").notNull(),
  organisationId: text("organisation_id").notNull(),
  seq: integer("seq").notNull(),
  id: text("id").notNull(),
  rootObject: text("root_object").notNull(),
  rootOffset: integer("root_offset").notNull(),
  rootLength: integer("root_length").notNull(),
  rootMethod: integer("root_method").notNull(),
  rootHash: text("root_hash").notNull(),
  entryCount: integer("entry_count").notNull(),
  sizeBytes: integer("size_bytes").notNull(),
  completeness: text("completeness", { mode: "json" }).notNull(),
  createdAt: integer("created_at").notNull(),
}).existing();

const OBJECT_KINDS = [
  "pack",
  "stream",
  "manifest",
  "draft",
  "companion",
  "layout",
  "names",
  "state",
] as const;
const OBJECT_STATUSES = ["reserved", "stored", "deleting"] as const;

/**
 * The objects' rows, by number of the item (`numbers.ts`). A row is reserved before the first byte is uploaded, so that
 * every object in the bucket has one. Read them as `object`.
 */
export const objectRow = sqliteTable(
  "object_row",
  {
    id: text("id").primaryKey(),
    item: integer("item").notNull(),
    /** The run that wrote it. While the run is open, the object is not pruned. */
    runId: text("run_id").notNull(),
    kind: text("kind", { enum: OBJECT_KINDS }).notNull(),
    status: text("status", { enum: OBJECT_STATUSES }).notNull(),
    sizeBytes: integer("size_bytes").notNull().default(0),
    storedBytes: integer("stored_bytes").notNull().default(0),
    hash: blob("hash"),
    crc32: integer("crc32").notNull().default(0),
    /** The manifest that an object of kind `state` describes, which keeps it. Set by the commit of the version. */
    manifestId: blob("manifest_id"),
    /** When the object was first found unreferenced; it is deleted if that is still so at least 24 h later. */
    markedAt: integer("marked_at"),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [
    index("object_row_item").on(t.item, t.kind, sql.raw(shortBytes("hash"))),
    index("object_row_marked").on(t.markedAt).where(sql`marked_at IS NOT NULL`),
    index("object_row_packed").on(t.createdAt).where(sql`kind = 'pack'`),
  ],
);

/** The objects in the vault's bucket with the ids of their items and organisations, and their keys. */
export const vaultObject = sqliteView("object", {
  id: text("id").notNull(),
  item: integer("item").notNull(),
  organisationId: text("organisation_id").notNull(),
  itemId: text("item_id").notNull(),
  runId: text("run_id").notNull(),
  kind: text("kind", { enum: OBJECT_KINDS }).notNull(),
  key: text("key").notNull(),
  status: text("status", { enum: OBJECT_STATUSES }).notNull(),
  sizeBytes: integer("size_bytes").notNull(),
  storedBytes: integer("stored_bytes").notNull(),
  hash: text("hash"),
  crc32: integer("crc32").notNull(),
  manifestId: text("manifest_id"),
  markedAt: integer("marked_at"),
  createdAt: integer("created_at").notNull(),
}).existing();

/**
 * The manifests of an item that need an object: those whose `seq` lies between `from_seq` and `to_seq`. A new manifest
 * writes a row only for an object that it needs and its predecessor does not, or the reverse. Spans of one object do
 * not overlap.
 *
 * Each span holds a manifest that exists: triggers on `manifest_row` delete the spans whose last one goes. So an object
 * is needed as long as it has a span. A trigger on this table takes back the mark of `prune` when an object gets one. The
 * migration makes the table `WITHOUT ROWID`: the key is nearly the whole row, and no second tree repeats it. Read it as
 * `object_span`.
 */
export const spanRow = sqliteTable(
  "span_row",
  {
    item: integer("item").notNull(),
    objectId: text("object_id").notNull(),
    fromSeq: integer("from_seq").notNull(),
    /** Null = the span is open: the newest manifest needs the object. */
    toSeq: integer("to_seq"),
  },
  (t) => [
    primaryKey({ columns: [t.item, t.objectId, t.fromSeq] }),
    index("span_row_closed").on(t.item, t.toSeq).where(sql`to_seq IS NOT NULL`),
  ],
);

/** The spans with the ids of their items and organisations. */
export const objectSpan = sqliteView("object_span", {
  item: integer("item").notNull(),
  itemId: text("item_id").notNull(),
  organisationId: text("organisation_id").notNull(),
  objectId: text("object_id").notNull(),
  fromSeq: integer("from_seq").notNull(),
  toSeq: integer("to_seq"),
}).existing();

/** The objects that each manifest needs, read from the spans. */
export const manifestObject = sqliteView("manifest_object", {
  itemId: text("item_id").notNull(),
  manifestId: text("manifest_id").notNull(),
  objectId: text("object_id").notNull(),
}).existing();

/** A file derived from an object after the backup, e.g. the index of a git pack. It is deleted with its source. */
export const companion = sqliteTable(
  "companion",
  {
    sourceObjectId: text("source_object_id").notNull(),
    name: text("name").notNull(),
    objectId: text("object_id").notNull(),
    itemId: text("item_id").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.sourceObjectId, t.name] }),
    index("companion_object").on(t.objectId),
    index("companion_item").on(t.itemId),
  ],
);

/**
 * The names inside an item's newest checked version, to search them. `prune` keeps the object while the row refers to it.
 */
export const nameIndex = sqliteTable(
  "name_index",
  {
    itemId: text("item_id").primaryKey(),
    organisationId: text("organisation_id").notNull(),
    /** The manifest whose names they are. Without a version of it, nothing is found. */
    manifestId: text("manifest_id").notNull(),
    /** When that version was taken. */
    takenAt: integer("taken_at").notNull(),
    /** The vault object of kind `names`; null = the version has no names. */
    objectId: text("object_id"),
    nameCount: integer("name_count").notNull(),
    /** The version has more names than are kept. */
    isCut: integer("is_cut", { mode: "boolean" }).notNull(),
  },
  (t) => [index("name_index_newest").on(t.organisationId, t.takenAt, t.itemId)],
);

/** The ZIP that a user requested: a fixed layout over vault objects, streamed under a signed link until it expires. */
export const exportRow = sqliteTable(
  "export",
  {
    id: text("id").primaryKey(),
    organisationId: text("organisation_id").notNull(),
    itemId: text("item_id").notNull(),
    platform: text("platform").notNull(),
    snapshotId: text("snapshot_id").notNull(),
    manifestId: text("manifest_id").notNull(),
    runId: text("run_id"),
    status: text("status", { enum: ["pending", "ready", "expired", "failed"] }).notNull(),
    /** Vault object that holds the layout. */
    layoutObjectId: text("layout_object_id"),
    sizeBytes: integer("size_bytes").notNull().default(0),
    fileName: text("file_name").notNull(),
    /** Without what no ref reaches. */
    reachedOnly: integer("reached_only", { mode: "boolean" }).notNull().default(false),
    requestedBy: text("requested_by").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    revokedAt: integer("revoked_at"),
  },
  (t) => [
    index("export_snapshot").on(t.snapshotId, t.createdAt),
    index("export_item").on(t.itemId),
    index("export_run").on(t.runId),
    index("export_live").on(t.expiresAt).where(sql`status IN ('ready', 'pending')`),
  ],
);

/** The position of an unfinished sweep. The next pass continues after this item. */
export const sweepPosition = sqliteTable("sweep_position", {
  sweep: text("sweep", { enum: ["prune"] }).primaryKey(),
  itemId: text("item_id").notNull(),
});
