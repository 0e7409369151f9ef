import * as z from "zod/mini";
import { holdsLink, holdsUnseen } from "#core/kernel/name-rules.ts";
import { isStrongPassword } from "./password-strength.schema.ts";

/**
 * What people type about themselves, checked alike in browser and server (spec part 1 section 5). Sentences are
 * the spec's where it gives one.
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

/** A person's name: 2 to 50 characters, no links and nothing unseen, as for every name. */
export const personNameSchema = z.string({ error: "required" }).check(
  z.trim(),
  z.minLength(2, "Min length is 2"),
  z.maxLength(50, "max_length50"),
  z.refine((text) => !holdsLink(text) && !holdsUnseen(text), "no links"),
);

/** Longest and shortest password (spec ). */
export const PASSWORD_MIN_LENGTH = 10;
export const PASSWORD_MAX_LENGTH = 50;
/** Longest password that a form sends to be checked: older ones may break today's rules (spec ). */
export const OLD_PASSWORD_MAX_LENGTH = 100;

/**
 * The rules of a new password that a look at its characters decides, one line each, so that a form can tick them off
 * while one types. `STRENGTH_RULE` is the one that needs word lists.
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

/** The rule that forms tick off with `isStrongPassword`, once its word lists have arrived. */
export const STRENGTH_RULE = { text: "No dictionary words, repeats or common passwords" } as const;

/** What the characters of a new password alone decide; the first rule that fails is told. */
export const newPasswordSchema = z.string({ error: "required" }).check(
  z.superRefine((password, context) => {
    const broken = brokenRule(password);
    if (broken) context.addIssue({ code: "custom", message: broken });
  }),
);

/** A new password by all rules; to be parsed asynchronously, since the word lists are loaded when first needed. */
export const strongPasswordSchema = z.string({ error: "required" }).check(
  z.superRefine(async (password, context) => {
    const broken =
      brokenRule(password) ?? ((await isStrongPassword(password)) ? undefined : STRENGTH_RULE.text);
    if (broken) context.addIssue({ code: "custom", message: broken });
  }),
);
/** A password that keeps every rule. */
export type NewPassword = string;

function brokenRule(password: string): string | undefined {
  return PASSWORD_RULES.find((rule) => !rule.holds(password))?.text;
}

/** The names of a person. */
export const namesSchema = z.strictObject({ name: personNameSchema, familyName: personNameSchema });
export type Names = z.output<typeof namesSchema>;

/** What sign-up sends. */
export const signUpSchema = z.strictObject({
  name: personNameSchema,
  familyName: personNameSchema,
  email: emailSchema,
  password: strongPasswordSchema,
  statedCreatedAt: z.optional(z.string().check(z.maxLength(50, "max_length50"))),
  isAutoConfirmed: z.optional(z.boolean()),
});
export type SignUp = z.output<typeof signUpSchema>;

/** A password as it stands: only bounded, since older ones may break today's rules (spec ). */
const oldPasswordSchema = z
  .string({ error: "required" })
  .check(z.minLength(1, "required"), z.maxLength(OLD_PASSWORD_MAX_LENGTH, "max_length100"));

/** What sign-in sends. The password is only bounded: which rules it once met is not the visitor's business. */
export const signInSchema = z.strictObject({
  email: emailSchema,
  password: oldPasswordSchema,
  rememberMe: z._default(z.boolean(), false),
});
export type SignIn = z.output<typeof signInSchema>;

/** A code that came by e-mail, as it was typed. */
export const mailedCodeSchema = z.string({ error: "required" }).check(
  z.overwrite((text) => text.replace(/[\s-]/g, "")),
  z.minLength(1, "required"),
  z.maxLength(100, "max_length100"),
);

/** What the second step of password recovery sends. */
export const confirmPasswordSchema = z.strictObject({
  email: emailSchema,
  code: mailedCodeSchema,
  newPassword: strongPasswordSchema,
});

/** What changing the password sends. */
export const changePasswordSchema = z.strictObject({
  oldPassword: oldPasswordSchema,
  newPassword: strongPasswordSchema,
});
export type ChangePassword = z.output<typeof changePasswordSchema>;

/** The code of an authenticator app, or a recovery code. */
export const factorCodeSchema = z
  .string({ error: "Insert code!" })
  .check(z.trim(), z.minLength(6, "Insert code!"), z.maxLength(20, "Insert code!"));
