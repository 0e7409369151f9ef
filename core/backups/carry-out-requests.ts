import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { regionOf, type Shard } from "#core/database/shards.ts";
import { itemWindow, placeWindow } from "#core/inventory/index.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import type { Look, Uses } from "#core/services.ts";
import {
  type BackupRequestRow,
  dropRequest,
  listWanted,
  moveRequest,
  oldestRequest,
  postponeRequest,
} from "./backup-requests.store.ts";
import { queueUserBackups } from "./backups.store.ts";
import { REQUESTED_AT_ONCE } from "./limits.ts";
import { publishQueued } from "./publish-queued.ts";

/**
 * Continues the oldest request to back up everything. A request that fails moves behind the others, so that it does not
 * block them, and is retried in its turn.
 */
export async function carryOutRequests(
  s: Uses<"clock" | "ids" | "ledger" | "queue" | "live" | "windows" | "settings">,
  shard: Shard,
): Promise<Look> {
  const ledger = s.ledger(shard);
  const request = await oldestRequest(ledger);
  if (!request) return { done: 0, hasMore: false };
  const { done } = await carryOut(s, { ledger, region: regionOf(shard) }, request).catch(
    async (cause: unknown) => {
      await postponeRequest(ledger, request.id, s.clock.now());
      throw cause;
    },
  );
  // There may be another request behind it.
  return { done, hasMore: true };
}

/**
 * Queues the next items of a request and updates open screens. It can be repeated at any time: an item's window closes
 * with its run, and queued items are not queued again.
 *
 * @returns `done`: how many runs were queued
 */
export async function carryOut(
  s: Uses<"clock" | "ids" | "queue" | "live" | "windows" | "settings">,
  { ledger, region }: { ledger: LedgerDatabase; region: Region },
  request: BackupRequestRow,
): Promise<Look> {
  const now = s.clock.now();
  const { organisationId, connectionId, platform } = request;
  const ids = await listWanted(ledger, request, { now, limit: REQUESTED_AT_ONCE });
  const hasMore = ids.length === REQUESTED_AT_ONCE;
  // Screens read these windows; the ledger's own decide. The request may have died before it claimed the first one.
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
    alongside: [hasMore ? moveRequest(ledger, request.id, ids.at(-1)!) : dropRequest(ledger, request.id)],
  });
  const fresh = queued.filter(({ isNew }) => isNew);
  await s.queue.send(
    fresh.map(
      ({ runId }): JobMessage => ({
        job: "back-up-item",
        payload: { region, organisationId, runId, epoch: 0 },
      }),
    ),
  );
  await publishQueued(s, { organisationId, platform }, fresh);
  return { done: fresh.length, hasMore };
}

/** Length of a Backup-now window. */
export const windowMs = (s: Uses<"settings">) => s.settings.BACKUP_NOW_WINDOW_MINUTES * MINUTE_MS;
