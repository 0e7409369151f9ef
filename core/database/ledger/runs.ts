import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { jsonText } from "../json-text.ts";

/** The truth of every job: one attempt to back up, restore, export, verify or delete (design, engine 1). */
export const run = sqliteTable(
  "run",
  {
    id: text("id").primaryKey(),
    organisationId: text("organisation_id").notNull(),
    connectionId: text("connection_id").notNull(),
    itemId: text("item_id").notNull(),
    platform: text("platform").notNull(),
    kind: text("kind", {
      enum: ["backup", "restore", "export", "verify", "delete", "repack", "replicate"],
    }).notNull(),
    trigger: text("trigger", { enum: ["schedule", "user", "system"] }).notNull(),
    /** `superseded`: a backup that could not commit, because a version that began later stood already. */
    status: text("status", { enum: ["queued", "running", "succeeded", "failed", "superseded"] }).notNull(),
    phase: text("phase"),
    done: integer("done").notNull().default(0),
    total: integer("total"),
    unit: text("unit"),
    /** Until when a queued run rests, epoch ms: the platform asks for it, or the fault in `error_text` is tried again. */
    waitingUntil: integer("waiting_until"),
    /** A queued run that found as many of its account's at work as may be; the next one that stops offers it again. */
    waitsTurn: integer("waits_turn", { mode: "boolean" }).notNull().default(false),
    /** When it should end by its own plan, epoch ms; null = by what earlier runs took. */
    expectedEndAt: integer("expected_end_at"),
    /** Where it goes on, in the form that its work declares (`storedJson`), as are the order and the report. */
    cursor: jsonText("cursor"),
    /** How often it began anew because its cursor could not be understood. */
    restarts: integer("restarts").notNull().default(0),
    /** Fencing token: rises with every claim; every write repeats it. */
    epoch: integer("epoch").notNull().default(0),
    leaseUntil: integer("lease_until"),
    attempts: integer("attempts").notNull().default(0),
    /** When it last stored a step that it had not stored before, epoch ms; null = not since it was made. */
    advancedAt: integer("advanced_at"),
    /** `attempts` at that moment, 0 = none counted since then: only later ones are faults in a row. */
    advancedAttempt: integer("advanced_attempt").notNull().default(0),
    errorCode: text("error_code"),
    errorText: text("error_text"),
    bytesRead: integer("bytes_read").notNull().default(0),
    bytesStored: integer("bytes_stored").notNull().default(0),
    /** Input of the run: target of a restore, snapshot of an export … */
    order: jsonText("order_json"),
    /** Report of the run: what was skipped, restored, changed, impossible. */
    report: jsonText("report"),
    snapshotId: text("snapshot_id"),
    createdAt: integer("created_at").notNull(),
    startedAt: integer("started_at"),
    /** When the reading began that its cursor goes on with, epoch ms: what its version is "as of". */
    beganAt: integer("began_at"),
    finishedAt: integer("finished_at"),
    createdBy: text("created_by"),
  },
  (t) => [
    index("run_item").on(t.itemId, t.createdAt),
    index("run_open_item").on(t.itemId).where(sql`status IN ('queued', 'running')`),
    // Whoever wants another backup of the item joins the one that is open.
    uniqueIndex("run_open_backup")
      .on(t.itemId)
      .where(sql`kind = 'backup' AND status IN ('queued', 'running')`),
    index("run_working").on(t.connectionId).where(sql`status = 'running'`),
    index("run_waiting_turn").on(t.connectionId, t.kind, t.createdAt).where(sql`waits_turn = 1`),
    index("run_open").on(t.leaseUntil).where(sql`status IN ('queued', 'running')`),
    index("run_organisation").on(t.organisationId, t.createdAt),
  ],
);

/** What a restore has created, written before it goes on, so that a replay continues and never duplicates. */
export const restoreJournal = sqliteTable(
  "restore_journal",
  {
    runId: text("run_id").notNull(),
    key: text("key").notNull(),
    value: text("value", { mode: "json" }).notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.key] })],
);
