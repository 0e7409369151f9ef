import { recordAction } from "#core/audit/index.ts";
import { entitlementsOf } from "#core/billing/index.ts";
import { type ConnectionScope, doneBy, requireConnection, requirePlace } from "#core/connections/index.ts";
import { commitTogether } from "#core/database/statements.ts";
import { type ItemRow, itemWindow, placeWindow, requireItem } from "#core/inventory/index.ts";
import { placeOf } from "#core/jobs/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { logger } from "#core/kernel/logger.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import type { Member } from "#core/organisations/index.ts";
import type { AccessServices, Uses } from "#core/services.ts";
import { countWanted, dropRequest, insertRequest } from "./backup-requests.store.ts";
import { type QueuedBackup, queueUserBackups } from "./backups.store.ts";
import { carryOut, windowMs } from "./carry-out-requests.ts";
import { publishQueued } from "./publish-queued.ts";

const log = logger("backups");

/**
 * Backup now: once per item and window, on Trial and Pro (spec P-213, P-232). The account's Durable Object lets exactly
 * one call through; the ledger enforces the window too, in case the object loses its state. While a backup of the item
 * is open, the request joins it; the window opens again when that run fails.
 *
 * @throws AppError `err.user.backup.limit` with `details.opensAt`, `err.plan.required`, `err.role.forbidden`
 */
export async function requestBackup(
  s: AccessServices & Uses<"ids" | "queue" | "live" | "windows" | "settings">,
  member: Member,
  input: ConnectionScope & {
    /** Absent = any kind. */
    kind?: string;
    itemId: string;
  },
): Promise<{ runId: string; opensAt: number }> {
  const { item, connection } = await requireItem(s, member, input.itemId, "manage");
  const isNamed =
    item.platform === input.platform &&
    item.kind === (input.kind ?? item.kind) &&
    item.connectionId === (input.connectionId ?? item.connectionId);
  if (!isNamed) throw new AppError("err.not.found");
  await requireProFeatures(s, member, input.platform);
  if (item.status === "deleted") {
    throw new AppError("err.not.found", { message: "This item was deleted at the platform." });
  }
  const queued = await queueOne(s, member, connection.region, item);
  if ("closedUntil" in queued) throw limitError(queued.closedUntil);
  const { runId, opensAt, isNew } = queued;
  await recordAction(s, {
    ...doneBy(member, input.platform),
    action: "backup-now",
    subject: item.fullName,
    occasion: `backup-now:${runId}`,
  });
  if (isNew) {
    await s.queue.send([
      {
        job: "back-up-item",
        payload: { region: connection.region, organisationId: member.organisationId, runId, epoch: 0 },
      },
    ]);
    await publishQueued(s, item, [queued]);
  }
  return { runId, opensAt };
}

/**
 * Backup now for every active item of a place, or of the whole account when no kind is given. Skips items whose own
 * window is closed; the button has a window too (spec P-213). The first items are queued at once, the rest after the
 * response. The request is stored before the window closes, so every closed window has a request.
 *
 * @throws AppError `err.user.backup.limit`, `err.plan.required`, `err.role.forbidden`
 */
export async function requestAllBackups(
  s: AccessServices & Uses<"ids" | "queue" | "live" | "windows" | "settings">,
  member: Member,
  input: ConnectionScope & { kind: string | null; placeId: string | null },
): Promise<{ queued: number; refused: number; opensAt: number | null }> {
  const { connection, ledger } = await requireConnection(s, member, input, "manage");
  await requireProFeatures(s, member, input.platform);
  const place = input.placeId === null ? null : await requirePlace(s, connection, input.placeId);
  const { organisationId } = member;
  const key = placeWindow(connection.id, input.kind, place?.id ?? null);
  const now = s.clock.now();
  const scope = { organisationId, connectionId: connection.id, kind: input.kind, placeId: place?.id ?? null };
  const [closed, { open, closed: refused, opensAt: firstOpensAt }] = await Promise.all([
    s.windows.opensAt(organisationId, [key], now),
    countWanted(ledger, scope, now),
  ]);
  if (closed[key] !== undefined) throw limitError(closed[key]);
  if (refused > 0 && open === 0) throw limitError(firstOpensAt ?? now);
  if (open === 0) return { queued: 0, refused, opensAt: null };
  const request = {
    ...scope,
    id: s.ids.next("request"),
    platform: input.platform,
    position: "",
    createdBy: member.userId,
    createdAt: now,
  };
  await insertRequest(ledger, request);
  const claim = await s.windows.claim(organisationId, key, now, windowMs(s));
  if (claim.kind === "closed") {
    await commitTogether(ledger, [dropRequest(ledger, request.id)]);
    throw limitError(claim.opensAt);
  }
  await recordAction(s, {
    ...doneBy(member, input.platform),
    action: "backup-all-now",
    subject: place?.name ?? connection.name,
    occasion: `backup-all-now:${key}:${claim.opensAt}`,
  });
  const { region } = connection;
  const { hasMore } = await carryOut(s, { ledger, region }, request).catch((cause: unknown) => {
    log.warn("a request for everything is left to the clock", { organisationId, cause });
    return { hasMore: true };
  });
  // Without the shard's name, its next tick continues.
  const home = placeOf(member.shards?.[region] ?? region);
  if (hasMore) await s.queue.send([{ job: "tend-ledger", payload: { ...home, duty: "requests" } }]);
  return { queued: open, refused, opensAt: claim.opensAt };
}

async function queueOne(
  s: Uses<"clock" | "ids" | "ledger" | "windows" | "settings">,
  member: Member,
  region: Region,
  item: ItemRow,
): Promise<(QueuedBackup & { opensAt: number }) | { closedUntil: number }> {
  const now = s.clock.now();
  const key = itemWindow(item.id);
  const claim = await s.windows.claim(member.organisationId, key, now, windowMs(s));
  if (claim.kind === "closed") return { closedUntil: claim.opensAt };
  const run = {
    id: s.ids.next("run"),
    organisationId: member.organisationId,
    connectionId: item.connectionId,
    itemId: item.id,
    platform: item.platform,
    kind: "backup" as const,
    trigger: "user" as const,
    order: null,
    snapshotId: null,
    createdBy: member.userId,
  };
  const { opensAt } = claim;
  // A failure on our side must not use up the window. If the run was created after all, the ledger's own window is
  // closed.
  const [queued] = await queueUserBackups(s.ledger(region, member.organisationId), {
    runs: [run],
    opensAt,
    now,
  }).catch(async (cause: unknown) => {
    await s.windows.release(member.organisationId, key);
    throw cause;
  });
  return queued ? { ...queued, opensAt } : { closedUntil: item.backupNowOpensAt ?? opensAt };
}

async function requireProFeatures(
  s: Uses<"memory" | "clock" | "control">,
  member: Member,
  platform: string,
): Promise<void> {
  const { hasProFeatures } = await entitlementsOf(s, member.organisationId, platform);
  if (!hasProFeatures) throw new AppError("err.plan.required");
}

const limitError = (opensAt: number) => new AppError("err.user.backup.limit", { details: { opensAt } });
