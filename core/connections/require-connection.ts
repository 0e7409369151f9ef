import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { canManage, canUse, type Member, mayManage } from "#core/organisations/index.ts";
import type { CoreServices } from "#core/services.ts";
import type { ConnectionRow } from "./connection.store.ts";
import { connectionRowsOf } from "./list-connections.ts";

/**
 * Returns the connection a member works with on a platform. The organisation comes from the member, so connections of
 * other organisations cannot be reached.
 *
 * @throws AppError `err.platform.unknown`, `err.role.forbidden`, `err.plan.required`, `err.connection.missing`,
 *   `err.connection.unconfirmed`
 */
export async function requireConnection(
  s: CoreServices,
  member: Member,
  platform: string,
  right: "use" | "manage",
): Promise<{ connection: ConnectionRow; ledger: LedgerDatabase }> {
  if (!s.connectors.has(platform)) throw new AppError("err.platform.unknown");
  await requireRight(s, member, platform, right);
  const connection = (await connectionRowsOf(s, member.organisationId, platform)).at(-1);
  if (!connection) throw new AppError("err.connection.missing");
  if (right === "manage" && !connection.isConfirmed) throw new AppError("err.connection.unconfirmed");
  return { connection, ledger: s.ledger(connection.region) };
}

/** The beginning of an audit entry: who did something on a platform. */
export function doneBy(member: Member, platform: string) {
  return { organisationId: member.organisationId, userId: member.userId, userName: member.name, platform };
}

/**
 * Checks a right on a platform. An admin of a platform whose plan has ended gets `err.plan.required` instead of
 * `err.role.forbidden`.
 *
 * @throws AppError `err.role.forbidden`, `err.plan.required`
 */
export async function requireRight(
  s: Pick<CoreServices, "control" | "clock" | "memory">,
  member: Member,
  platform: string,
  right: "use" | "manage",
): Promise<void> {
  if (right === "use") {
    if (!canUse(member, platform)) throw new AppError("err.role.forbidden");
    return;
  }
  if (!canManage(member, platform)) throw new AppError("err.role.forbidden");
  if (!(await mayManage(s, member, platform))) throw new AppError("err.plan.required");
}
