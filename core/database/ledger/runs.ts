import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  sqliteView,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { jsonText } from "../json-text.ts";

const columns = {
  id: text("id").primaryKey(),
  organisationId: text("organisation_id").notNull(),
  connectionId: text("connection_id").notNull(),
  itemId: text("item_id").notNull(),
  platform: text("platform").notNull(),
  kind: text("kind", {
    enum: ["backup", "restore", "export", "verify", "delete", "repack", "replicate"],
  }).notNull(),
  trigger: text("trigger", { enum: ["schedule", "user", "system"] }).notNull(),
  /** `superseded`: a backup that did not commit, because a version that began later was already there. */
  status: text("status", { enum: ["queued", "running", "succeeded", "failed", "superseded"] }).notNull(),
  phase: text("phase"),
  done: integer("done").notNull().default(0),
  total: integer("total"),
  unit: text("unit"),
  /**
   * A queued run waits until this time, epoch ms: at the platform's request, or to retry the failure in `error_text`.
   */
  waitingUntil: integer("waiting_until"),
  /**
   * True for a queued run that waits because its account has as many runs working as allowed. When one stops, the
   * next waiting run is queued again.
   */
  waitsTurn: integer("waits_turn", { mode: "boolean" }).notNull().default(false),
  /** When the run is expected to end by its own plan, epoch ms; null = estimated from earlier runs. */
  expectedEndAt: integer("expected_end_at"),
  /** The position to resume from, in the form that its job declares (`storedJson`), like `order` and `report`. */
  cursor: jsonText("cursor"),
  /** How often the run restarted because its cursor could not be parsed. */
  restarts: integer("restarts").notNull().default(0),
  /** Fencing token: increases with every claim; every write checks it. */
  epoch: integer("epoch").notNull().default(0),
  leaseUntil: integer("lease_until"),
  attempts: integer("attempts").notNull().default(0),
  /** When the run last stored new progress, epoch ms; null = not since it was created. */
  advancedAt: integer("advanced_at"),
  /** The value of `attempts` at that time; 0 = none since then. Only later attempts count as consecutive failures. */
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
  /** When the reading began that the cursor continues, epoch ms: the time that its version represents. */
  beganAt: integer("began_at"),
  /** Null = the run is open: queued or running. */
  finishedAt: integer("finished_at"),
  /** When the owner erased the version that this backup made, epoch ms: the tombstone of the history. */
  erasedAt: integer("erased_at"),
  createdBy: text("created_by"),
};

/** SQL: a run that pages and reports list. The text of the index `run_activity`. */
export const IS_SHOWN = "kind IN ('backup', 'restore', 'export')";

/** The state of every job: one attempt to back up, restore, export, verify or delete (design, engine 1). */
export const run = sqliteTable("run", columns, (t) => [
  index("run_item").on(t.itemId, t.createdAt),
  // The open runs of an item: at most one backup, which a request for another one joins. The condition is not the status,
  // because every change of a column that a condition names writes the entry again.
  uniqueIndex("run_open")
    .on(t.itemId, sql.raw("CASE kind WHEN 'backup' THEN '' ELSE id END"))
    .where(sql`finished_at IS NULL`),
  index("run_working").on(t.connectionId).where(sql`status = 'running'`),
  index("run_waiting_turn").on(t.connectionId, t.kind, t.createdAt).where(sql`waits_turn = 1`),
  index("run_lease").on(t.leaseUntil).where(sql`finished_at IS NULL`),
  // What people see. Ask for platforms, or SQLite reads all of the organisation.
  index("run_activity").on(t.organisationId, t.platform, t.createdAt).where(sql.raw(IS_SHOWN)),
  // Runs that nothing shows once they have ended. Some are looked for in the week after.
  index("run_unneeded")
    .on(t.createdAt)
    .where(sql`status IN ('succeeded', 'superseded') AND (kind IN ('verify', 'replicate')
        OR status = 'superseded')`),
  index("run_needed").on(t.createdAt).where(sql`kind IN ('delete', 'repack') AND status = 'succeeded'`),
]);

/**
 * Runs, with the successful backups of unchanged versions and of earlier days: their rows were folded into those of their
 * versions (`core/runs/fold-runs.store.ts`), which keep what pages show. Ask for an item, or for an organisation and a connection,
 * or the view reads every version.
 */
export const knownRun = sqliteView("known_run", columns).existing();

/** What a restore has created. Written before the restore continues, so that a replay never creates duplicates. */
export const restoreJournal = sqliteTable(
  "restore_journal",
  {
    runId: text("run_id").notNull(),
    key: text("key").notNull(),
    value: text("value", { mode: "json" }).notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.key] }), index("restore_journal_created").on(t.createdAt)],
);

/** When a duty may begin that a migration has made wait: a release before it that still serves would miss the rows. */
export const dutyStart = sqliteTable("duty_start", {
  duty: text("duty", { enum: ["fold-runs"] }).primaryKey(),
  /** Epoch ms. */
  notBefore: integer("not_before").notNull(),
});
