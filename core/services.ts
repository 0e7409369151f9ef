import type { PaymentProvider } from "#connectors/contract/payment-provider.ts";
import type { ConnectorConfig, PlatformConnector } from "#connectors/contract/platform-connector.ts";
import type { StorageConnector } from "#connectors/contract/storage-connector.ts";
import type { ControlDatabase, LedgerDatabase } from "#core/database/ledgers.ts";
import type { Shard } from "#core/database/shards.ts";
import type { JobQueue } from "#core/jobs/index.ts";
import type { Clock } from "#core/kernel/clock.ts";
import type { IdSource } from "#core/kernel/ids.ts";
import type { Memory } from "#core/kernel/memory.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import type { LivePublisher } from "#core/live/publisher.ts";

/**
 * The services that every core function may use. `workers/services.ts` builds them once per invocation; tests build
 * their own with fixed clocks, ids and faults.
 */
export type CoreServices = {
  /** Present only while a read-only request runs; see `core/kernel/memory.ts`. */
  memory?: Memory;
  /** Present only while a job runs: the organisations' keys that it has opened, so that it opens each once. */
  keys?: Memory;
  clock: Clock;
  ids: IdSource;
  /** Resolves after `ms`. Tests do not wait. */
  sleep: (ms: number) => Promise<void>;
  /** Requests to outside systems. Redirects are not followed. */
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  control: ControlDatabase;
  /**
   * The ledger that holds an organisation's rows in a region. Without an organisation, one ledger by its name, for the
   * duties that tend a whole one.
   */
  ledger: (at: Shard, organisationId?: string) => LedgerDatabase;
  /** Every ledger of this deployment. */
  shards: readonly Shard[];
  bucket: (region: Region) => R2Bucket;
  /** Profile photos, keyed `{userId}/{id}`. */
  avatars: R2Bucket;
  /** The bucket of dumps, and the public key that they are encrypted for; empty = no dumps. */
  dumps: { bucket: R2Bucket; publicKey: string };
  connectors: ReadonlyMap<string, PlatformConnector>;
  /** Storage connectors by their tag on the wire. */
  storages: ReadonlyMap<string, StorageConnector>;
  /** The environment variables of platforms and storages. */
  connectorConfig: ConnectorConfig;
  /** The payment provider. */
  payments: PaymentProvider;
  queue: JobQueue;
  live: LivePublisher;
  windows: BackupWindows;
  budgets: ProviderBudgets;
  settings: CoreSettings;
};

/**
 * The services that a function uses, itself or through the functions it calls. So a signature shows what a function can
 * reach, and a test builds only that. The groups below name what frequent steps use.
 */
export type Uses<K extends keyof CoreServices> = Pick<CoreServices, K>;

/** To check a member's rights on a platform. */
export type RightServices = Uses<"memory" | "clock" | "control" | "connectors">;

/** To find a connection or an item that a member may use. */
export type AccessServices = RightServices & Uses<"ledger">;

/** To send requests to a platform within its quotas. */
export type RequestServices = Uses<
  "clock" | "sleep" | "fetch" | "connectors" | "connectorConfig" | "budgets"
>;

/** To open a session of a connection: requests with tokens that are renewed. The ledger holds the connection's schedule. */
export type SessionServices = RequestServices & Uses<"memory" | "control" | "ledger" | "settings">;

/** To open a session with a customer's own storage. */
export type StorageServices = Uses<
  "clock" | "sleep" | "fetch" | "control" | "storages" | "connectorConfig" | "budgets" | "settings"
>;

/** To open an organisation's vault. */
export type VaultServices = Uses<"clock" | "ids" | "control" | "ledger" | "bucket" | "settings">;

/** To do a run in slices. */
export type RunServices = Uses<"clock" | "ledger" | "queue" | "live">;

/** To back up and restore: all but what only profiles, storages, payments and Backup-now windows use. */
export type EngineServices = Uses<
  | "memory"
  | "clock"
  | "ids"
  | "sleep"
  | "fetch"
  | "control"
  | "ledger"
  | "bucket"
  | "connectors"
  | "connectorConfig"
  | "queue"
  | "live"
  | "budgets"
  | "settings"
>;

/** To write an e-mail together with its cause, and to queue it. */
export type MailServices = Uses<"clock" | "ids" | "control" | "queue" | "settings">;

