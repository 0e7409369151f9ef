import { reportLostConnection } from "#core/connections/index.ts";
import { itemWindow, markItemDeleted } from "#core/inventory/index.ts";
import type { RunEndListener, RunSlice } from "#core/runs/index.ts";
import type { MailServices, Uses } from "#core/services.ts";
import { mailFirstFailure } from "./mail-first-failure.ts";

/**
 * The consequences of a failed backup. An item that is gone at the platform becomes `deleted` and is no longer
 * scheduled; its versions stay. A revoked grant pauses the connection's schedule and notifies the owner. The item's
 * Backup-now window is released, so that a failed request can be repeated. A failed first backup is e-mailed.
 */
export async function endFailedBackup(
  s: MailServices & Uses<"ledger" | "connectors" | "live" | "windows">,
  slice: RunSlice,
  failure: Parameters<RunEndListener>[1],
): Promise<D1PreparedStatement[]> {
  const { run, ledger } = slice;
  await s.windows.release(run.organisationId, itemWindow(run.itemId));
  if (failure.kind === "gone")
    return markItemDeleted(ledger, { itemId: run.itemId, organisationId: run.organisationId });
  if (failure.kind === "unauthorized") await reportLostConnection(s, run, failure, slice.usedTokens);
  // A plan that has ended is announced by the plan's own e-mails.
  else if (failure.code !== "err.plan.required") await mailFirstFailure(s, slice, failure.text);
  return [];
}
