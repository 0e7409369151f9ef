import { itemWindow, lostReasonOf, markItemDeleted, reportLostConnection } from "#core/inventory/index.ts";
import type { RunEndListener, RunSlice } from "#core/runs/index.ts";
import type { CoreServices } from "#core/services.ts";

/**
 * What a failed backup means beyond itself: an item that is gone at the platform becomes `deleted` and is no longer
 * scheduled, its versions stay; a dead grant rests the connection's schedule and tells the owner. Whoever asked for it
 * may ask again: a request that brought nothing has used no window.
 */
export async function endFailedBackup(
  s: CoreServices,
  slice: RunSlice,
  failure: Parameters<RunEndListener>[1],
): Promise<D1PreparedStatement[]> {
  const { run, ledger } = slice;
  await s.windows.release(run.organisationId, itemWindow(run.itemId));
  if (failure.kind === "gone")
    return markItemDeleted(ledger, { itemId: run.itemId, organisationId: run.organisationId });
  if (failure.kind === "unauthorized") await reportLostConnection(s, run, lostReasonOf(failure.code));
  return [];
}
