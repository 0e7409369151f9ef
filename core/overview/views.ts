import type { RibbonDay } from "#core/inventory/views.ts";

/** One day of a platform: the cell to draw, and what it counts. */
export type OverviewDay = RibbonDay & {
  /** Backups that made a version. */
  succeeded: number;
  /** Items that were failing at the end of the day. */
  failing: number;
};

/** Protected items by the age of their newest version. The parts add up to `all`. */
export type OverviewCounts = {
  all: number;
  /** With a version of the last 26 hours, as far as daily backups are on. */
  fresh: number;
  older: number;
  /** Without any version. */
  never: number;
  /** Daily backups were turned off. */
  paused: number;
  /** Removed at the platform; the versions are kept. */
  deleted: number;
};

/** A backup, restore or ZIP of the recent activity (spec part 3 section 3, "Activity"). */
export type ActivityView = {
  id: string;
  itemId: string;
  /** The item's name; null = it was removed. */
  name: string | null;
  platform: string;
  type: "backup" | "restore" | "export";
  status: "queued" | "running" | "succeeded" | "failed";
  /** Epoch ms. */
  date: number;
};

/** An item that somebody should look at. */
export type AttentionView = {
  id: string;
  platform: string;
  connectionId: string;
  name: string;
  kind: "failed" | "stale" | "deleted";
  /** The failure as a sentence. */
  reason: string | null;
  lastBackupAt: number | null;
};

/** Everything that the dashboard shows of one platform. */
export type PlatformOverview = {
  platform: string;
  accounts: { id: string; name: string; region: string; isRevoked: boolean }[];
  counts: OverviewCounts;
  /** All items and those with a version, by kind (spec part 3 section 3, "Dashboard"). */
  kinds: { kind: string; all: number; backedUp: number }[];
  days: OverviewDay[];
  /** The newest version; null = none yet. */
  lastBackup: { name: string; at: number } | null;
  activity: ActivityView[];
  /** Backups that ended today. */
  todayCount: number;
};

/** The dashboard's data (spec part 3 section 2, "Home dashboard"). */
export type Overview = {
  platforms: PlatformOverview[];
  /** The worst first, at most a handful. */
  attention: AttentionView[];
  /** Bytes in the vault now, and at the end of each day. */
  stored: { bytes: number; days: { date: string; bytes: number }[]; regions: string[] };
  /** The customer's own storage; null = none. */
  storage: { kind: string; isActive: boolean } | null;
  /** Epoch ms. */
  now: number;
};
