import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { type Member, requireOwner } from "#core/organisations/index.ts";
import type { CoreServices } from "#core/services.ts";
import { type ConnectionRow, listConnectionRows } from "../connection.store.ts";
import { requireRight } from "../require-connection.ts";

/**
 * Returns the connected account of a platform, confirmed or not. Only the owner may change the account (spec P-309);
 * every manager may change its settings.
 *
 * @throws AppError `err.platform.unknown`, `err.role.forbidden`, `err.plan.required`, `err.connection.missing`
 */
export async function requireAccount(
  s: CoreServices,
  member: Member,
  platform: string,
  right: "manage" | "own",
): Promise<{ connection: ConnectionRow; ledger: LedgerDatabase }> {
  const connection = await findAccountRow(s, member, platform, right);
  if (!connection) throw new AppError("err.connection.missing");
  return { connection, ledger: s.ledger(connection.region) };
}

/** The same, but returns null when no account is connected. */
export async function findAccountRow(
  s: CoreServices,
  member: Member,
  platform: string,
  right: "manage" | "own",
): Promise<ConnectionRow | null> {
  if (!s.connectors.has(platform)) throw new AppError("err.platform.unknown");
  await requireRight(s, member, platform, "manage");
  if (right === "own") requireOwner(member);
  return (await listConnectionRows(s.control, member.organisationId, platform)).at(-1) ?? null;
}
