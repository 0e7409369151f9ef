import type { ConnectionScope } from "#core/connections/index.ts";
import { requireItems } from "#core/inventory/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import type { AccessServices } from "#core/services.ts";
import { listRestorePointRows, type RestorePoint } from "#core/versions/index.ts";
import { RESTORE_POINTS_PER_ITEM, RESTORES_PER_CALL } from "./limits.ts";

/** A version that can be chosen. */
export type RestorePointView = Omit<RestorePoint, "itemId">;

/**
 * Lists the restorable versions of several items, newest first, by item id: at most 150 per item (spec P-165, P-392).
 * An item without versions has an empty list. All items must belong to one platform. An id of another organisation is
 * treated as missing.
 *
 * @throws AppError `err.request.invalid`, `err.not.found`, `err.role.forbidden`, `err.connection.missing`
 */
export async function listRestorePoints(
  s: AccessServices,
  member: Member,
  input: ConnectionScope & { itemIds: readonly string[] },
): Promise<Record<string, RestorePointView[]>> {
  const itemIds = [...new Set(input.itemIds)];
  if (itemIds.length === 0 || itemIds.length > RESTORES_PER_CALL) {
    throw new AppError("err.request.invalid", {
      message: `Choose between 1 and ${RESTORES_PER_CALL} items.`,
    });
  }
  const groups = await requireItems(s, member, { ...input, itemIds }, "use");
  const byItem = new Map<string, RestorePointView[]>(itemIds.map((id) => [id, []]));
  for (const { ledger, items } of groups) {
    const points = await listRestorePointRows(ledger, member.organisationId, {
      itemIds: items.map(({ id }) => id),
      most: RESTORE_POINTS_PER_ITEM,
    });
    for (const { itemId, ...point } of points) byItem.get(itemId)?.push(point);
  }
  return Object.fromEntries(byItem);
}
