import { entitlementsOf } from "#core/billing/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { RUN_IS_MINE } from "#core/runs/index.ts";
import type { Uses } from "#core/services.ts";
import { CHECK_PATIENCE_MS } from "./limits.ts";
import { refuseCopies, startCopies } from "./replica.store.ts";
import { findStorageRow } from "./storage.store.ts";

/**
 * Returns the storage to which a version being committed is copied. Null = none, or the plan does not include it (spec
 * P-304).
 *
 * @param isChecked The version needs no check, so that nothing but the clock starts its copy.
 */
export async function copyTarget(
  s: Uses<"memory" | "clock" | "control">,
  run: { organisationId: string; platform: string },
  takenAt: number,
  isChecked: boolean,
): Promise<{ storageId: string; kind: string; tryAt: number } | null> {
  const storage = await findStorageRow(s.control, run.organisationId);
  if (!storage?.platforms.includes(run.platform)) return null;
  const { hasProFeatures } = await entitlementsOf(s, run.organisationId, run.platform, takenAt);
  if (!hasProFeatures) return null;
  return {
    storageId: storage.id,
    kind: storage.kind,
    tryAt: isChecked ? takenAt : takenAt + CHECK_PATIENCE_MS,
  };
}

/**
 * Statements for the batch that ends a version's check: start its copy, or give it up with the version. The result of
 * the first statement contains the queued run. Versions without a copy, or with a finished one, stay unchanged.
 */
export function afterCheck(
  ledger: LedgerDatabase,
  check: { id: string; epoch: number },
  found: { snapshotId: string; state: "verified" | "intact" | "failed"; copyRunId: string; now: number },
): D1PreparedStatement[] {
  const { snapshotId, copyRunId, now } = found;
  if (found.state === "failed") {
    return [refuseCopies(ledger, [snapshotId], "This version failed its check and is not copied.")];
  }
  return startCopies(ledger, [{ snapshotId, runId: copyRunId }], {
    leaseUntil: now,
    now,
    guard: { sql: RUN_IS_MINE("?4", "?5"), values: [check.id, check.epoch] },
  });
}
