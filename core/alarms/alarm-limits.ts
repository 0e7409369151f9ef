import { recordAction } from "#core/audit/index.ts";
import { doneBy } from "#core/connections/index.ts";
import { requireItem } from "#core/inventory/index.ts";
import type { Member } from "#core/organisations/index.ts";
import type { AccessServices, Uses } from "#core/services.ts";
import { updateAlarmLimits } from "./alarms.store.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import type { AlarmLimits } from "./views.ts";

type ChosenLimits = { alarmLostPercent: number | null; alarmLostCount: number | null };

/** The loss that raises an alarm for an item: what was chosen for it, else the default. */
export function limitsOf({ alarmLostPercent, alarmLostCount }: ChosenLimits): AlarmLimits {
  return {
    lostPercent: alarmLostPercent ?? DEFAULT_LIMITS.lostPercent,
    lostCount: alarmLostCount ?? DEFAULT_LIMITS.lostCount,
  };
}

/** @throws AppError `err.not.found`, `err.role.forbidden` */
export async function getAlarmLimits(
  s: AccessServices,
  member: Member,
  { itemId }: { itemId: string },
): Promise<AlarmLimits> {
  const { item } = await requireItem(s, member, itemId, "use");
  return limitsOf(item);
}

/**
 * Sets the loss that raises an alarm for one item, from its next version on. Null = the default.
 *
 * @throws AppError `err.not.found`, `err.role.forbidden`, `err.plan.required`
 */
export async function setAlarmLimits(
  s: AccessServices & Uses<"ids" | "live">,
  member: Member,
  {
    itemId,
    lostPercent,
    lostCount,
  }: { itemId: string; lostPercent: number | null; lostCount: number | null },
): Promise<AlarmLimits> {
  const { item, ledger } = await requireItem(s, member, itemId, "manage");
  const chosen = { alarmLostPercent: lostPercent, alarmLostCount: lostCount };
  await updateAlarmLimits(ledger, { organisationId: member.organisationId, itemId: item.id }, chosen);
  await recordAction(s, {
    ...doneBy(member, item.platform),
    action: "change-alarm-limits",
    subject: item.fullName,
  });
  await s.live.publish(member.organisationId, [
    { method: "items-changed", platform: item.platform, ids: [item.id] },
  ]);
  return limitsOf(chosen);
}
