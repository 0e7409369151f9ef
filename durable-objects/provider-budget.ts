import { DurableObject } from "cloudflare:workers";
import { HOUR_MS, SECOND_MS } from "#core/kernel/clock.ts";

/** The result of a `spend` call. `until` is when to try again, in epoch ms. */
export type Spend = { kind: "granted"; lease?: Lease } | { kind: "wait"; until: number };

/** Points that one caller may spend before `until` without asking again. Granted at `from`. Times are epoch ms. */
export type Lease = { id: number; points: number; from: number; until: number };

/** The unspent points of a lease. `account` is that of its share, if it had one. */
export type Unspent = Lease & { unspent: number; account: string | null };

/**
 * The limit of a quota that we count ourselves: the points allowed in any `perMs` milliseconds.
 *
 * - `isSpent`: the platform has counted the points already. They are counted here and never refused.
 * - `share`: background work of one of the accounts that share the quota. `reserve` points stay for all other callers,
 *   and of the rest no account gets more than its fair share.
 */
export type SpendWindow = {
  points: number;
  perMs: number;
  isSpent?: boolean;
  share?: { account: string; reserve: number };
};

/** What a response reported about the quota `resource`; null for missing values. Times are epoch ms. */
export type LimitReport = {
  remaining: number | null;
  resetAt: number | null;
  retryAt: number | null;
  /** Of the whole quota. */
  size?: number | null;
};

/**
 * The remaining budget: a pause of the whole account, what is left of each reported quota by name, and what is left of
 * those that are counted here.
 */
export type Left = {
  pausedUntil: number | null;
  quotas: Record<string, { remaining: number; resetAt: number; size: number | null }>;
  counted: Record<string, { remaining: number; window: SpendWindow }>;
};

/**
 * The result of `beginRefresh`.
 * - `yours`: refresh the token, then call `endRefresh`.
 * - `busy`: another caller is refreshing it; try again at `retryAt`.
 * - `done`: it is already refreshed; read the stored token of that version.
 */
export type Refresh =
  | { kind: "yours" }
  | { kind: "busy"; retryAt: number }
  | { kind: "done"; version: number };

/** A refresh that takes longer than this is considered dead, and the next caller may refresh. */
const FLIGHT_MS = 30 * SECOND_MS;
/** Callers that find a refresh in flight try again after this long. */
const FLIGHT_POLL_MS = 500;
/** The number of steps in which the window of a self-counted quota slides. */
const STEPS_PER_WINDOW = 10;
/**
 * In a window an account may have used this many times what is left of a shared quota. So an account alone gets four
 * fifths, two get four ninths each, and many share nearly all of it alike; one that comes later always finds something.
 */
const TIMES_THE_REST = 4;
/** A lease is at most this part of what is left, so that many callers find something and nothing lies idle at the end. */
const LEASES_OF_REST = 10;
/** A lease of points ends after this time at the latest, so that its holder notices a pause. */
const LEASE_MS = 10 * SECOND_MS;
/** A lease that did not come back for so long is given up. Its holder has died, and the platform's figures say the rest. */
const LOST_LEASE_MS = HOUR_MS;
/** The row of a pause that the platform asked for, which applies to the whole account. */
const EVERYTHING = "*";

/**
 * One object per account (or app key) at a platform. It decides who may call now, and who refreshes the token.
 *
 * Runs in many isolates share one quota at the platform, and this object is where they coordinate. The platform's own
 * figures win: they replace ours whenever a response carries them. Between two responses, granted points are
 * subtracted, so that a burst of runs cannot overdraw. State is in SQLite, because an eviction must not lose a pause.
 */
