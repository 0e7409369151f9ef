import * as z from "zod/mini";

/**
 * Messages of the websocket. Field names of the first two members follow the spec (part 2 section 3 "Live message");
 * all times are epoch ms. An event about items names their connection; without one it concerns the whole platform.
 * Messages are hints: a client that missed some refetches.
 */
const runProgress = z.object({
  runId: z.string(),
  kind: z.enum(["backup", "restore", "export", "verify", "delete", "repack", "replicate"]),
  status: z.enum(["queued", "running"]),
  phase: z.nullable(z.string()),
  done: z.number(),
  total: z.nullable(z.number()),
  unit: z.nullable(z.string()),
  bytesRead: z.number(),
  startedAt: z.nullable(z.number()),
  expectedEndAt: z.nullable(z.number()),
  waitingUntil: z.nullable(z.number()),
  /* Absent in progress that was stored before this field existed. */
  fault: z._default(z.nullable(z.string()), null),
});

export const liveEventSchema = z.discriminatedUnion("method", [
  /** Progress of adding items. */
  z.object({
    method: z.literal("items-adding"),
    platform: z.string(),
    connectionId: z.optional(z.string()),
    addedItems: z.number(),
    totalItems: z.number(),
  }),
  /** A run started, succeeded or failed. */
  z.object({
    method: z.literal("item-status"),
    platform: z.string(),
    id: z.string(),
    type: z.enum(["backup", "restore"]),
    status: z.enum(["queued", "running", "success", "failed"]),
    date: z.number(),
    /** The whole version, in bytes; absent where no version was taken. */
    sizeBytes: z.optional(z.number()),
    data_size: z.number(),
    actionProcess: z.nullable(z.enum(["backing_up_process", "restoring_process"])),
    runId: z.string(),
    errorText: z.nullable(z.string()),
  }),
  /** A running job made progress. */
  z.object({
    method: z.literal("item-progress"),
    platform: z.string(),
    id: z.string(),
    progress: runProgress,
  }),
  /** Rows were added, removed or changed: lists refetch. */
  z.object({
    method: z.literal("items-changed"),
    platform: z.string(),
    connectionId: z.optional(z.string()),
    ids: z.array(z.string()),
  }),
  /** A version was checked. */
  z.object({
    method: z.literal("snapshot-verified"),
    platform: z.string(),
    id: z.string(),
    snapshotId: z.string(),
    state: z.enum(["verified", "intact", "failed"]),
    at: z.number(),
  }),
  /** A ZIP became ready or failed. */
  z.object({
    method: z.literal("zip-status"),
    platform: z.string(),
    id: z.string(),
    snapshotId: z.string(),
    status: z.enum(["pending", "ready", "failed"]),
  }),
  /** A version was copied to the organisation's own storage, or the copy failed. */
  z.object({
    method: z.literal("copy-status"),
    platform: z.string(),
    id: z.string(),
    snapshotId: z.string(),
    status: z.enum(["stored", "failed"]),
  }),
  /** New items were protected automatically. `waiting` counts items beyond the plan's limit. */
  z.object({
    method: z.literal("items-auto-added"),
    platform: z.string(),
    connectionId: z.optional(z.string()),
    names: z.array(z.string()),
    count: z.number(),
    waiting: z.number(),
  }),
  /** What is bought or may be used of a platform changed: rights, prices and payments are read again. */
  z.object({ method: z.literal("subscription-changed"), platform: z.string() }),
  /** How many items a platform may have changed; the spec's own name (spec B-265). */
  z.object({ method: z.literal("updateDashboardPlatformItemsAmount"), platform: z.string() }),
  /** The connection's token stopped or started working. */
  z.object({ method: z.literal("connection-changed"), platform: z.string(), connectionId: z.string() }),
]);

export type LiveEvent = z.infer<typeof liveEventSchema>;

/**
 * A message on the socket: an event and its number. Numbers rise by one per event that the member may see, so a gap
 * reveals a missed event.
 */
export const liveMessageSchema = z.object({ seq: z.number(), event: liveEventSchema });
export type LiveMessage = z.infer<typeof liveMessageSchema>;

/**
 * First message after connecting. Contains the current `seq`, the progress of running jobs, so a reload shows the same
 * bar, and the time of the newest event other than progress (epoch ms, 0 = none), so a page can tell whether it missed
 * one.
 */
export const liveWelcomeSchema = z.object({
  method: z.literal("welcome"),
  seq: z.number(),
  newestAt: z.number(),
  running: z.array(z.object({ platform: z.string(), id: z.string(), progress: runProgress })),
});
export type LiveWelcome = z.infer<typeof liveWelcomeSchema>;
