import * as z from "zod/mini";
import { holdsLink, holdsUnseen } from "#core/kernel/name-rules.ts";
import { isStrongPassword } from "./password-strength.schema.ts";

/**
 * What people enter about themselves, checked the same way in browser and server (spec part 1 section 5). Messages are
 * the spec's where it defines them.
 */

/** Longest e-mail address accepted (spec/README A-297). */
export const EMAIL_MAX_LENGTH = 50;

/** An e-mail address, stored in lower case. */
export const emailSchema = z.pipe(
  z
    .string({ error: "required" })
    .check(z.trim(), z.minLength(1, "required"), z.maxLength(EMAIL_MAX_LENGTH, "max_length50")),
  z.email("Invalid email").check(z.toLowerCase()),
);

/** A person's name: 2 to 50 characters, without links or invisible characters. */
export const personNameSchema = z.string({ error: "required" }).check(
  z.trim(),
  z.minLength(2, "Min length is 2"),
  z.maxLength(50, "max_length50"),
  z.refine((text) => !holdsLink(text) && !holdsUnseen(text), "no links"),
);

/** Longest and shortest password (spec ). */
export const PASSWORD_MIN_LENGTH = 10;
export const PASSWORD_MAX_LENGTH = 50;
/**
 * The sentence of an older rule, which asked for eight characters (spec A-330). It is kept as a record and never shown,
 * because ten are required (spec/README ).
 */
export const OLD_PASSWORD_RULE =
  "must contain at least 8 characters with lowercase, uppercase, number and special symbol";
/** Longest existing password that a form accepts: older ones may not meet today's rules (spec ). */
export const OLD_PASSWORD_MAX_LENGTH = 100;

/**
 * The rules of a new password that depend only on its characters, one line each, so that a form can tick them off while
 * the person types. `STRENGTH_RULE` also needs word lists.
 */
export const PASSWORD_RULES = [
  {
    text: "At least 10 characters, at most 50",
    holds: (p) => p.length >= PASSWORD_MIN_LENGTH && p.length <= PASSWORD_MAX_LENGTH,
  },
  { text: "At least one digit", holds: (p) => /[0-9]/.test(p) },
  { text: "At least one lowercase letter", holds: (p) => /[a-z]/.test(p) },
  { text: "At least one uppercase letter", holds: (p) => /[A-Z]/.test(p) },
  { text: 'One special character: $ ! % * ^ " @', holds: (p) => /[$!%*^"@]/.test(p) },
  { text: "No spaces", holds: (p) => !/\s/.test(p) },
  { text: "No other characters", holds: (p) => /^[A-Za-z0-9$!%*^"@]*$/.test(p) },
] as const satisfies readonly { text: string; holds: (password: string) => boolean }[];

/** The rule that forms tick off with `isStrongPassword`, once its word lists have loaded. */
export const STRENGTH_RULE = { text: "No dictionary words, repeats or common passwords" } as const;

/** A new password by the rules on its characters alone. The first broken rule is reported. */
export const newPasswordSchema = z.string({ error: "required" }).check(
  z.superRefine((password, context) => {
    const broken = brokenRule(password);
    if (broken) context.addIssue({ code: "custom", message: broken });
  }),
);

/** A new password by all rules. Parse it asynchronously, because the word lists load on first use. */
export const strongPasswordSchema = z.string({ error: "required" }).check(
  z.superRefine(async (password, context) => {
    const broken =
      brokenRule(password) ?? ((await isStrongPassword(password)) ? undefined : STRENGTH_RULE.text);
    if (broken) context.addIssue({ code: "custom", message: broken });
  }),
);
/** A password that meets every rule. */
export type NewPassword = string;

function brokenRule(password: string): string | undefined {
  return PASSWORD_RULES.find((rule) => !rule.holds(password))?.text;
}

/** A person's given and family name. */
export const namesSchema = z.strictObject({ name: personNameSchema, familyName: personNameSchema });
export type Names = z.output<typeof namesSchema>;

/** The body of a sign-up. */
export const signUpSchema = z.strictObject({
  name: personNameSchema,
  familyName: personNameSchema,
  email: emailSchema,
  password: strongPasswordSchema,
  statedCreatedAt: z.optional(z.string().check(z.maxLength(50, "max_length50"))),
  isAutoConfirmed: z.optional(z.boolean()),
});
export type SignUp = z.output<typeof signUpSchema>;

/** An existing password. Only its length is checked: older ones may break today's rules (spec ). */
const oldPasswordSchema = z
  .string({ error: "required" })
  .check(z.minLength(1, "required"), z.maxLength(OLD_PASSWORD_MAX_LENGTH, "max_length100"));

/** The body of a sign-in. The password's length is the only check: today's rules may be newer than the password. */
export const signInSchema = z.strictObject({
  email: emailSchema,
  password: oldPasswordSchema,
  rememberMe: z._default(z.boolean(), false),
});
export type SignIn = z.output<typeof signInSchema>;

/** A code received by e-mail, as typed. */
export const mailedCodeSchema = z.string({ error: "required" }).check(
  z.overwrite((text) => text.replace(/[\s-]/g, "")),
  z.minLength(1, "required"),
  z.maxLength(100, "max_length100"),
);

/** The body of the second step of password recovery. */
export const confirmPasswordSchema = z.strictObject({
  email: emailSchema,
  code: mailedCodeSchema,
  newPassword: strongPasswordSchema,
});

/** The body of a password change. */
export const changePasswordSchema = z.strictObject({
  oldPassword: oldPasswordSchema,
  newPassword: strongPasswordSchema,
});
export type ChangePassword = z.output<typeof changePasswordSchema>;

/** The code of an authenticator app, or a recovery code. */
export const factorCodeSchema = z
  .string({ error: "Insert code!" })
  .check(z.trim(), z.minLength(6, "Insert code!"), z.maxLength(20, "Insert code!"));
