import { type ConnectionRow, findConnectionRow, requireRight } from "#core/connections/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import type { AccessServices } from "#core/services.ts";
import { findItem } from "./find-item.ts";
import type { ItemRow } from "./items.store.ts";

/**
 * An item of the member's organisation with its connection. A foreign id and a missing one throw the same error.
 *
 * @throws AppError `err.not.found`, `err.role.forbidden`, `err.plan.required`
 */
export async function requireItem(
  s: AccessServices,
  member: Member,
  itemId: string,
  right: "use" | "manage",
): Promise<{ item: ItemRow; connection: ConnectionRow; ledger: LedgerDatabase }> {
  const found = await findItem(s, member.organisationId, itemId);
  if (!found) throw new AppError("err.not.found");
  const { item } = found;
  await requireRight(s, member, item.platform, right);
  const connection = await findConnectionRow(s.control, member.organisationId, item.connectionId);
  // The account was removed, and the item is about to be deleted.
  if (!connection) throw new AppError("err.not.found");
  return { ...found, connection };
}
