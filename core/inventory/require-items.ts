import {
  type ConnectionRow,
  type ConnectionScope,
  requireConfirmed,
  requireConnections,
} from "#core/connections/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { regionOfItem } from "#core/kernel/ids.ts";
import type { Member } from "#core/organisations/index.ts";
import type { AccessServices } from "#core/services.ts";
import { type ItemRow, listItemRowsByIds } from "./items.store.ts";

/** Items of one connection, with their ledger. */
export type ItemGroup = { connection: ConnectionRow; ledger: LedgerDatabase; items: ItemRow[] };

/**
 * Items of one platform, by connection; one call may include items of several accounts. A foreign id counts as missing,
 * and so does an item of another connection when one is named.
 *
 * @param isMeant - Filters the items that the call covers; others count as missing.
 * @throws AppError `err.not.found`, `err.role.forbidden`, `err.plan.required`, `err.connection.missing`,
 *   `err.connection.unconfirmed`
 */
export async function requireItems(
  s: AccessServices,
  member: Member,
  scope: ConnectionScope & { itemIds: readonly string[] },
  right: "use" | "manage",
  isMeant: (item: ItemRow) => boolean = () => true,
): Promise<ItemGroup[]> {
  const connections = await requireConnections(s, member, scope, right);
  const ids = [...new Set(scope.itemIds)];
  const regions = [...new Set(connections.map(({ region }) => region))];
  const rows = await Promise.all(
    regions.map((region) => {
      const there = ids.filter((id) => (regionOfItem(id) ?? region) === region);
      return there.length === 0
        ? []
        : listItemRowsByIds(s.ledger(region, member.organisationId), member.organisationId, there);
    }),
  );
  const groups = connections.flatMap((connection): ItemGroup[] => {
    const items = rows.flat().filter((item) => item.connectionId === connection.id && isMeant(item));
    return items.length === 0
      ? []
      : [{ connection, ledger: s.ledger(connection.region, connection.organisationId), items }];
  });
  if (groups.reduce((sum, { items }) => sum + items.length, 0) < ids.length) {
    throw new AppError("err.not.found");
  }
  if (right === "manage") for (const { connection } of groups) requireConfirmed(connection);
  return groups;
}
