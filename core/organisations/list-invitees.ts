import type { ControlDatabase } from "#core/database/ledgers.ts";
import { type InviteeRow, listInviteeRows } from "./invitation.store.ts";
import { MOST_INVITEES } from "./invitation-code.ts";
import type { Member } from "./member.ts";
import { roleStrings } from "./permissions.ts";
import { requireOwner } from "./require-owner.ts";

/** An invited person. Without a name they have not set up their account yet: screens show "Invited", later "Active". */
export type InviteeView = {
  sub: string;
  email: string;
  name: string | null;
  familyName: string | null;
  /** Role strings as on the wire. */
  roles: string[];
};

/**
 * Lists all invited people, oldest first, and how many invitations are left.
 * @throws AppError `err.role.forbidden`
 */
export async function listInvitees(
  deps: { control: ControlDatabase },
  owner: Member,
): Promise<{ invitees: InviteeView[]; invitationsLeft: number }> {
  requireOwner(owner);
  const rows = await listInviteeRows(deps.control, owner.organisationId);
  return { invitees: rows.map(toView), invitationsLeft: Math.max(0, MOST_INVITEES - rows.length) };
}

function toView({ id, email, name, familyName, platformRoles }: InviteeRow): InviteeView {
  return { sub: id, email, name, familyName, roles: roleStrings({ role: "member", platformRoles }) };
}
