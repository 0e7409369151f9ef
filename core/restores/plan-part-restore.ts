import { readable } from "#core/browsing/index.ts";
import { quotaLeft, translateFailure } from "#core/inventory/index.ts";
import type { Member } from "#core/organisations/index.ts";
import type { CoreServices } from "#core/services.ts";
import { openRestorablePart } from "./open-part.ts";
import { partRestore } from "./part-restore.ts";
import { planView, type RestorePlanView } from "./plan-restore.ts";
import { restoredName } from "./restored-name.ts";

/**
 * Plans the restore of one part: what it would create, what it cannot, and what it costs. It makes no request to the
 * platform, so the contents of an existing target item are unknown.
 *
 * @throws AppError as `requestPartRestore`
 */
export async function planPartRestore(
  s: CoreServices,
  member: Member,
  order: { itemId: string; snapshotId: string; path: string; isNew: boolean },
): Promise<RestorePlanView> {
  const { item, connection, snapshot, view, entry, connector } = await openRestorablePart(s, member, order);
  const name = restoredName(null, item.name, connector.descriptor.limits.restoredNameLength);
  const account = { accountName: connection.grantName ?? connection.name };
  const { externalId, fullName } = item;
  const into = order.isNew ? null : { externalId, name: item.name, fullName };
  const wish = partRestore({ path: entry.path, title: "", into }, { name, place: null, options: {} });
  const plan = await readable(() => connector.planPart(account, view, wish)).catch((cause: unknown) => {
    throw translateFailure(cause);
  });
  const left = await quotaLeft(s, connection);
  return planView(plan, left, { itemId: item.id, snapshotId: snapshot.id, now: s.clock.now() });
}