export class ProviderBudget extends DurableObject {
  readonly #sql: SqlStorage;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS quota (
        resource TEXT PRIMARY KEY, remaining INTEGER, reset_at INTEGER, retry_at INTEGER
      ) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS quota_size (resource TEXT PRIMARY KEY, size INTEGER NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS spent (
        resource TEXT NOT NULL, step INTEGER NOT NULL, points INTEGER NOT NULL, PRIMARY KEY (resource, step)
      ) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS spent_by (
        resource TEXT NOT NULL, step INTEGER NOT NULL, account TEXT NOT NULL, points INTEGER NOT NULL,
        PRIMARY KEY (resource, step, account)
      ) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS lease (
        id INTEGER PRIMARY KEY, resource TEXT NOT NULL, points INTEGER NOT NULL, until INTEGER NOT NULL
      );
      CREATE TABLE IF NOT EXISTS flight (
        connection TEXT PRIMARY KEY, version INTEGER NOT NULL, busy_until INTEGER
      ) WITHOUT ROWID;
    `);
  }

  /**
   * Spends `points` of a quota, or returns when to try again. A quota without a report is granted; the first response
   * brings the figures. For platforms that never report figures, `window` sets the limit, and the points are counted here.
   *
   * @param most The points that the caller would spend next without asking. It gets a lease of some of them, if enough is
   *   left for others. Leased points count as spent until they are returned.
   */
  async spend(resource: string, points: number, now: number, window?: SpendWindow, most = 0): Promise<Spend> {
    if (window?.isSpent) {
      this.#count(resource, points, now, window);
      return { kind: "granted" };
    }
    const pausedUntil = this.#quota(EVERYTHING)?.retry_at ?? null;
    if (pausedUntil !== null && pausedUntil > now) return { kind: "wait", until: pausedUntil };
    const reported = this.#spendReported(resource, points, now);
    if (reported.kind === "wait") return reported;
    const counted = window && this.#spendCounted(resource, points, now, window);
    if (counted?.kind === "wait") return counted;
    const lease = this.#lease(resource, Math.min(most, counted?.rest ?? most), now, window);
    return { kind: "granted", ...(lease && { lease }) };
  }

  /**
   * Grants a lease. Counted points are in the step of now, and the lease ends with it: so they are spent while they count
   * for a full window. Of a reported quota, a lease is kept beside it until it comes back or its period ends, because the
   * platform's figures do not know what is not spent yet.
   */
  #lease(resource: string, most: number, now: number, window: SpendWindow | undefined): Lease | null {
    const quota = this.#quota(resource);
    const isReported = quota?.remaining != null;
    if (!isReported && window === undefined) return null;
    const rest = isReported ? Math.floor(quota.remaining! / LEASES_OF_REST) : most;
    const points = Math.min(most, rest);
    if (points < 1) return null;
    const stepMs = (window?.perMs ?? Number.POSITIVE_INFINITY) / STEPS_PER_WINDOW;
    const endOfStep = window ? (Math.floor(now / stepMs) + 1) * stepMs : now + LEASE_MS;
    const until = Math.min(endOfStep, now + LEASE_MS, quota?.reset_at ?? endOfStep);
    if (window) this.#count(resource, points, now, window);
    if (!isReported) return { id: 0, points, from: now, until };
    this.#sql.exec("DELETE FROM lease WHERE until <= ?", now - LOST_LEASE_MS);
    this.#sql.exec("UPDATE quota SET remaining = remaining - ? WHERE resource = ?", points, resource);
    const [row] = this.#sql
      .exec<{ id: number }>(
        "INSERT INTO lease (resource, points, until) VALUES (?, ?, ?) RETURNING id",
        resource,
        points,
        until,
      )
      .toArray();
    return { id: row!.id, points, from: now, until };
  }

  /** Takes back what was leased and not spent. */
  #takeBack(
    resource: string,
    { id, from, unspent, account }: Unspent,
    window: SpendWindow | undefined,
  ): void {
    const leased = this.#sql.exec(
      "DELETE FROM lease WHERE id = ? AND resource = ? RETURNING id",
      id,
      resource,
    );
    if (leased.toArray().length > 0)
      this.#sql.exec("UPDATE quota SET remaining = remaining + ? WHERE resource = ?", unspent, resource);
    if (window === undefined) return;
    const step = Math.floor(from / (window.perMs / STEPS_PER_WINDOW));
    const less = "SET points = max(0, points - ?) WHERE resource = ? AND step = ?";
    this.#sql.exec(`UPDATE spent ${less}`, unspent, resource, step);
    if (account !== null)
      this.#sql.exec(`UPDATE spent_by ${less} AND account = ?`, unspent, resource, step, account);
  }

  /** Points of leases that did not come back. */
  #leased(resource: string): number {
    const [row] = this.#sql
      .exec<{ points: number | null }>("SELECT sum(points) AS points FROM lease WHERE resource = ?", resource)
      .toArray();
    return row?.points ?? 0;
  }

  #spendReported(resource: string, points: number, now: number): Spend {
    const quota = this.#quota(resource);
    if (!quota || quota.remaining === null || quota.reset_at === null) return { kind: "granted" };
    if (quota.reset_at <= now) {
      // A new period of unknown size has begun. Its first response reports the size.
      this.#sql.exec("UPDATE quota SET remaining = NULL, reset_at = NULL WHERE resource = ?", resource);
      this.#sql.exec("DELETE FROM lease WHERE resource = ?", resource);
      return { kind: "granted" };
    }
    if (quota.remaining < points) return { kind: "wait", until: quota.reset_at };
    this.#sql.exec("UPDATE quota SET remaining = remaining - ? WHERE resource = ?", points, resource);
    return { kind: "granted" };
  }

  /** Counts points per step. A step counts for a full window after its end, so no window ever exceeds the limit. */
  #spendCounted(
    resource: string,
    points: number,
    now: number,
    window: SpendWindow,
  ): { kind: "granted"; rest: number } | { kind: "wait"; until: number } {
    const stepMs = window.perMs / STEPS_PER_WINDOW;
    const oldest = Math.floor(now / stepMs) - STEPS_PER_WINDOW;
    for (const table of ["spent", "spent_by"])
      this.#sql.exec(`DELETE FROM ${table} WHERE resource = ? AND step < ?`, resource, oldest);
    const steps = this.#sql
      .exec<{ step: number; points: number; own: number }>(
        `SELECT spent.step, spent.points, coalesce(spent_by.points, 0) AS own FROM spent
         LEFT JOIN spent_by ON spent_by.resource = spent.resource AND spent_by.step = spent.step AND account = ?
         WHERE spent.resource = ? ORDER BY spent.step`,
        window.share?.account ?? "",
        resource,
      )
      .toArray();
    let left = window.points - (window.share?.reserve ?? 0) - points;
    let own = points;
    for (const step of steps) {
      left -= step.points;
      own += step.own;
    }
    const hasRoom = () => left >= 0 && (window.share === undefined || own <= TIMES_THE_REST * left);
    for (const step of steps) {
      if (hasRoom()) break;
      left += step.points;
      own -= step.own;
      if (hasRoom()) return { kind: "wait", until: (step.step + STEPS_PER_WINDOW + 1) * stepMs };
    }
    if (!hasRoom()) return { kind: "wait", until: now + window.perMs };
    this.#count(resource, points, now, window);
    const fair = window.share ? (TIMES_THE_REST * left - own) / (TIMES_THE_REST + 1) : left;
    return { kind: "granted", rest: Math.floor(Math.min(left / LEASES_OF_REST, fair)) };
  }

  #count(resource: string, points: number, now: number, { perMs, share }: SpendWindow): void {
    const step = Math.floor(now / (perMs / STEPS_PER_WINDOW));
    const add = (table: string, columns: string, ...values: (string | number)[]) =>
      this.#sql.exec(
        `INSERT INTO ${table} (resource, step, ${columns}) VALUES (?, ?, ${values.map(() => "?").join(", ")})
         ON CONFLICT DO UPDATE SET points = points + excluded.points`,
        resource,
        step,
        ...values,
      );
    add("spent", "points", points);
    if (share) add("spent_by", "account, points", share.account, points);
  }

  /**
   * Stores the limits that a response reported. A `retryAt` applies to every quota of the account, because platforms
   * penalise callers that switch to another quota. Late responses from an earlier period are ignored.
   *
   * `window` is the limit of a quota that is counted here. Without the time of its reset, what is left raises the count
   * to what others must have used; it never lowers it, because calls that were granted may not have arrived yet.
   *
   * @param back What the caller returns of its lease. Its figures may be as old as the lease, and others have spent since:
   *   they lower what is left and never raise it.
   */
  async report(
    resource: string,
    limits: LimitReport,
    now: number,
    window?: SpendWindow,
    back?: Unspent,
  ): Promise<void> {
    if (back) this.#takeBack(resource, back, window);
    if (limits.retryAt !== null && limits.retryAt > now) {
      this.#sql.exec(
        `INSERT INTO quota (resource, retry_at) VALUES (?, ?)
         ON CONFLICT (resource) DO UPDATE SET retry_at = max(coalesce(retry_at, 0), excluded.retry_at)`,
        EVERYTHING,
        limits.retryAt,
      );
    }
    if (limits.remaining !== null && limits.resetAt === null && window !== undefined) {
      const others = window.points - limits.remaining - this.#counted(resource, now, window);
      if (others > 0) this.#count(resource, others, now, { points: window.points, perMs: window.perMs });
    }
    if (limits.remaining === null || limits.resetAt === null || limits.resetAt <= now) return;
    if (limits.size != null) {
      this.#sql.exec(
        `INSERT INTO quota_size (resource, size) VALUES (?, ?)
         ON CONFLICT (resource) DO UPDATE SET size = excluded.size WHERE size <> excluded.size`,
        resource,
        limits.size,
      );
    }
    const quota = this.#quota(resource);
    if (quota?.reset_at != null && quota.reset_at < limits.resetAt)
      this.#sql.exec("DELETE FROM lease WHERE resource = ?", resource);
    const remaining = back
      ? "min(coalesce(remaining, excluded.remaining), excluded.remaining)"
      : "excluded.remaining";
    this.#sql.exec(
      `INSERT INTO quota (resource, remaining, reset_at) VALUES (?, ?, ?)
       ON CONFLICT (resource) DO UPDATE SET reset_at = excluded.reset_at,
         remaining = CASE WHEN reset_at = excluded.reset_at THEN ${remaining} ELSE excluded.remaining END
       WHERE reset_at IS NULL OR excluded.reset_at >= reset_at`,
      resource,
      Math.max(0, Math.floor(limits.remaining) - this.#leased(resource)),
      limits.resetAt,
    );
  }

  /** What is left, for a forecast. Spends nothing. `windows` are the limits of the quotas that are counted here. */
  async left(now: number, windows: Readonly<Record<string, SpendWindow>> = {}): Promise<Left> {
    const paused = this.#quota(EVERYTHING)?.retry_at ?? null;
    const rows = this.#sql.exec<{
      resource: string;
      remaining: number;
      reset_at: number;
      size: number | null;
    }>(
      `SELECT resource, remaining, reset_at, size FROM quota LEFT JOIN quota_size USING (resource)
       WHERE remaining IS NOT NULL AND reset_at > ?`,
      now,
    );
    const quotas = [...rows].map(({ resource, remaining, reset_at: resetAt, size }) => [
      resource,
      { remaining, resetAt, size },
    ]);
    const counted = Object.entries(windows).map(([resource, window]) => [
      resource,
      { remaining: Math.max(0, window.points - this.#counted(resource, now, window)), window },
    ]);
    return {
      pausedUntil: paused !== null && paused > now ? paused : null,
      quotas: Object.fromEntries(quotas),
      counted: Object.fromEntries(counted),
    };
  }

  /** The points that count for the window that ends now. */
  #counted(resource: string, now: number, window: SpendWindow): number {
    const step = Math.floor(now / (window.perMs / STEPS_PER_WINDOW));
    const [row] = this.#sql
      .exec<{ points: number | null }>(
        "SELECT sum(points) AS points FROM spent WHERE resource = ? AND step >= ?",
        resource,
        step - STEPS_PER_WINDOW,
      )
      .toArray();
    return row?.points ?? 0;
  }

  /**
   * Asks to refresh a connection's token. `version` is the version of the token that the caller found expired. Only one
   * refresh runs at a time, because using a rotating refresh token twice revokes it.
   */
  async beginRefresh(connectionId: string, version: number, now: number): Promise<Refresh> {
    const [flight] = this.#sql
      .exec<{ version: number; busy_until: number | null }>(
        "SELECT version, busy_until FROM flight WHERE connection = ?",
        connectionId,
      )
      .toArray();
    if (flight && flight.version > version) return { kind: "done", version: flight.version };
    if (flight?.busy_until != null && flight.busy_until > now) {
      return { kind: "busy", retryAt: Math.min(flight.busy_until, now + FLIGHT_POLL_MS) };
    }
    this.#sql.exec(
      "INSERT OR REPLACE INTO flight (connection, version, busy_until) VALUES (?, ?, ?)",
      connectionId,
      version,
      now + FLIGHT_MS,
    );
    return { kind: "yours" };
  }

  /**
   * Ends a refresh. `version` is the version of the stored new token, or null when the refresh failed and the next
   * caller may try. A late call cannot replace a newer version.
   */
  async endRefresh(connectionId: string, version: number | null): Promise<void> {
    this.#sql.exec(
      `UPDATE flight SET busy_until = NULL, version = max(version, coalesce(?2, version))
       WHERE connection = ?1`,
      connectionId,
      version,
    );
  }

  #quota(resource: string) {
    const [row] = this.#sql
      .exec<{ remaining: number | null; reset_at: number | null; retry_at: number | null }>(
        "SELECT remaining, reset_at, retry_at FROM quota WHERE resource = ?",
        resource,
      )
      .toArray();
    return row ?? null;
  }
}
