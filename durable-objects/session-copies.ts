import { HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";

/**
 * How long a copy is valid, counted from before it was read from the control database. A revocation that cannot reach
 * the hub waits this long before it returns.
 */
export const LEASE_MS = MINUTE_MS;
/** How long a copy is kept beyond its lease, to be confirmed: as long as a working day's session lasts. */
const KEPT_MS = 12 * HOUR_MS;
/** For this long after a change that named no bookmark, pages read the primary database. */
const SETTLING_MS = MINUTE_MS;
/** Maximum copies of one organisation. */
const MOST_COPIES = 200;

/** The hub's answer about a session. `ticket` allows storing a copy that is read after this answer. */
export type Entrance =
  | { kind: "unknown"; ticket: string }
  | {
      kind: "known";
      /** As stored by `learn`; opaque to the hub. */
      facts: string;
      /** False = the control database must confirm the facts before the response is sent. */
      isLeased: boolean;
      /** A new value after every change to the organisation's data. */
      revision: string;
      /** Start of the page's D1 session: `first-primary`, `first-unconstrained` or a bookmark. */
      start: string;
      ticket: string;
    };

/** A session's copy. */
export type LearnedSession = { userId: string; sessionId: string; facts: string };

/** Whose copies a revocation deletes. */
type Whose = { userId: string } | { sessionId: string };

/**
 * The hub's copies of sessions and rights, by the hash of the token.
 *
 * A copy is valid while it has a lease. Leases are in memory: an eviction, a deployment and every drop end them. Without
 * a lease the control database must confirm the copy. A copy that was read before a drop is rejected after it, because
 * its ticket is too old.
 */
export class SessionCopies {
  readonly #sql: SqlStorage;
  readonly #leases = new Map<string, number>();
  #fence = crypto.randomUUID();
  #revision = crypto.randomUUID();
  #settledAt: number;

  constructor(sql: SqlStorage, now: number) {
    this.#sql = sql;
    this.#settledAt = now + SETTLING_MS;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS entered (
        key TEXT PRIMARY KEY, user_id TEXT NOT NULL, session_id TEXT NOT NULL, facts TEXT NOT NULL, at INTEGER NOT NULL
      ) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS reached (id INTEGER PRIMARY KEY CHECK (id = 1), bookmark TEXT NOT NULL);
    `);
  }

  /** Returns the session's copy. */
  enter(key: string, now: number): Entrance {
    const ticket = `${now}:${this.#fence}`;
    const [row] = this.#sql
      .exec<{ facts: string }>("SELECT facts FROM entered WHERE key = ? AND at > ?", key, now - KEPT_MS)
      .toArray();
    if (!row) return { kind: "unknown", ticket };
    const isLeased = (this.#leases.get(key) ?? 0) > now;
    return {
      kind: "known",
      facts: row.facts,
      isLeased,
      revision: this.#revision,
      start: this.#start(now),
      ticket,
    };
  }

  /**
   * Stores a copy that was read after the ticket was issued. Its lease is counted from the ticket. Returns false if
   * copies were dropped since.
   */
  learn(key: string, ticket: string, { userId, sessionId, facts }: LearnedSession): boolean {
    const split = ticket.indexOf(":");
    if (ticket.slice(split + 1) !== this.#fence) return false;
    const at = Number(ticket.slice(0, split));
    this.#sql.exec(
      "INSERT OR REPLACE INTO entered (key, user_id, session_id, facts, at) VALUES (?, ?, ?, ?, ?)",
      key,
      userId,
      sessionId,
      facts,
      at,
    );
    this.#sql.exec(
      "DELETE FROM entered WHERE key IN (SELECT key FROM entered ORDER BY at DESC, key LIMIT -1 OFFSET ?)",
      MOST_COPIES,
    );
    this.#leases.set(key, at + LEASE_MS);
    return true;
  }

  /** Deletes the copies of a user or session. Copies that are being read at this moment will be rejected. */
  drop(whose: Whose, now: number): void {
    const [column, id] =
      "userId" in whose ? (["user_id", whose.userId] as const) : (["session_id", whose.sessionId] as const);
    this.#sql.exec(`DELETE FROM entered WHERE ${column} = ?`, id);
    this.#endLeases();
    this.noteChange(now);
  }

  /** Ends every lease, because facts of the organisation may have changed. */
  expireLeases(bookmark: string | null, now: number): void {
    this.#endLeases();
    if (bookmark === null) {
      this.noteChange(now);
      return;
    }
    this.#revision = crypto.randomUUID();
    // Bookmarks sort by age.
    this.#sql.exec(
      `INSERT INTO reached (id, bookmark) VALUES (1, ?)
       ON CONFLICT (id) DO UPDATE SET bookmark = max(bookmark, excluded.bookmark)`,
      bookmark,
    );
  }

  /** Changes the revision after a write whose bookmark is unknown. */
  noteChange(now: number): void {
    this.#revision = crypto.randomUUID();
    this.#settledAt = now + SETTLING_MS;
  }

  /** Deletes copies that have not been renewed for long. */
  sweep(now: number): void {
    this.#sql.exec("DELETE FROM entered WHERE at <= ?", now - KEPT_MS);
    for (const [key, until] of this.#leases) if (until <= now) this.#leases.delete(key);
  }

  /** When the next copy is due for the sweep; null when there is none. */
  nextSweepAt(): number | null {
    const [row] = this.#sql.exec<{ at: number | null }>("SELECT min(at) AS at FROM entered").toArray();
    return row?.at == null ? null : row.at + KEPT_MS;
  }

  #endLeases(): void {
    this.#leases.clear();
    this.#fence = crypto.randomUUID();
  }

  #start(now: number): string {
    if (now < this.#settledAt) return "first-primary";
    const [row] = this.#sql.exec<{ bookmark: string }>("SELECT bookmark FROM reached").toArray();
    return row?.bookmark ?? "first-unconstrained";
  }
}
