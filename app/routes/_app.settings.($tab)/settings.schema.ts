import * as z from "zod/mini";

const text = z.nullish(z.string());

/** Company details as stored in the profile, if there are any. */
const companySchema = z.object({
  name: text,
  address: z.nullish(
    z.object({ country: text, state: text, city: text, line1: text, line2: text, postal_code: text }),
  ),
  tax_details: z.nullish(z.array(z.object({ id: z.string(), type: z.string(), value: z.string() }))),
});

/** The signed-in user from `user/get-user-start-info`; only the fields that the settings need. */
export const meSchema = z.object({
  sub: z.string(),
  email: z.string(),
  name: z.string(),
  family_name: z.string(),
  /** URL of the profile photo. */
  picture: z.nullable(z.string()),
  organization_name: z.nullable(z.string()),
  account_type: z.enum(["User", "Organization"]),
  /** An invited, restricted member. */
  isSubUser: z.boolean(),
  /** `organization_{platform}_{user|admin}`. */
  roles: z.array(z.string()),
  isSubscribedToMail: z.boolean(),
  two_factor_enabled: z.boolean(),
  company: z.nullish(companySchema),
});
export type Me = z.output<typeof meSchema>;

/** An invited user. The name is missing until they have signed up (spec A-216). */
const invitedUserSchema = z.object({
  sub: z.string(),
  email: z.string(),
  name: text,
  family_name: text,
  roles: z.array(z.string()),
});
export type InvitedUser = z.output<typeof invitedUserSchema>;

/** The answer of `user/organization-users`. */
export const invitedUsersSchema = z.object({
  organization_users: z.array(invitedUserSchema),
  invitations_left: z.number(),
});
export type InvitedUsers = z.output<typeof invitedUsersSchema>;

/** The answer of `user/email-preferences`. */
export const reportPreferencesSchema = z.object({
  frequency: z.nullish(z.enum(["daily", "weekly"])),
  report_type: z.nullish(z.enum(["all", "succeeded", "failed"])),
  report_day: z.nullish(
    z.enum(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]),
  ),
});
export type WirePreferences = z.output<typeof reportPreferencesSchema>;
