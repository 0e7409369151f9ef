/** Organisations: the tenants, their people and what each may do. */
export { createOrganisation, type OrganisationDeps } from "./create-organisation.ts";
export { getOrganisationKey } from "./get-organisation-key.ts";
export { listMembers } from "./list-members.ts";
export type { Member } from "./member.ts";
export { canManage, canUse, roleStrings } from "./permissions.ts";
export { rewrapKeys } from "./rewrap-keys.ts";
