import { z } from "zod";

/** The signed-in person as `user/get-user-start-info` answers; only what the settings need. */
export const meSchema = z.object({
  sub: z.string(),
  email: z.string(),
  name: z.string(),
  family_name: z.string(),
  /** Address of the profile photo. */
  picture: z.string().nullable(),
  organization_name: z.string().nullable(),
  account_type: z.enum(["User", "Organization"]),
  /** An invited, restricted member. */
  isSubUser: z.boolean(),
  /** `organization_{platform}_{user|admin}`. */
  roles: z.array(z.string()),
  isSubscribedToMail: z.boolean(),
  two_factor_enabled: z.boolean(),
});
export type Me = z.output<typeof meSchema>;

/** One invited person; a name is there only once they have signed up (spec A-216). */
export const invitedUserSchema = z.object({
  sub: z.string(),
  email: z.string(),
  name: z.string().nullish(),
  family_name: z.string().nullish(),
  roles: z.array(z.string()),
});
export type InvitedUser = z.output<typeof invitedUserSchema>;

/** Answer of `user/organization-users`. */
export const invitedUsersSchema = z.object({
  organization_users: z.array(invitedUserSchema),
  invitations_left: z.number().int(),
});
export type InvitedUsers = z.output<typeof invitedUsersSchema>;

export const REPORT_DAYS = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;

/** Answer of `user/email-preferences`. */
export const reportPreferencesSchema = z.object({
  frequency: z.enum(["daily", "weekly"]).nullish(),
  report_type: z.enum(["all", "succeeded", "failed"]).nullish(),
  report_day: z.enum(REPORT_DAYS).nullish(),
});
