import type { Region } from "#core/kernel/platform-id.ts";

/** A connected platform account as members see it. */
export type ConnectionView = {
  id: string;
  platform: string;
  externalId: string;
  nodeId: string | null;
  name: string;
  /** The name of the person or company whose account it is; null where the platform does not tell it. */
  fullName: string | null;
  accountType: "User" | "Organization";
  region: Region;
  status: "active" | "revoked";
  /** Why it is revoked: the token is refused, or the platform's app was removed; null = it works. */
  lostReason: "token" | "app" | null;
  isAutoAdd: boolean;
  /** False while its code has not been entered. */
  isConfirmed: boolean;
  /** The account whose grant is used. */
  grantName: string;
  createdAt: number;
};

/** A place whose items may be protected. */
export type PlaceView = {
  id: string;
  connectionId: string;
  externalId: string;
  nodeId: string | null;
  name: string;
  type: "User" | "Organization";
  /** What a restore may do there; absent = everything. */
  restores?: "partly" | "no";
};

/** Progress of a run as screens and sockets show it. */
export type RunProgress = {
  runId: string;
  kind: "backup" | "restore" | "export" | "verify" | "delete" | "repack" | "replicate";
  status: "queued" | "running";
  phase: string | null;
  done: number;
  total: number | null;
  unit: string | null;
  bytesRead: number;
  startedAt: number | null;
  /** Epoch ms at which the run will probably end, from the item's own last runs; null when unknown. */
  expectedEndAt: number | null;
  /** Epoch ms until which it rests: the platform asks us to wait, or `fault` is tried again. */
  waitingUntil: number | null;
  /** After what it is tried again, a sentence; null = nothing went wrong. */
  fault: string | null;
};

/** One cell of the retention ribbon: what one day's run brought. */
export type RibbonDay = {
  /** Date in the organisation's time zone, `YYYY-MM-DD`. */
  date: string;
  state: "good" | "retried" | "failed" | "missed" | "paused" | "none" | "running" | "expired";
  /** Versions of that day that can still be restored. */
  versions: number;
  isRestored: boolean;
};

/** One protected item as a row of the list. */
export type ItemView = {
  id: string;
  platform: string;
  kind: string;
  connectionId: string;
  placeId: string | null;
  externalId: string;
  nodeId: string | null;
  name: string;
  fullName: string;
  description: string | null;
  visibility: "private" | "public" | "internal";
  status: "initialized" | "backuped" | "deleted";
  isDaily: boolean;
  /** Null = never. */
  lastBackupAt: number | null;
  sizeBytes: number;
  activeRun: RunProgress | null;
  nextDueAt: number | null;
  lastError: { text: string; at: number } | null;
  /** The newest alarm about its versions that nobody has acknowledged, in a sentence; null = none. */
  alarm: string | null;
  /** When Backup now opens again for this item; null = open. */
  backupNowOpensAt: number | null;
  versionCount: number;
  ribbon: RibbonDay[];
  webUrl: string;
  createdAt: number;
};

/** Which rows a list shows. */
export type ItemFilter = "all" | "failed" | "stale" | "never" | "paused" | "deleted";

/** One page of protected items with what the screen needs to know around it. */
export type ItemListView = {
  items: ItemView[];
  total: number;
  counts: Record<ItemFilter, number>;
  /** The member may run Backup now on this platform (spec P-175, P-232). */
  canUserBackup: boolean;
  /** False after the provider refused our token (spec P-176). */
  isTokenValid: boolean;
  quota: { used: number; limit: number };
  /** When Backup now for the whole place opens again; null = open. */
  backupNowOpensAt: number | null;
  /** Rows by which the neighbouring pages are asked for; null where this page has no rows. */
  keys: { first: string; last: string } | null;
};

/** Which way a list is sorted: by name, `-name` backwards. */
export type ItemSort = "name" | "-name";

/** An item that could be protected. */
export type AvailableItemView = {
  externalId: string;
  nodeId: string | null;
  name: string;
  fullName: string;
  description: string | null;
  visibility: "private" | "public" | "internal";
  sizeHintBytes: number | null;
  isAdded: boolean;
};
