import { z } from "zod";
import type { PlatformDescriptor } from "#connectors/contract/descriptor.ts";
import type { PlatformPlace } from "#connectors/contract/platform-connector.ts";
import type { AuditEntry } from "#core/audit/index.ts";
import { entitlementsOf } from "#core/billing/index.ts";
import {
  connectorOf,
  doneBy,
  requireConnection,
  requireItem,
  requireRestorePlace,
} from "#core/inventory/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import type { NewRun } from "#core/runs/index.ts";
import type { CoreServices } from "#core/services.ts";
import { findSnapshot } from "#core/versions/index.ts";
import { MAX_EMAILS, RESTORES_PER_CALL } from "./limits.ts";
import { type RestoreOrder, restoreOrder } from "./restore-order.ts";
import { restoredName } from "./restored-name.ts";
import { startRestores } from "./start-restores.ts";

const emailSchema = z.email().max(254);

/** One item to restore. */
export type RestoreWish = {
  itemId: string;
  snapshotId: string;
  /** Null or empty = the original name with `_restored`. */
  name: string | null;
  /** Place of the new item. Null = the item's own place. */
  place: { externalId: string } | null;
  /** Options of the platform's connector, e.g. pull request heads as branches. */
  options?: Record<string, boolean>;
};

/**
 * Queues restores, each into a new item. The source is never written to. All input is checked before anything is
 * queued, so a refused call has no effect.
 *
 * @throws AppError `err.restore.name`, `err.snapshot.not.restorable`, `err.item.busy`, `err.plan.required`,
 *   `err.request.invalid`, `err.not.found`
 */
export async function requestRestores(
  s: CoreServices,
  member: Member,
  input: {
    platform: string;
    kind: string;
    items: readonly RestoreWish[];
    placeId: string | null;
    emails: readonly string[];
  },
): Promise<{ runIds: string[] }> {
  const { connection, ledger } = await requireConnection(s, member, input.platform, "manage");
  if (input.items.length === 0 || input.items.length > RESTORES_PER_CALL) {
    throw new AppError("err.request.invalid", {
      message: `Choose between 1 and ${RESTORES_PER_CALL} items.`,
    });
  }
  if (input.items.length > 1) {
    const { hasProFeatures } = await entitlementsOf(s, member.organisationId, input.platform);
    if (!hasProFeatures) throw new AppError("err.plan.required");
  }
  const emails = checkedEmails(input.emails);
  const { descriptor } = connectorOf(s, input.platform);
  const runs: NewRun[] = [];
  const entries: AuditEntry[] = [];
  // Cached, because most restores go to the same place and looking it up may need a request to the platform.
  const places = new Map<string, PlatformPlace>();
  for (const wish of input.items) {
    const { item } = await requireItem(s, member, wish.itemId, "manage");
    if (item.lastBackupAt === null && item.platform === input.platform) throw neverBackedUp(item.name);
    const snapshot = await findSnapshot(ledger, member.organisationId, wish.snapshotId);
    if (item.platform !== input.platform || item.kind !== input.kind || snapshot?.itemId !== item.id) {
      throw new AppError("err.not.found");
    }
    if (snapshot.verifyState === "failed") throw new AppError("err.snapshot.not.restorable");
    if (item.activeRunId !== null) throw new AppError("err.item.busy");
    const name = restoredName(wish.name, item.name, descriptor.limits.restoredNameLength);
    checkName(name, descriptor.limits);
    const placeId = wish.place?.externalId ?? input.placeId ?? item.placeId;
    const isItemDeleted = item.status === "deleted";
    const key = `${placeId} ${isItemDeleted}`;
    const place =
      placeId === null
        ? null
        : (places.get(key) ?? (await requireRestorePlace(s, connection, { placeId, isItemDeleted })));
    if (place !== null) places.set(key, place);
    const order: RestoreOrder = {
      name,
      place,
      emails,
      options: wish.options ?? {},
      takenAt: snapshot.takenAt,
    };
    const runId = s.ids.next("run");
    entries.push({
      ...doneBy(member, input.platform),
      action: "restore-item",
      subject: item.fullName,
      occasion: `restore:${runId}`,
    });
    runs.push({
      id: runId,
      organisationId: member.organisationId,
      connectionId: connection.id,
      itemId: item.id,
      platform: item.platform,
      kind: "restore",
      trigger: "user",
      order: restoreOrder.write(order),
      snapshotId: snapshot.id,
      createdBy: member.userId,
    });
  }
  await startRestores(s, { connection, ledger }, { runs, entries });
  return { runIds: runs.map((run) => run.id) };
}

/** The error for an item that has no version yet (spec P-291). */
function neverBackedUp(name: string): AppError {
  return new AppError("err.snapshot.not.restorable", {
    message: `${name} was never backed up, so there is nothing to restore yet.`,
  });
}

/** @throws AppError `err.restore.name` when the platform does not accept the name */
export function checkName(
  name: string,
  { restoredNameLength, restoredNameRule }: PlatformDescriptor["limits"],
): void {
  if (name.length > restoredNameLength || /[\p{Cc}\p{Cs}]/u.test(name)) {
    throw new AppError("err.restore.name");
  }
  if (restoredNameRule && !new RegExp(`^(?:${restoredNameRule.pattern})$`, "u").test(name)) {
    throw new AppError("err.restore.name", { message: restoredNameRule.message });
  }
}

/** Removes spaces and duplicates from addresses. @throws AppError `err.request.invalid` */
export function checkedEmails(emails: readonly string[]): string[] {
  const cleaned = [
    ...new Set(emails.map((email) => email.replace(/\s+/g, "")).filter((email) => email !== "")),
  ];
  if (cleaned.length > MAX_EMAILS || cleaned.some((email) => !emailSchema.safeParse(email).success)) {
    throw new AppError("err.request.invalid", { message: "Please enter valid e-mail addresses." });
  }
  return cleaned;
}
