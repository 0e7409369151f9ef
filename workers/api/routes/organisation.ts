import { z } from "zod";
import { emailSchema, OLD_PASSWORD_MAX_LENGTH } from "#core/accounts/password.schema.ts";
import {
  inviteMember,
  listInvitees,
  removeInvitee,
  setAccountType,
  setOrganisationName,
  updateInvitee,
} from "#core/organisations/index.ts";
import { organisationNameSchema } from "#core/organisations/organisation-name.schema.ts";
import { closeAccount, handOverOwnership } from "#core/ownership/index.ts";
import { type Api, mountRoute } from "../mount-route.ts";
import { wireText } from "../wire-fields.ts";

const tag = "Organisation";

/** Rights as strings; core validates them. */
const rolesField = z.array(wireText(100)).max(50);
const targetField = wireText(100).min(1);
/** Error codes of calls that only the owner may make. */
const OWNER = ["err.role.forbidden"] as const;
/** Error codes for rights that cannot be granted. */
const RIGHTS_REFUSED = [
  "err.role.unknown",
  "err.role.plan",
  "err.connection.missing",
  "err.connection.unauthorized",
] as const;
/** What confirms that the person at the session is its owner. */
const proofFields = {
  password: z.string().min(1).max(OLD_PASSWORD_MAX_LENGTH),
  code: wireText(20).nullish(),
};
/** Error codes of a confirmation. */
const PROOF_REFUSED = [
  "err.password.absent",
  "err.password.wrong",
  "err.credentials.limit",
  "err.code.invalid",
  "err.code.expired",
  "err.code.used",
  "err.attempts.limit",
] as const;

/** Calls for the organisation: its name and members (spec parts 1 and 3, section 7). */
export function mountOrganisation(api: Api): void {
  mountPeople(api);
  mountOwnership(api);
  mountRoute(api, {
    method: "POST",
    path: "/user/organization/name",
    summary: "Name the organisation",
    tag,
    input: z.strictObject({ name: organisationNameSchema }),
    fields: { name: "organization_name" },
    result: z.object({ organization_name: z.string() }),
    refuses: OWNER,
    handle: async (s, m, input) => {
      await setOrganisationName(s, m, input);
      return { result: { organization_name: input.name } };
    },
  });
  mountRoute(api, {
    method: "PUT",
    path: "/user/account-type",
    summary: "Say whether the account is a person's or an organisation's",
    tag,
    input: z.strictObject({ accountType: z.enum(["User", "Organization"]) }),
    fields: { accountType: "account_type" },
    result: z.object({ account_type: z.enum(["User", "Organization"]) }),
    refuses: OWNER,
    handle: async (s, m, input) => {
      await setAccountType(s, m, input);
      return { result: { account_type: input.accountType } };
    },
  });
}

function mountPeople(api: Api): void {
  mountRoute(api, {
    method: "GET",
    path: "/user/organization-users",
    summary: "Invited people and the invitations left",
    tag,
    input: z.strictObject({}),
    result: z.object({
      organization_users: z.array(
        z.object({
          sub: z.string(),
          email: z.string(),
          name: z.string().optional(),
          family_name: z.string().nullable().optional(),
          roles: z.array(z.string()),
        }),
      ),
      invitations_left: z.int().min(0),
    }),
    refuses: OWNER,
    handle: async (s, m) => {
      const { invitees, invitationsLeft } = await listInvitees(s, m);
      const users = invitees.map(({ sub, email, name, familyName, roles }) => ({
        sub,
        email,
        // Members without a completed set-up have no name; screens rely on that.
        ...(name === null ? {} : { name, family_name: familyName }),
        roles,
      }));
      return { result: { organization_users: users, invitations_left: invitationsLeft } };
    },
  });
  mountRoute(api, {
    method: "POST",
    path: "/user/organization-user",
    summary: "Invite somebody",
    tag,
    input: z.strictObject({ email: emailSchema, roles: rolesField }),
    result: z.object({ sub: z.string() }),
    refuses: [
      ...OWNER,
      ...RIGHTS_REFUSED,
      "err.invitation.exists",
      "err.invitation.limit",
      "err.organisation.nameless",
      "err.attempts.limit",
    ],
    handle: async (s, m, input) => ({ result: { sub: (await inviteMember(s, m, input)).id } }),
  });
  mountRoute(api, {
    method: "PUT",
    path: "/user/organization-user",
    summary: "Change somebody's rights",
    tag,
    input: z.strictObject({ targetId: targetField, roles: rolesField }),
    fields: { targetId: "targetUserSub" },
    result: z.null(),
    refuses: [...OWNER, ...RIGHTS_REFUSED, "err.not.found"],
    handle: async (s, m, input) => {
      await updateInvitee(s, m, input);
      return { result: null };
    },
  });
  mountRoute(api, {
    method: "DELETE",
    path: "/user/organization-user",
    summary: "Remove somebody",
    tag,
    input: z.strictObject({ targetId: targetField }),
    fields: { targetId: "targetUserSub" },
    result: z.null(),
    refuses: [...OWNER, "err.not.found"],
    handle: async (s, m, input) => {
      await removeInvitee(s, m, input);
      return { result: null };
    },
  });
}

function mountOwnership(api: Api): void {
  mountRoute(api, {
    method: "POST",
    path: "/user/hand-over-ownership",
    summary: "Make another member the owner",
    tag,
    input: z.strictObject({ targetId: targetField, ...proofFields }),
    fields: { targetId: "targetUserSub" },
    result: z.null(),
    refuses: [...OWNER, ...PROOF_REFUSED, "err.not.found", "err.owner.elsewhere"],
    handle: async (s, m, input) => {
      await handOverOwnership(s, m, input);
      return { result: null, message: "The ownership was handed over" };
    },
  });
  mountRoute(api, {
    method: "POST",
    path: "/user/close-account",
    summary: "Close the account; it is kept for thirty days and then removed",
    tag,
    input: z.strictObject({ email: wireText(100).min(1), ...proofFields }),
    result: z.object({ removal_at: z.number().describe("When what it held is removed, in epoch ms") }),
    refuses: [...OWNER, ...PROOF_REFUSED],
    handle: async (s, m, input) => {
      const { removalAt } = await closeAccount(s, m, input);
      return { result: { removal_at: removalAt }, message: "The account is closed" };
    },
  });
}
