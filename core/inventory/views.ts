import type { ItemTag } from "#connectors/contract/item-marks.ts";

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
  /** Estimated end of the run, epoch ms, from the item's own last runs. Null when unknown. */
  expectedEndAt: number | null;
  /** The run waits until then, epoch ms: the platform asked us to wait, or `fault` is retried. */
  waitingUntil: number | null;
  /** The fault after which the run is retried, as a sentence. Null = no fault. */
  fault: string | null;
};

/** One cell of the retention ribbon: the result of one day. */
export type RibbonDay = {
  /** Date in the organisation's time zone, `YYYY-MM-DD`. */
  date: string;
  state: "good" | "retried" | "failed" | "missed" | "paused" | "none" | "running" | "expired";
  /** Versions of that day that can be restored. */
  versions: number;
  isRestored: boolean;
};

/** A protected item as a row of the list. */
export type ItemView = {
  id: string;
  platform: string;
  kind: string;
  connectionId: string;
  placeId: string | null;
  externalId: string;
  name: string;
  fullName: string;
  description: string | null;
  /** Short labels behind the name, e.g. who may see the item. */
  tags: readonly ItemTag[];
  /** True = people other than those invited one by one can see the item. */
  isOpen: boolean;
  /** The item's type as the platform's API names it, if screens depend on it. */
  typeKey?: string | undefined;
  status: "initialized" | "backuped" | "deleted";
  isDaily: boolean;
  /** Null = never. */
  lastBackupAt: number | null;
  sizeBytes: number;
  activeRun: RunProgress | null;
  nextDueAt: number | null;
  lastError: { text: string; at: number } | null;
  /** The newest unacknowledged alarm about its versions, as a sentence. Null = none. */
  alarm: string | null;
  /** When Backup now becomes available again for this item. Null = available. */
  backupNowOpensAt: number | null;
  versionCount: number;
  ribbon: RibbonDay[];
  webUrl: string;
  createdAt: number;
};

/** Which rows a list shows. */
export type ItemFilter = "all" | "failed" | "alarm" | "stale" | "never" | "paused" | "deleted";

/** One page of protected items with the data that the screen shows around it. */
export type ItemListView<Item = ItemView> = {
  items: Item[];
  total: number;
  counts: Record<ItemFilter, number>;
  /** What each list of the account holds: every kind in every place, and kinds without places. */
  holdings: { kind: string; placeId: string | null; count: number }[];
  /** True when the member may run Backup now on this platform (spec P-175, P-232). */
  canUserBackup: boolean;
  /** False when the provider has rejected our token (spec P-176). */
  isTokenValid: boolean;
  /** True when the provider accepts our token for any connected account of the platform (spec P-174). */
  hasUserAnyActiveApp: boolean;
  quota: { used: number; limit: number };
  /** When Backup now for the whole place becomes available again. Null = available. */
  backupNowOpensAt: number | null;
  /** Keys for requesting the neighbouring pages. Null when this page has no rows. */
  keys: { first: string; last: string } | null;
};

/** Sort order of a list: `name` ascending, `-name` descending. */
export type ItemSort = "name" | "-name";

/** An item that can be protected. */
export type AvailableItemView = {
  externalId: string;
  name: string;
  fullName: string;
  description: string | null;
  tags: readonly ItemTag[];
  isOpen: boolean;
  /** Why the item cannot be protected. Absent = it can. */
  blocked?: string | undefined;
  sizeHintBytes: number | null;
  isAdded: boolean;
};

/** An item that a search over all platforms has found, with what the member may do with it. */
export type FoundItem = Pick<
  ItemView,
  | "id"
  | "platform"
  | "kind"
  | "connectionId"
  | "name"
  | "fullName"
  | "status"
  | "lastBackupAt"
  | "backupNowOpensAt"
> & {
  /** The run that is working on the item; null = none. */
  activeRunKind: "backup" | "restore" | null;
  /** False when the provider has rejected our token. */
  isConnected: boolean;
  canRestore: boolean;
  /** The member may run Backup now: a right, and the Pro plan or a trial. */
  canBackUp: boolean;
};
