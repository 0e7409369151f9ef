import type { PlatformPlace } from "#connectors/contract/platform-connector.ts";

/** What a restore run was asked for; kept with the run. */
export type RestoreOrder = {
  name: string;
  place: PlatformPlace | null;
  emails: string[];
  options: Record<string, boolean>;
  /** When the version was taken, epoch ms. */
  takenAt: number;
  /** One part of the version alone, and the item that takes it; absent = the whole version. */
  part?: RestoredPart;
};

/** A part of a version on its way back. */
export type RestoredPart = {
  /** Path of its entry. */
  path: string;
  title: string;
  /** Null = a new item. */
  into: { externalId: string; name: string; fullName: string } | null;
};

/** What a restore run leaves: what came back, in which form, and what could not. */
export type RestoreReport = {
  item: { externalId: string; name: string; fullName: string; webUrl: string };
  restored: Record<string, number>;
  changed: { what: string; reason: string }[];
  impossible: { what: string; reason: string }[];
  /** Old → new numbers and ids, as many as a report holds. */
  mapped: { kind: string; from: string; to: string; url: string | null }[];
  mappedCount: number;
};
