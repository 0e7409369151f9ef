import { type Member, requireOwner } from "#core/organisations/index.ts";
import type { CoreServices } from "#core/services.ts";
import { type ConnectionRow, listConnectionRows } from "../connection.store.ts";
import { requireRight } from "../require-connection.ts";

/**
 * Whether the member may connect an account: the first of a platform is every manager's, any other the owner's (spec
 * P-309). Asked at every step, because the right may be taken in between.
 *
 * @returns The connections that stand, oldest first.
 * @throws AppError `err.platform.unknown`, `err.role.forbidden`, `err.plan.required`
 */
export async function requireStanding(
  s: CoreServices,
  member: Member,
  platform: string,
): Promise<ConnectionRow[]> {
  await requireRight(s, member, platform, "manage");
  const rows = await listConnectionRows(s.control, member.organisationId, platform);
  if (rows.length > 0) requireOwner(member);
  return rows;
}
