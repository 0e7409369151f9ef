import { recordAction } from "#core/audit/index.ts";
import { doneBy } from "#core/connections/index.ts";
import { ledgerOfItem, requireItem } from "#core/inventory/index.ts";
import type { Member } from "#core/organisations/index.ts";
import type { AccessServices, Uses } from "#core/services.ts";
import { acknowledgeAll, listOpenAlarms } from "./alarms.store.ts";
import type { AlarmView } from "./views.ts";

/** Unacknowledged alarms of an item. @throws AppError `err.not.found`, `err.role.forbidden` */
export async function listItemAlarms(
  s: AccessServices,
  member: Member,
  { itemId }: { itemId: string },
): Promise<AlarmView[]> {
  const key = { organisationId: member.organisationId, itemId };
  const known = ledgerOfItem(s, member.organisationId, itemId);
  const [{ item, ledger }, early] = await Promise.all([
    requireItem(s, member, itemId, "use"),
    known && listOpenAlarms(known, key),
  ]);
  const rows = early ?? (await listOpenAlarms(ledger, key));
  // A `stale` alarm ends with the next good version. The others stay until someone acknowledges them.
  return rows
    .filter(({ kind, snapshotId }) => kind !== "stale" || snapshotId === (item.lastSnapshotId ?? ""))
    .map(({ id, kind, message, snapshotId, keptSnapshotId, createdAt }) => ({
      id,
      kind,
      message,
      snapshotId,
      keptSnapshotId,
      createdAt,
    }));
}

/**
 * Acknowledges the alarms of an item. The versions that they kept then expire as usual.
 *
 * @throws AppError `err.not.found`, `err.role.forbidden`, `err.plan.required`
 */
export async function acknowledgeAlarms(
  s: AccessServices & Uses<"ids" | "live">,
  member: Member,
  { itemId }: { itemId: string },
): Promise<{ acknowledged: number }> {
  const { item, ledger } = await requireItem(s, member, itemId, "manage");
  const key = { organisationId: member.organisationId, itemId: item.id };
  const acknowledged = await acknowledgeAll(ledger, key, { userId: member.userId, at: s.clock.now() });
  if (acknowledged > 0) {
    await recordAction(s, {
      ...doneBy(member, item.platform),
      action: "acknowledge-alarm",
      subject: item.fullName,
    });
    await s.live.publish(member.organisationId, [
      { method: "items-changed", platform: item.platform, ids: [item.id] },
    ]);
  }
  return { acknowledged };
}
