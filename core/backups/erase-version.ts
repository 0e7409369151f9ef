import { recordAction } from "#core/audit/index.ts";
import { doneBy } from "#core/connections/index.ts";
import { requireItem } from "#core/inventory/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { type Member, requireOwner } from "#core/organisations/index.ts";
import { findSameState, markVersionErased, unmarkVersionErased } from "#core/recovery/index.ts";
import type { AccessServices, Uses } from "#core/services.ts";
import { eraseSnapshot, findSnapshot } from "#core/versions/index.ts";

/**
 * Erases one version for good, e.g. because it holds a secret. From now on nothing lists, downloads or restores it; the
 * history keeps a tombstone, and the audit trail says who erased it. Its bytes go as soon as no other version needs
 * them, within days. The next backup reads everything anew, so that it takes over nothing that only this version held.
 * Versions that share a git pack with it keep that pack until they are erased or expire.
 *
 * @throws AppError `err.role.forbidden` unless the owner asks, `err.not.found`, `err.item.busy` while a run of the item
 *   is open, `err.plan.required`
 */
export async function eraseVersion(
  s: AccessServices & Uses<"ids" | "live" | "bucket">,
  owner: Member,
  { itemId, snapshotId }: { itemId: string; snapshotId: string },
): Promise<{ erasedAt: number }> {
  requireOwner(owner);
  const { item, ledger, connection } = await requireItem(s, owner, itemId, "manage");
  const snapshot = await findSnapshot(ledger, owner.organisationId, snapshotId);
  if (snapshot?.itemId !== item.id) throw new AppError("err.not.found");
  const erasedAt = s.clock.now();
  // The mark comes first: an erasure that dies in between is complete once it is asked for again.
  const { organisationId } = owner;
  const shownBy = await findSameState(ledger, snapshot);
  const mark = await markVersionErased(s, connection.region, { organisationId, itemId, snapshotId, shownBy });
  if (!(await eraseSnapshot(ledger, snapshot, erasedAt))) {
    await unmarkVersionErased(s, connection.region, mark);
    if (!(await findSnapshot(ledger, organisationId, snapshotId))) throw new AppError("err.not.found");
    throw new AppError("err.item.busy", {
      message:
        "A backup, check, restore or download of this item is under way. Erase the version when it has ended.",
    });
  }
  await recordAction(s, {
    ...doneBy(owner, item.platform),
    action: "erase-version",
    subject: item.fullName,
    occasion: `erase-version:${snapshotId}`,
    version: snapshot,
  });
  await s.live.publish(owner.organisationId, [
    { method: "items-changed", platform: item.platform, ids: [item.id] },
  ]);
  return { erasedAt };
}
