import { z } from "zod";

/**
 * What people type about themselves, checked alike in browser and server (spec part 1 section 5). Sentences are
 * the spec's where it gives one.
 */

/** Longest e-mail address accepted (spec/README A-297). */
export const EMAIL_MAX_LENGTH = 50;

/** An e-mail address, stored in lower case. */
export const emailSchema = z
  .string({ error: "required" })
  .trim()
  .min(1, "required")
  .max(EMAIL_MAX_LENGTH, "max_length50")
  .pipe(z.email("Invalid email"))
  .transform((text) => text.toLowerCase());

const LINK = /https?:|www\.|[a-z0-9-]\.[a-z]{2,}/i;

/** Control characters and lone surrogates never belong into a name. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** A person's name: 2 to 50 characters, no links (they would go out in our e-mails). */
export const personNameSchema = z
  .string({ error: "required" })
  .trim()
  .min(2, "Min length is 2")
  .max(50, "max_length50")
  .refine((text) => !LINK.test(text), "no links")
  .refine((text) => !UNPRINTABLE.test(text), "no links");

/** The rules of a new password, one line each, so that the form can tick them off while one types. */
export const PASSWORD_RULES = [
  { text: "At least 10 characters, at most 50", holds: (p) => p.length >= 10 && p.length <= 50 },
  { text: "At least one digit", holds: (p) => /[0-9]/.test(p) },
  { text: "At least one lowercase letter", holds: (p) => /[a-z]/.test(p) },
  { text: "At least one uppercase letter", holds: (p) => /[A-Z]/.test(p) },
  { text: 'One special character: $ ! % * ^ " @', holds: (p) => /[$!%*^"@]/.test(p) },
  { text: "No other characters and no spaces", holds: (p) => /^[A-Za-z0-9$!%*^"@]*$/.test(p) },
  { text: "No repeats, sequences or common passwords", holds: (p) => !isEasilyGuessed(p) },
] as const satisfies readonly { text: string; holds: (password: string) => boolean }[];

/** A new password; the first rule that fails is told. */
export const newPasswordSchema = z.string({ error: "required" }).superRefine((password, context) => {
  const broken = PASSWORD_RULES.find((rule) => !rule.holds(password));
  if (broken) context.addIssue({ code: "custom", message: broken.text });
});

/** What sign-up sends. */
export const signUpSchema = z.strictObject({
  name: personNameSchema,
  email: emailSchema,
  password: newPasswordSchema,
});
export type SignUp = z.output<typeof signUpSchema>;

/** What sign-in sends. The password is only bounded: which rules it once met is not the visitor's business. */
export const signInSchema = z.strictObject({
  email: emailSchema,
  password: z.string({ error: "required" }).min(1, "required").max(100, "max_length100"),
  rememberMe: z.boolean().default(false),
});
export type SignIn = z.output<typeof signInSchema>;

/** Stems that lead every list of leaked passwords; digits and signs around them add nothing. */
const COMMON =
  /password|passwort|welcome|letmein|qwert|asdfg|zxcvb|admin|login|iloveyou|monkey|dragon|sunshine|princess|football|baseball|superman|batman|trustno|master|shadow|michael|jordan|secret|changeme|default|access|hello|freedom|whatever|starwars|holdfast|github/i;
const SEQUENCES = "abcdefghijklmnopqrstuvwxyz 01234567890 qwertyuiop asdfghjkl zxcvbnm";

/** True for leaked stems (also with 0 for o, 1 for i, 3 for e, @ for a, $ for s), repeats and keyboard runs. */
function isEasilyGuessed(password: string): boolean {
  const plain = password.toLowerCase();
  const unleet = plain
    .replaceAll("0", "o")
    .replaceAll("1", "i")
    .replaceAll("3", "e")
    .replaceAll("@", "a")
    .replaceAll("$", "s");
  if (COMMON.test(plain) || COMMON.test(unleet)) return true;
  if (/(.)\1{3}|(.{2,})\2\2/.test(plain) || new Set(plain).size < 6) return true;
  return runs(plain).some(
    (run) => SEQUENCES.includes(run) || SEQUENCES.includes([...run].reverse().join("")),
  );
}

/** Every five characters in a row that hold no sign. */
function runs(text: string): string[] {
  const found: string[] = [];
  for (let i = 0; i + 5 <= text.length; i++) found.push(text.slice(i, i + 5));
  return found;
}
