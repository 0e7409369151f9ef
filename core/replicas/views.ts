import type { StorageRow } from "./storage.store.ts";

/** Why copies fail, as a sentence, and since when. */
export type StorageTrouble = { kind: NonNullable<StorageRow["trouble"]>; text: string; since: number };

/** The connected storage as shown on screens, without secrets. */
export type StorageView = {
  /** Name on the wire. */
  kind: string;
  /** The account or bucket. */
  name: string;
  /** Displayable connection fields, by name. */
  details: Readonly<Record<string, string>>;
  /** False when the owner must reconnect it. */
  isActive: boolean;
  trouble: StorageTrouble | null;
  connectedAt: number;
  /** True when the member may disconnect it. */
  canDisconnect: boolean;
};

/** The copies of one platform. */
export type PlatformCopies = {
  platform: string;
  /** True when later versions are copied. */
  isCopied: boolean;
  /** True when the member may switch it. */
  canChange: boolean;
  /** Region of the platform's versions, in the API's names. */
  regionS3: string;
  /** True when the plan includes external storage. */
  isOnPlan: boolean;
  stored: number;
  waiting: number;
  failed: number;
  sizeBytes: number;
  lastStoredAt: number | null;
};

/** A copy that has failed so far. */
export type FailedCopy = {
  platform: string;
  itemId: string;
  itemName: string;
  snapshotId: string;
  takenAt: number;
  text: string;
  /** Null = after the storage is reconnected. */
  nextTryAt: number | null;
};

/** Data of the settings tab and of the panel on a platform's dashboard. */
export type StorageOverview = {
  storage: StorageView | null;
  platforms: PlatformCopies[];
  failed: FailedCopy[];
};
