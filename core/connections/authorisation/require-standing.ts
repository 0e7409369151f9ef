import { type Member, requireOwner } from "#core/organisations/index.ts";
import type { RightServices } from "#core/services.ts";
import { type ConnectionRow, listConnectionRows } from "../connection.store.ts";
import { requireRight } from "../require-connection.ts";

/**
 * Checks whether the member may connect an account: every manager may connect a platform's first account, only the
 * owner any other (spec P-309). Where a consent is an item, only the owner connects accounts: a manager's would stay
 * without the item, which only the owner adds (spec P-302). Checked at every step, because the right may be revoked in between.
 *
 * @returns The existing connections, oldest first.
 * @throws AppError `err.platform.unknown`, `err.role.forbidden`, `err.plan.required`
 */
export async function requireStanding(
  s: RightServices,
  member: Member,
  platform: string,
): Promise<ConnectionRow[]> {
  await requireRight(s, member, platform, "manage");
  const rows = await listConnectionRows(s.control, member.organisationId, platform);
  const isItem = s.connectors.get(platform)?.descriptor.supports.itemPerConsent;
  if (rows.length > 0 || isItem) requireOwner(member);
  return rows;
}
