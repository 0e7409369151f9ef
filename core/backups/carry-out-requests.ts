import { itemWindow, placeWindow } from "#core/inventory/index.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import type { CoreServices, Look } from "#core/services.ts";
import { dropRequest, listWanted, moveRequest, oldestRequest } from "./backup-requests.store.ts";
import { queueUserBackups } from "./backups.store.ts";
import { REQUESTED_AT_ONCE } from "./limits.ts";
import { tellQueued } from "./tell-queued.ts";

/**
 * Carries out the oldest request to back up everything: queues its next items, and says so to open screens. It may be
 * repeated at any time: an item's window closes with its run, and what was queued is not queued again.
 *
 * @returns As `done`, how many runs were queued.
 */
export async function carryOutRequests(s: CoreServices, region: Region): Promise<Look> {
  const ledger = s.ledger(region);
  const request = await oldestRequest(ledger);
  if (!request) return { done: 0, hasMore: false };
  const now = s.clock.now();
  const { organisationId, connectionId, platform } = request;
  const ids = await listWanted(ledger, request, { now, limit: REQUESTED_AT_ONCE });
  if (ids.length === 0) {
    await dropRequest(ledger, request.id);
    return { done: 0, hasMore: true };
  }
  // The windows that screens ask for; the ledger's own decide. Whoever asked may have died before the first one closed.
  const keys = [placeWindow(connectionId, request.kind, request.placeId), ...ids.map(itemWindow)];
  const { opensAt } = await s.windows.claimAll(organisationId, keys, now, windowMs(s));
  const queued = await queueUserBackups(ledger, {
    runs: ids.map((itemId) => ({
      id: s.ids.next("run"),
      organisationId,
      connectionId,
      itemId,
      platform,
      kind: "backup",
      trigger: "user",
      order: null,
      snapshotId: null,
      createdBy: request.createdBy,
    })),
    opensAt,
    now,
    alongside: [moveRequest(ledger, request.id, ids.at(-1)!)],
  });
  const fresh = queued.filter(({ isNew }) => isNew);
  await s.queue.send(
    fresh.map(({ runId }): JobMessage => ({ job: "back-up-item", payload: { region, runId, epoch: 0 } })),
  );
  await tellQueued(s, { organisationId, platform }, fresh);
  return { done: fresh.length, hasMore: true };
}

/** Length of a Backup-now window. */
export const windowMs = (s: CoreServices) => s.settings.BACKUP_NOW_WINDOW_MINUTES * MINUTE_MS;
