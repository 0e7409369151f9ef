import type { ConnectorConfig, PlatformConnector } from "#connectors/contract/platform-connector.ts";
import type { StorageConnector } from "#connectors/contract/storage-connector.ts";
import type { ControlDatabase, LedgerDatabase } from "#core/database/ledgers.ts";
import type { JobQueue } from "#core/jobs/index.ts";
import type { Clock } from "#core/kernel/clock.ts";
import type { IdSource } from "#core/kernel/ids.ts";
import type { Memory } from "#core/kernel/memory.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import type { LivePublisher } from "#core/live/publisher.ts";

/**
 * What the rules may use of the world, handed to every core function. `workers/services.ts` builds it once per
 * invocation; tests build their own with fixed clocks, ids and faults.
 */
export type CoreServices = {
  /** Present for the length of a request that only reads; see `core/kernel/memory.ts`. */
  memory?: Memory;
  clock: Clock;
  ids: IdSource;
  /** Resolves after the time; tests do not wait. */
  sleep: (ms: number) => Promise<void>;
  /** Requests to outside systems. Redirects are not followed. */
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  control: ControlDatabase;
  ledger: (region: Region) => LedgerDatabase;
  bucket: (region: Region) => R2Bucket;
  /** Photos of people, `{userId}/{id}`. */
  avatars: R2Bucket;
  connectors: ReadonlyMap<string, PlatformConnector>;
  /** Storages of customers' own, by their tag on the wire. */
  storages: ReadonlyMap<string, StorageConnector>;
  /** The variables of platforms and storages alike. */
  connectorConfig: ConnectorConfig;
  queue: JobQueue;
  live: LivePublisher;
  windows: BackupWindows;
  budgets: ProviderBudgets;
  settings: CoreSettings;
};

/** The settings that rules depend on; names are those of the environment. */
export type CoreSettings = {
  /** `version:base64url,…`: the ring of master keys. */
  MASTER_KEYS: string;
  /** `version:base64url,…`: the ring of keys that sign links. */
  LINK_KEYS: string;
  /** Where people reach the app, without a trailing slash. */
  PUBLIC_URL: string;
  BACKUP_NOW_WINDOW_MINUTES: number;
};

/** What came of a look at one ledger that does so much at once; with `hasMore` the rest wants another look right away. */
export type Look = { done: number; hasMore: boolean };

export type WindowClaim = { kind: "claimed"; opensAt: number } | { kind: "closed"; opensAt: number };

/** The Backup-now windows of one account (its actor holds them). */
export interface BackupWindows {
  claim(organisationId: string, key: string, now: number, windowMs: number): Promise<WindowClaim>;
  /** Closes each of the windows that is open, and leaves the others as they are; all end at the same time. */
  claimAll(
    organisationId: string,
    keys: readonly string[],
    now: number,
    windowMs: number,
  ): Promise<{ opensAt: number }>;
  /** Gives a window back when the run it was claimed for could not be created. */
  release(organisationId: string, key: string): Promise<void>;
  /** When each key opens again; keys that are open are absent. */
  opensAt(organisationId: string, keys: readonly string[], now: number): Promise<Record<string, number>>;
}

/** What is left of an account's quotas at a platform. Times are epoch ms. */
export type QuotaLeft = {
  /** Until when the platform asked us to be silent; null = it did not. */
  pausedUntil: number | null;
  /** By the platform's name of the quota; those that nobody has reported are absent. */
  quotas: Record<string, { remaining: number; resetAt: number }>;
};

/** Rate limits and token renewal of one provider account. */
export interface ProviderBudgets {
  /** `window` is the ceiling of a quota that the platform does not tell of: points in any stretch of `perMs`. */
  spend(
    key: string,
    resource: string,
    points: number,
    now: number,
    window?: { points: number; perMs: number },
  ): Promise<{ kind: "granted" } | { kind: "wait"; until: number }>;
  report(
    key: string,
    limits: { resource: string; remaining: number | null; resetAt: number | null; retryAt: number | null },
    now: number,
  ): Promise<void>;
  /** What the account may still do, without spending any of it. */
  left(key: string, now: number): Promise<QuotaLeft>;
  /** Single flight: exactly one caller renews version `version`; the others wait and read the new token. */
  beginRefresh(
    key: string,
    connectionId: string,
    version: number,
    now: number,
  ): Promise<{ kind: "yours" } | { kind: "busy"; retryAt: number } | { kind: "done"; version: number }>;
  /** `version` is the one now stored, or null when renewing failed. */
  endRefresh(key: string, connectionId: string, version: number | null): Promise<void>;
}
