import type { UndatedKinds } from "#connectors/contract/platform-connector.ts";
import { countKinds } from "./list-entries.ts";
import type { OpenVersion } from "./open-for-reading.ts";
import type { VersionFacts } from "./views.ts";

/** The facts of a version, from its row and the root of its manifest alone. */
export function describeVersion({ item, snapshot, region, view, connector }: OpenVersion): VersionFacts {
  const isSound = snapshot.verifyState === "queued" ? null : snapshot.verifyState !== "failed";
  return {
    itemId: item.id,
    itemName: item.name,
    platform: item.platform,
    snapshotId: snapshot.id,
    takenAt: snapshot.takenAt,
    sizeBytes: snapshot.sizeBytes,
    kinds: countKinds(view, connector.entryKinds),
    skippedCount: snapshot.skippedCount,
    isSound,
    verifiedAt: snapshot.verifiedAt,
    expiresAt: snapshot.expiresAt,
    region,
  };
}

/** What the version holds that may be older than itself, from its row alone. */
export function undatedKinds({ item, snapshot, connector }: OpenVersion): readonly UndatedKinds[] {
  const { kind, externalId } = item;
  return connector.undated?.({ kind, externalId, takenAt: snapshot.takenAt }) ?? [];
}
