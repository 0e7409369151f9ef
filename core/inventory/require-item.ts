import {
  type ConnectionRow,
  connectionRowsOf,
  findConnectionRow,
  requireRight,
} from "#core/connections/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import type { AccessServices, Uses } from "#core/services.ts";
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
  const connection = await findConnection(s, item);
  // The account was removed, and the item is about to be deleted.
  if (!connection) throw new AppError("err.not.found");
  return { ...found, connection };
}

/** The item's connection; null when it was removed. A page knows all of them already. */
async function findConnection(
  s: Uses<"memory" | "control">,
  { organisationId, platform, connectionId }: ItemRow,
): Promise<ConnectionRow | null> {
  if (!s.memory) return findConnectionRow(s.control, organisationId, connectionId);
  const rows = await connectionRowsOf(s, organisationId, platform);
  return rows.find(({ id }) => id === connectionId) ?? null;
}
