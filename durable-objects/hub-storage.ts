import type { LiveEvent, LiveWelcome } from "#core/live/events.schema.ts";
import type { SocketOwner } from "./live-socket.ts";

type ProgressEvent = Extract<LiveEvent, { method: "item-progress" }>;
type Platforms = SocketOwner["platforms"];

/**
 * The hub's state that survives an eviction. Calls are synchronous: nothing else runs between a read and a write, so a
 * claim is exclusive.
 */
export class HubStorage {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS counted (platform TEXT PRIMARY KEY, events INTEGER NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS newest (platform TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS claimed (key TEXT PRIMARY KEY, opens_at INTEGER NOT NULL) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS claimed_by_opening ON claimed (opens_at);
      CREATE TABLE IF NOT EXISTS heard (
        run_id TEXT PRIMARY KEY, platform TEXT NOT NULL, item_id TEXT NOT NULL, kind TEXT NOT NULL,
        progress TEXT NOT NULL, at INTEGER NOT NULL, ended INTEGER NOT NULL DEFAULT 0
      ) WITHOUT ROWID;
    `);
  }

  /** Counts one more event of the platform. */
  count(platform: string): void {
    this.#sql.exec(
      "INSERT INTO counted (platform, events) VALUES (?, 1) ON CONFLICT (platform) DO UPDATE SET events = events + 1",
      platform,
    );
  }

  /** The number of events that are visible with these rights. */
  seq(platforms: Platforms): number {
    return this.#numberOf("sum(events)", "counted", platforms);
  }

  /** Stores the time of the platform's latest event other than progress. */
  noteNews(platform: string, now: number): void {
    this.#sql.exec(
      "INSERT INTO newest (platform, at) VALUES (?, ?) ON CONFLICT (platform) DO UPDATE SET at = excluded.at",
      platform,
      now,
    );
  }

  /** The time of the latest such event that is visible with these rights; 0 if there is none. */
  newestAt(platforms: Platforms): number {
    return this.#numberOf("max(at)", "newest", platforms);
  }

  /** An aggregate over the rows of the platforms; 0 when there are none. */
  #numberOf(aggregate: "sum(events)" | "max(at)", table: "counted" | "newest", platforms: Platforms): number {
    const [row] = this.#sql
      .exec<{ number: number }>(
        `SELECT coalesce(${aggregate}, 0) AS number FROM ${table}
         WHERE ?1 IS NULL OR platform IN (SELECT value FROM json_each(?1))`,
        listOrNull(platforms),
      )
      .toArray();
    return row?.number ?? 0;
  }

  /** The latest progress of every run that is visible with these rights and was updated since `since`. */
  running(platforms: Platforms, since: number): LiveWelcome["running"] {
    return this.#sql
      .exec<{ platform: string; id: string; progress: string }>(
        `SELECT platform, item_id AS id, progress FROM heard
         WHERE ended = 0 AND at > ?2 AND (?1 IS NULL OR platform IN (SELECT value FROM json_each(?1)))
         ORDER BY run_id`,
        listOrNull(platforms),
        since,
      )
      .toArray()
      .map(({ platform, id, progress }) => ({ platform, id, progress: JSON.parse(progress) }));
  }

  /** Stores the latest progress of a run. Returns false when the run has ended; ended runs are kept until the sweep. */
  noteProgress(event: ProgressEvent, now: number): boolean {
    const { progress, platform, id } = event;
    return (
      this.#sql
        .exec(
          `INSERT INTO heard (run_id, platform, item_id, kind, progress, at) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT (run_id) DO UPDATE SET progress = excluded.progress, at = excluded.at WHERE ended = 0
           RETURNING run_id`,
          progress.runId,
          platform,
          id,
          progress.kind,
          JSON.stringify(progress),
          now,
        )
        .toArray().length > 0
    );
  }

  /** Marks the runs that the event ends, and returns their ids. Most events end no run. */
  endRuns(event: LiveEvent, now: number): string[] {
    if (event.method === "item-status") {
      if (event.status !== "success" && event.status !== "failed") return [];
      this.#sql.exec(
        `INSERT INTO heard (run_id, platform, item_id, kind, progress, at, ended) VALUES (?, ?, ?, ?, '{}', ?, 1)
         ON CONFLICT (run_id) DO UPDATE SET ended = 1, at = excluded.at`,
        event.runId,
        event.platform,
        event.id,
        event.type,
        now,
      );
      return [event.runId];
    }
    if (event.method === "snapshot-verified") return this.#endOf([event.id], "verify", now);
    if (event.method === "zip-status") {
      return event.status === "pending" ? [] : this.#endOf([event.id], "export", now);
    }
    if (event.method === "copy-status") return this.#endOf([event.id], "replicate", now);
    if (event.method === "items-changed") return this.#endOf(event.ids, "delete", now);
    return [];
  }

  /** When the key opens again, or null when it is not claimed. */
  opensAt(key: string): number | null {
    const [row] = this.#sql
      .exec<{ opens_at: number }>("SELECT opens_at FROM claimed WHERE key = ?", key)
      .toArray();
    return row?.opens_at ?? null;
  }

  opensAtOf(keys: readonly string[], now: number): Record<string, number> {
    const rows = this.#sql.exec<{ key: string; opens_at: number }>(
      "SELECT key, opens_at FROM claimed WHERE opens_at > ? AND key IN (SELECT value FROM json_each(?))",
      now,
      JSON.stringify(keys),
    );
    return Object.fromEntries(rows.toArray().map((row) => [row.key, row.opens_at]));
  }

  /** The closed windows; null when there are more than `most`. */
  closed(now: number, most: number): Record<string, number> | null {
    const rows = this.#sql
      .exec<{ key: string; opens_at: number }>(
        "SELECT key, opens_at FROM claimed WHERE opens_at > ? LIMIT ?",
        now,
        most + 1,
      )
      .toArray();
    return rows.length > most ? null : Object.fromEntries(rows.map((row) => [row.key, row.opens_at]));
  }

  claim(key: string, opensAt: number): void {
    this.#sql.exec("INSERT OR REPLACE INTO claimed (key, opens_at) VALUES (?, ?)", key, opensAt);
  }

  release(key: string, opensAt: number | null): void {
    this.#sql.exec("DELETE FROM claimed WHERE key = ?1 AND (?2 IS NULL OR opens_at = ?2)", key, opensAt);
  }

  /** Deletes windows that have opened, and runs without updates since `silentSince`. */
  sweep(now: number, silentSince: number): void {
    this.#sql.exec("DELETE FROM claimed WHERE opens_at <= ?", now);
    this.#sql.exec("DELETE FROM heard WHERE at <= ?", silentSince);
  }

  /** When the next row is due for the sweep; null when there are no rows. */
  nextSweepAt(silenceMs: number): number | null {
    const [row] = this.#sql
      .exec<{ opens: number | null; heard: number | null }>(
        "SELECT (SELECT min(opens_at) FROM claimed) AS opens, (SELECT min(at) FROM heard) AS heard",
      )
      .toArray();
    const times = [row?.opens ?? null, row?.heard == null ? null : row.heard + silenceMs];
    const due = times.filter((time) => time !== null);
    return due.length > 0 ? Math.min(...due) : null;
  }

  #endOf(itemIds: readonly string[], kind: string, now: number): string[] {
    return this.#sql
      .exec<{ run_id: string }>(
        `UPDATE heard SET ended = 1, at = ?3
         WHERE ended = 0 AND kind = ?2 AND item_id IN (SELECT value FROM json_each(?1)) RETURNING run_id`,
        JSON.stringify(itemIds),
        kind,
        now,
      )
      .toArray()
      .map((row) => row.run_id);
  }
}

/** Platforms as a JSON list for SQL; null means all platforms. */
function listOrNull(platforms: Platforms): string | null {
  return platforms === "all" ? null : JSON.stringify(platforms);
}
