import { REGIONS } from "#core/kernel/platform-id.ts";
import type { Uses } from "#core/services.ts";
import { listSnapshotTimes } from "./snapshots.store.ts";

/**
 * When versions were taken, epoch ms by id. An id does not tell its region, so every ledger is asked, all at once.
 * Versions that are gone, or of another organisation, are absent.
 */
export async function listVersionTimes(
  s: Uses<"ledger">,
  organisationId: string,
  snapshotIds: readonly string[],
): Promise<Map<string, number>> {
  if (snapshotIds.length === 0) return new Map();
  const times = await Promise.all(
    REGIONS.map((region) => listSnapshotTimes(s.ledger(region), organisationId, snapshotIds)),
  );
  return new Map(times.flatMap((each) => [...each]));
}
