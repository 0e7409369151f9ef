import type { ResultOf } from "#app/api/call-api.ts";
import type { StoredCompany } from "#app/company/company-details.ts";

type StartInfo = ResultOf<"GET user/get-user-start-info">;

/** The signed-in user; only the fields that the settings need. */
export type Me = Pick<
  StartInfo,
  | "sub"
  | "email"
  | "name"
  | "family_name"
  | "picture"
  | "organization_name"
  | "account_type"
  /** An invited, restricted member. */
  | "isSubUser"
  /** `organization_{platform}_{user|admin}`. */
  | "roles"
  | "isSubscribedToMail"
  | "two_factor_enabled"
> & { company?: StoredCompany | null };

/** The invited users of the organisation. */
export type InvitedUsers = ResultOf<"GET user/organization-users">;

/** An invited user. The name is missing until they have signed up (spec A-216). */
export type InvitedUser = InvitedUsers["organization_users"][number];

/** Which reports the user gets. */
export type WirePreferences = Pick<
  ResultOf<"GET user/email-preferences">,
  "frequency" | "report_type" | "report_day"
>;