/** The settings that core functions read; the names are those of the environment. */
export type CoreSettings = {
  /** `version:base64url,…`: the ring of master keys. */
  MASTER_KEYS: string;
  /** `version:base64url,…`: the ring of keys that sign links. */
  LINK_KEYS: string;
  /** The app's public URL, without a trailing slash. */
  PUBLIC_URL: string;
  BACKUP_NOW_WINDOW_MINUTES: number;
  /** `on` where a marketplace sells, so that nothing offers the checkout (spec A-034). */
  RESTRICTED_MODE: "on" | "off";
};

/** The result of one bounded pass over a ledger. `hasMore` means that another pass should follow right away. */
export type Look = { done: number; hasMore: boolean };

export type WindowClaim = { kind: "claimed"; opensAt: number } | { kind: "closed"; opensAt: number };

/** The Backup-now windows of one account, held by its Durable Object. */
export interface BackupWindows {
  claim(organisationId: string, key: string, now: number, windowMs: number): Promise<WindowClaim>;
  /** Claims every window that is open and leaves the others unchanged. All end at the same time. */
  claimAll(
    organisationId: string,
    keys: readonly string[],
    now: number,
    windowMs: number,
  ): Promise<{ opensAt: number }>;
  /** Releases a window when the run it was claimed for could not be created. */
  release(organisationId: string, key: string): Promise<void>;
  /** Every closed window of the organisation with the time it opens again. Null = too many to list. */
  closed(organisationId: string, now: number): Promise<Record<string, number> | null>;
  /** When each key opens again. Keys that are already open are absent. */
  opensAt(organisationId: string, keys: readonly string[], now: number): Promise<Record<string, number>>;
}

/** An account's remaining quotas at a platform. Times are epoch ms. */
export type QuotaLeft = {
  /** The platform asked us to pause until this time; null when it did not. */
  pausedUntil: number | null;
  /** Keyed by the platform's quota name. Quotas that have not been reported are absent. */
  quotas: Record<string, { remaining: number; resetAt: number; size?: number | null }>;
  /** What is left of the quotas that we count ourselves, in any period of `perMs`. */
  counted?: Record<string, { remaining: number; window: { points: number; perMs: number } }>;
};

/** Points that one caller may spend before `until`, granted at `from`. Times are epoch ms. */
export type PointLease = { id: number; points: number; from: number; until: number };

/** Rate limits and token renewal of one provider account. */
export interface ProviderBudgets {
  /**
   * `window` limits a quota that the platform does not report: points in any period of `perMs`. `isSpent` = the platform
   * has counted the points already. `share` = background work of one of the accounts that share the quota. `most` = how
   * many more points the caller would spend without asking; it gets a lease of fewer or none when little is left.
   */
  spend(
    key: string,
    resource: string,
    points: number,
    now: number,
    window?: {
      points: number;
      perMs: number;
      isSpent?: boolean;
      share?: { account: string; reserve: number };
    },
    most?: number,
  ): Promise<{ kind: "granted"; lease?: PointLease } | { kind: "wait"; until: number }>;
  report(
    key: string,
    limits: {
      resource: string;
      remaining: number | null;
      resetAt: number | null;
      retryAt: number | null;
      size?: number | null;
    },
    now: number,
    /** Of a quota that we count: what is left corrects the count. */
    window?: { points: number; perMs: number },
    /** The unspent points of a lease, and the account of its share. */
    back?: PointLease & { unspent: number; account: string | null },
  ): Promise<void>;
  /** The account's remaining quotas. Spends nothing. `windows` limit the quotas that the platform does not report. */
  left(
    key: string,
    now: number,
    windows?: Readonly<Record<string, { points: number; perMs: number }>>,
  ): Promise<QuotaLeft>;
  /** Single flight: exactly one caller refreshes version `version`; the others wait and read the new token. */
  beginRefresh(
    key: string,
    connectionId: string,
    version: number,
    now: number,
  ): Promise<{ kind: "yours" } | { kind: "busy"; retryAt: number } | { kind: "done"; version: number }>;
  /** `version` is the version now stored, or null when the refresh failed. */
  endRefresh(key: string, connectionId: string, version: number | null): Promise<void>;
}
