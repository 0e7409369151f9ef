import { DurableObject } from "cloudflare:workers";
import { SECOND_MS } from "#core/kernel/clock.ts";

/** Answer to a request for leave. `until` is when asking again makes sense, epoch ms. */
export type Spend = { kind: "granted" } | { kind: "wait"; until: number };

/** The ceiling of a quota that we count ourselves: points in any stretch of `perMs` milliseconds. */
export type SpendWindow = { points: number; perMs: number };

/** What a response said about the quota `resource`; null where it said nothing. Times are epoch ms. */
export type LimitReport = { remaining: number | null; resetAt: number | null; retryAt: number | null };

/** What may still be done: a pause of the whole account, and what is left of each quota by its name. */
export type Left = {
  pausedUntil: number | null;
  quotas: Record<string, { remaining: number; resetAt: number }>;
};

/**
 * Answer to the wish to renew a token. `yours`: renew it, then call `endRefresh`. `busy`: another flight is
 * renewing it, look again at `retryAt`. `done`: it is renewed already, read the stored token of that version.
 */
export type Refresh =
  | { kind: "yours" }
  | { kind: "busy"; retryAt: number }
  | { kind: "done"; version: number };

/** A flight that has not come back after so long is taken for dead and the next caller renews. */
const FLIGHT_MS = 30 * SECOND_MS;
/** Those who find a flight under way look again after so long. */
const FLIGHT_POLL_MS = 500;
/** A window of a quota that we count ourselves slides in so many steps. */
const STEPS_PER_WINDOW = 10;
/** Under this name stands a pause that the platform asked of the whole account. */
const EVERYTHING = "*";

/**
 * One per account (or app key) at a platform: who may call now, and who renews the token.
 *
 * Runs in many isolates share one quota at the platform; the object is the one place where they see each other.
 * The platform's own figures are the truth and replace ours whenever a response carries them; between two responses
 * the points granted are subtracted, so that a burst of runs cannot overdraw. State is in SQLite: an eviction must
 * not forget that the platform asked us to wait.
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
      CREATE TABLE IF NOT EXISTS spent (
        resource TEXT NOT NULL, step INTEGER NOT NULL, points INTEGER NOT NULL, PRIMARY KEY (resource, step)
      ) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS flight (
        connection TEXT PRIMARY KEY, version INTEGER NOT NULL, busy_until INTEGER
      ) WITHOUT ROWID;
    `);
  }

  /**
   * Asks leave for `points` of a quota. `reserve` points are left for more urgent callers: background work passes
   * a reserve, a person waiting at the screen none. A quota nobody has reported yet is granted: the first response
   * brings the figures. Where the platform never brings any, `window` says how many points any stretch of `perMs` holds,
   * and they are counted here.
   */
  async spend(
    resource: string,
    points: number,
    now: number,
    reserve = 0,
    window?: SpendWindow,
  ): Promise<Spend> {
    const pausedUntil = this.#quota(EVERYTHING)?.retry_at ?? null;
    if (pausedUntil !== null && pausedUntil > now) return { kind: "wait", until: pausedUntil };
    const reported = this.#spendReported(resource, points, now, reserve);
    if (reported.kind === "wait" || window === undefined) return reported;
    return this.#spendCounted(resource, points, now, reserve, window);
  }

  #spendReported(resource: string, points: number, now: number, reserve: number): Spend {
    const quota = this.#quota(resource);
    if (!quota || quota.remaining === null || quota.reset_at === null) return { kind: "granted" };
    if (quota.reset_at <= now) {
      // A new period of unknown size has begun; its first response reports it.
      this.#sql.exec("UPDATE quota SET remaining = NULL, reset_at = NULL WHERE resource = ?", resource);
      return { kind: "granted" };
    }
    if (quota.remaining - points < reserve) return { kind: "wait", until: quota.reset_at };
    this.#sql.exec("UPDATE quota SET remaining = remaining - ? WHERE resource = ?", points, resource);
    return { kind: "granted" };
  }

  /** A step counts until the stretch that begins at its end is over, so no stretch ever holds more than the points. */
  #spendCounted(resource: string, points: number, now: number, reserve: number, window: SpendWindow): Spend {
    const stepMs = window.perMs / STEPS_PER_WINDOW;
    const step = Math.floor(now / stepMs);
    this.#sql.exec("DELETE FROM spent WHERE resource = ? AND step < ?", resource, step - STEPS_PER_WINDOW);
    const steps = this.#sql
      .exec<{ step: number; points: number }>(
        "SELECT step, points FROM spent WHERE resource = ? ORDER BY step",
        resource,
      )
      .toArray();
    let over = steps.reduce((sum, each) => sum + each.points, points + reserve) - window.points;
    for (const each of steps) {
      if (over <= 0) break;
      over -= each.points;
      if (over <= 0) return { kind: "wait", until: (each.step + STEPS_PER_WINDOW + 1) * stepMs };
    }
    if (over > 0) return { kind: "wait", until: now + window.perMs };
    this.#sql.exec(
      `INSERT INTO spent (resource, step, points) VALUES (?, ?, ?)
       ON CONFLICT (resource, step) DO UPDATE SET points = points + excluded.points`,
      resource,
      step,
      points,
    );
    return { kind: "granted" };
  }

  /**
   * Takes over what a response said. A `retryAt` holds for every quota of the account, because platforms punish
   * those who go on with another one. A late response of a period that is over is ignored.
   */
  async report(resource: string, limits: LimitReport, now: number): Promise<void> {
    if (limits.retryAt !== null && limits.retryAt > now) {
      this.#sql.exec(
        `INSERT INTO quota (resource, retry_at) VALUES (?, ?)
         ON CONFLICT (resource) DO UPDATE SET retry_at = max(coalesce(retry_at, 0), excluded.retry_at)`,
        EVERYTHING,
        limits.retryAt,
      );
    }
    if (limits.remaining === null || limits.resetAt === null || limits.resetAt <= now) return;
    this.#sql.exec(
      `INSERT INTO quota (resource, remaining, reset_at) VALUES (?, ?, ?)
       ON CONFLICT (resource) DO UPDATE SET remaining = excluded.remaining, reset_at = excluded.reset_at
       WHERE reset_at IS NULL OR excluded.reset_at >= reset_at`,
      resource,
      Math.max(0, Math.floor(limits.remaining)),
      limits.resetAt,
    );
  }

  /** What is left, for a forecast: nothing is spent by asking. */
  async left(now: number): Promise<Left> {
    const paused = this.#quota(EVERYTHING)?.retry_at ?? null;
    const rows = this.#sql.exec<{ resource: string; remaining: number; reset_at: number }>(
      "SELECT resource, remaining, reset_at FROM quota WHERE remaining IS NOT NULL AND reset_at > ?",
      now,
    );
    const quotas = [...rows].map(({ resource, remaining, reset_at: resetAt }) => [
      resource,
      { remaining, resetAt },
    ]);
    return {
      pausedUntil: paused !== null && paused > now ? paused : null,
      quotas: Object.fromEntries(quotas),
    };
  }

  /**
   * Asks who renews the token of a connection. `version` is the version of the token that the caller found expired.
   * Rotating refresh tokens are burnt by a second use, hence one flight at a time.
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
   * Ends a flight after the new token is stored under `version`, or with null when renewing failed and the next
   * caller may try. A flight that was taken for dead cannot take a newer version back.
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
