import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { canManage, canUse, type Member, mayManage, requireOwner } from "#core/organisations/index.ts";
import type { AccessServices, RightServices } from "#core/services.ts";
import { type ConnectionRow, listConnectionRows } from "./connection.store.ts";
import { connectionRowsOf } from "./list-connections.ts";

/** Which connection of a platform to use. Defaults to the only one, or the oldest. */
export type ConnectionScope = { platform: string; connectionId?: string | null };

type Required = { connection: ConnectionRow; ledger: LedgerDatabase };

/**
 * The connection a member works with. The organisation comes from the member, so a foreign connection cannot be
 * reached.
 *
 * @throws AppError `err.platform.unknown`, `err.role.forbidden`, `err.plan.required`, `err.connection.missing`,
 *   `err.connection.unconfirmed`
 */
export async function requireConnection(
  s: AccessServices,
  member: Member,
  { platform, connectionId }: ConnectionScope,
  right: "use" | "manage",
): Promise<Required> {
  await requireRight(s, member, platform, right);
  const rows = await connectionRowsOf(s, member.organisationId, platform);
  const connection = rowNamed(rows, connectionId);
  if (right === "manage") requireConfirmed(connection);
  return { connection, ledger: s.ledger(connection.region, connection.organisationId) };
}

/**
 * The connected account, confirmed or not. Only the owner may remove or replace an account (spec P-309), and must name
 * it when there are several. Every manager may change its settings.
 *
 * @param isPreferred - Selects the account when none is named; absent = the oldest.
 * @throws AppError `err.platform.unknown`, `err.role.forbidden`, `err.plan.required`, `err.connection.missing`,
 *   `err.request.invalid`
 */
export async function requireAccount(
  s: AccessServices,
  member: Member,
  { platform, connectionId }: ConnectionScope,
  right: "manage" | "own",
  isPreferred: (row: ConnectionRow) => boolean = () => true,
): Promise<Required> {
  await requireRight(s, member, platform, "manage");
  if (right === "own") requireOwner(member);
  const rows = await listConnectionRows(s.control, member.organisationId, platform);
  if (right === "own" && !connectionId && rows.length > 1) {
    throw new AppError("err.request.invalid", {
      message: "Several accounts are connected. Name the one that is meant.",
    });
  }
  const preferred = connectionId ? undefined : rows.find(isPreferred);
  const connection = preferred ?? rowNamed(rows, connectionId);
  return { connection, ledger: s.ledger(connection.region, connection.organisationId) };
}

/**
 * The connections that a call about items covers: the named one, or all of the platform. With several, an unconfirmed
 * one is refused only when the call concerns one of its items (`requireConfirmed`).
 *
 * @throws AppError as `requireConnection`
 */
export async function requireConnections(
  s: RightServices,
  member: Member,
  { platform, connectionId }: ConnectionScope,
  right: "use" | "manage",
): Promise<ConnectionRow[]> {
  await requireRight(s, member, platform, right);
  const rows = await connectionRowsOf(s, member.organisationId, platform);
  const first = rowNamed(rows, connectionId);
  const covered = connectionId ? [first] : rows;
  if (right === "manage" && covered.length === 1) requireConfirmed(first);
  return covered;
}

/** @throws AppError `err.connection.missing` */
function rowNamed(rows: readonly ConnectionRow[], connectionId: string | null | undefined): ConnectionRow {
  const connection = connectionId ? rows.find(({ id }) => id === connectionId) : rows[0];
  if (!connection) throw new AppError("err.connection.missing");
  return connection;
}

/** @throws AppError `err.connection.unconfirmed` */
export function requireConfirmed({ isConfirmed }: Pick<ConnectionRow, "isConfirmed">): void {
  if (!isConfirmed) throw new AppError("err.connection.unconfirmed");
}

/** The first fields of an audit entry: who did something on a platform. */
export function doneBy(member: Member, platform: string) {
  return { organisationId: member.organisationId, userId: member.userId, userName: member.name, platform };
}

/**
 * Checks a right on a platform. An admin of a platform whose plan has ended gets `err.plan.required` instead of
 * `err.role.forbidden`.
 *
 * @throws AppError `err.platform.unknown`, `err.role.forbidden`, `err.plan.required`
 */
export async function requireRight(
  s: RightServices,
  member: Member,
  platform: string,
  right: "use" | "manage",
): Promise<void> {
  if (!s.connectors.has(platform)) throw new AppError("err.platform.unknown");
  if (right === "use") {
    if (!canUse(member, platform)) throw new AppError("err.role.forbidden");
    return;
  }
  if (!canManage(member, platform)) throw new AppError("err.role.forbidden");
  if (!(await mayManage(s, member, platform))) throw new AppError("err.plan.required");
}
