import type { StorageRow } from "./storage.store.ts";

/** Why copies do not arrive, in a sentence, and since when. */
export type StorageTrouble = { kind: NonNullable<StorageRow["trouble"]>; text: string; since: number };

/** The connected storage as screens show it. Nothing secret. */
export type StorageView = {
  /** Tag on the wire. */
  kind: string;
  /** The account or bucket. */
  name: string;
  /** What may be shown of how it is connected, by the field's name. */
  details: Readonly<Record<string, string>>;
  /** False = its owner must connect it again. */
  isActive: boolean;
  trouble: StorageTrouble | null;
  connectedAt: number;
  /** May the asker disconnect it? */
  canDisconnect: boolean;
};

/** What is copied of one platform. */
export type PlatformCopies = {
  platform: string;
  /** Later versions are copied. */
  isCopied: boolean;
  /** May the asker switch it? */
  canChange: boolean;
  /** Where the platform's versions themselves lie, in the API's names. */
  regionS3: string;
  /** The plan has external storage. */
  isOnPlan: boolean;
  stored: number;
  waiting: number;
  failed: number;
  sizeBytes: number;
  lastStoredAt: number | null;
};

/** A copy that could not be made, so far. */
export type FailedCopy = {
  platform: string;
  itemId: string;
  itemName: string;
  snapshotId: string;
  takenAt: number;
  text: string;
  /** null = when the storage is connected again. */
  nextTryAt: number | null;
};

/** Answer of the settings tab and of the panel on a platform's dashboard. */
export type StorageOverview = {
  storage: StorageView | null;
  platforms: PlatformCopies[];
  failed: FailedCopy[];
};
