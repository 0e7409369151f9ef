/** Organisations: the tenants, their members and the rights of each. */
export { type AcceptDeps, acceptInvitation } from "./accept-invitation.ts";
export { setAccountType, setOrganisationName } from "./change-organisation.ts";
export { createOrganisation, type OrganisationDeps, prepareOrganisation } from "./create-organisation.ts";
export { getOrganisationKey, rememberOrganisationKey } from "./get-organisation-key.ts";
export { inviteMember } from "./invite-member.ts";
export { type InviteeView, listInvitees } from "./list-invitees.ts";
export { listMembers } from "./list-members.ts";
export { mayManage } from "./may-manage.ts";
export type { Member } from "./member.ts";
export { findOrganisationOf } from "./organisation.store.ts";
export { canManage, canUse, roleStrings } from "./permissions.ts";
export { removeInvitee } from "./remove-invitee.ts";
export { reopenAccount } from "./reopen-account.ts";
export { requireOwner } from "./require-owner.ts";
export { rewrapKeys } from "./rewrap-keys.ts";
export { updateInvitee } from "./update-invitee.ts";
