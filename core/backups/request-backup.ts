import { recordAction } from "#core/audit/index.ts";
import { entitlementsOf } from "#core/billing/index.ts";
import {
  doneBy,
  type ItemRow,
  itemWindow,
  listActiveItemRows,
  placeWindow,
  requireConnection,
  requireItem,
  requirePlace,
} from "#core/inventory/index.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import type { Member } from "#core/organisations/index.ts";
import type { CoreServices } from "#core/services.ts";
import { queueUserBackup } from "./backups.store.ts";

/**
 * Backup now: once per item and window, on Trial and Pro (spec P-213, P-232). The account's actor lets exactly one
 * call through; the ledger refuses a second one on its own, should the actor ever forget. While a backup of the item is
 * open, the request joins it; the window opens again when that run fails.
 *
 * @throws AppError `err.user.backup.limit` with `details.opensAt`, `err.plan.required`, `err.role.forbidden`
 */
export async function requestBackup(
  s: CoreServices,
  member: Member,
  input: { platform: string /** Absent = whatever kind the item is of. */; kind?: string; itemId: string },
): Promise<{ runId: string; opensAt: number }> {
  const { item, connection } = await requireItem(s, member, input.itemId, "manage");
  const isMeant = item.platform === input.platform && item.kind === (input.kind ?? item.kind);
  if (!isMeant) throw new AppError("err.not.found");
  await requireProFeatures(s, member, input.platform);
  if (item.status === "deleted") {
    throw new AppError("err.not.found", { message: "This item was deleted at the platform." });
  }
  const queued = await queueOne(s, member, connection.region, item);
  if (queued.kind === "closed") throw limitError(queued.opensAt);
  await recordAction(s, {
    ...doneBy(member, input.platform),
    action: "backup-now",
    subject: item.fullName,
    occasion: `backup-now:${queued.runId}`,
  });
  await sendNew(s, member, [queued]);
  return { runId: queued.runId, opensAt: queued.opensAt };
}

/**
 * Backup now for every active item of a place, or of the whole platform where no kind is named. Items whose own window is closed are left out; the button itself has
 * a window too (spec P-213).
 *
 * @throws AppError `err.user.backup.limit`, `err.plan.required`, `err.role.forbidden`
 */
export async function requestAllBackups(
  s: CoreServices,
  member: Member,
  input: { platform: string; kind: string | null; placeId: string | null },
): Promise<{ queued: number; refused: number; opensAt: number | null }> {
  const { connection, ledger } = await requireConnection(s, member, input.platform, "manage");
  await requireProFeatures(s, member, input.platform);
  const place = input.placeId === null ? null : await requirePlace(s, connection, input.placeId);
  const key = placeWindow(connection.id, input.kind, place?.id ?? null);
  const claim = await s.windows.claim(member.organisationId, key, s.clock.now(), windowMs(s));
  if (claim.kind === "closed") throw limitError(claim.opensAt);
  const items = await listActiveItemRows(ledger, {
    organisationId: member.organisationId,
    connectionId: connection.id,
    kind: input.kind,
    placeId: place?.id ?? null,
  });
  const queued: Queued[] = [];
  for (const item of items) {
    const answer = await queueOne(s, member, connection.region, item);
    if (answer.kind === "queued") queued.push(answer);
  }
  if (queued.length === 0) {
    await s.windows.release(member.organisationId, key);
    return { queued: 0, refused: items.length, opensAt: null };
  }
  await recordAction(s, {
    ...doneBy(member, input.platform),
    action: "backup-all-now",
    subject: place?.name ?? connection.name,
    occasion: `backup-all-now:${key}:${claim.opensAt}`,
  });
  await sendNew(s, member, queued);
  return { queued: queued.length, refused: items.length - queued.length, opensAt: claim.opensAt };
}

type Queued = {
  kind: "queued";
  runId: string;
  opensAt: number;
  item: ItemRow;
  /** Null when the request has joined a backup that is open already. */
  message: JobMessage | null;
};

async function queueOne(
  s: CoreServices,
  member: Member,
  region: Region,
  item: ItemRow,
): Promise<Queued | { kind: "closed"; opensAt: number }> {
  const now = s.clock.now();
  const key = itemWindow(item.id);
  const claim = await s.windows.claim(member.organisationId, key, now, windowMs(s));
  if (claim.kind === "closed") return claim;
  const runId = s.ids.next("run");
  const order = {
    run: {
      id: runId,
      organisationId: member.organisationId,
      connectionId: item.connectionId,
      itemId: item.id,
      platform: item.platform,
      kind: "backup" as const,
      trigger: "user" as const,
      order: null,
      snapshotId: null,
      createdBy: member.userId,
    },
    opensAt: claim.opensAt,
    now,
  };
  // A window is not used up by a fault of ours; should the run stand after all, the ledger's own window is closed.
  const openRunId = await queueUserBackup(s.ledger(region), order).catch(async (cause: unknown) => {
    await s.windows.release(member.organisationId, key);
    throw cause;
  });
  if (openRunId === null) return { kind: "closed", opensAt: item.backupNowOpensAt ?? claim.opensAt };
  const message: JobMessage = { job: "back-up-item", payload: { region, runId, epoch: 0 } };
  const isNew = openRunId === runId;
  return { kind: "queued", runId: openRunId, opensAt: claim.opensAt, item, message: isNew ? message : null };
}

/** Sends the runs that did not join another one on their way, and tells the screens. */
async function sendNew(s: CoreServices, member: Member, queued: readonly Queued[]): Promise<void> {
  const fresh = queued.filter(({ message }) => message !== null);
  if (fresh.length === 0) return;
  await s.queue.send(fresh.flatMap(({ message }) => message ?? []));
  const date = s.clock.now();
  await s.live.publish(
    member.organisationId,
    fresh.map(({ item, runId }) => ({
      method: "item-status" as const,
      platform: item.platform,
      id: item.id,
      type: "backup" as const,
      status: "queued" as const,
      date,
      data_size: 0,
      actionProcess: "backing_up_process" as const,
      runId,
      errorText: null,
    })),
  );
}

async function requireProFeatures(s: CoreServices, member: Member, platform: string): Promise<void> {
  const { hasProFeatures } = await entitlementsOf(s, member.organisationId, platform);
  if (!hasProFeatures) throw new AppError("err.plan.required");
}

const windowMs = (s: CoreServices) => s.settings.BACKUP_NOW_WINDOW_MINUTES * MINUTE_MS;
const limitError = (opensAt: number) => new AppError("err.user.backup.limit", { details: { opensAt } });
