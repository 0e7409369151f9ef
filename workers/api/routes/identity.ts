import type { Context } from "hono";
import { z } from "zod";
import {
  answerChallenge,
  changePassword,
  checkTwoFactor,
  completeSignUp,
  confirmEmail,
  confirmPassword,
  createFactorSecret,
  disableTwoFactor,
  enableTwoFactor,
  forgotPassword,
  keepAppsToProtect,
  type NewSession,
  readChallenge,
  renewRecoveryCodes,
  resendVerification,
  signIn,
  signOut,
  signUp,
  updateNames,
  verifyFactorCode,
} from "#core/accounts/index.ts";
import {
  changePasswordSchema,
  confirmPasswordSchema,
  emailSchema,
  factorCodeSchema,
  namesSchema,
  personNameSchema,
  signInSchema,
  signUpSchema,
  strongPasswordSchema,
} from "#core/accounts/password.schema.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { acceptInvitation, type Member, roleStrings } from "#core/organisations/index.ts";
import type { ApiEnv } from "../api-env.ts";
import { type Api, type MountedRoute, route } from "../mount-route.ts";
import { wireText } from "../wire-fields.ts";

const tag = "Identity";
const base = "/identity";
const nothing = z.strictObject({});
const linkInput = z.strictObject({ iv: wireText(200).min(1), content: wireText(4000).min(1) });

const namesInput = { name: personNameSchema, familyName: personNameSchema };

/** Error codes of confirmation links. */
const REFUSED_LINKS = ["err.link.purpose", "err.link.used", "err.email.taken"] as const;

/** Error codes of one-time codes. */
const WRONG_CODES = ["err.code.invalid", "err.code.expired", "err.code.used", "err.attempts.limit"] as const;

/** How the session is returned: as an HttpOnly cookie, or as a token in the answer. */
const sessionAs = z.enum(["cookie", "token"]).default("cookie");
type SessionAs = z.output<typeof sessionAs>;
/** Only present when the caller asked for a token. */
const token = z.string().optional();

/** A new session. */
const sessionResult = z.object({
  kind: z.literal("session"),
  token,
  expires_at: z.int(),
  user: z.object({
    sub: z.string(),
    email: z.string(),
    name: z.string(),
    family_name: z.string(),
    roles: z.array(z.string()),
  }),
});

type Request = Context<ApiEnv>;

const ACCOUNTS: readonly MountedRoute[] = [
  route({
    method: "POST",
    base,
    path: "/sign-up",
    summary: "Sign up, and send the link that confirms the address",
    tag,
    input: signUpSchema,
    fields: {
      familyName: "family_name",
      statedCreatedAt: "created_at",
      isAutoConfirmed: "auto_confirm",
    },
    isPublic: true,
    result: z.object({ is_confirmed: z.boolean() }),
    refuses: ["err.attempts.limit"],
    handle: async (s, _member, input, c) => {
      const { isConfirmed, setCookie } = await signUp(s, input, c.req.raw.headers);
      setCookies(c, { setCookie });
      return { result: { is_confirmed: isConfirmed } };
    },
  }),
  route({
    method: "POST",
    path: "/email-verification",
    summary: "Confirm an e-mail address with the values of its link, in the browser that signed up",
    tag,
    input: linkInput,
    isPublic: true,
    result: z.union([
      z.object({ kind: z.literal("confirmed") }),
      z.object({
        kind: z.literal("password_needed"),
        email: z.string(),
        name: z.string(),
        family_name: z.string(),
      }),
    ]),
    refuses: REFUSED_LINKS,
    handle: async (s, _member, input, c) => {
      const found = await confirmEmail(s, input, c.req.raw.headers);
      if (found.kind === "confirmed") return { result: found, message: "verification successful" };
      const { kind, email, name, familyName } = found;
      return { result: { kind, email, name, family_name: familyName } };
    },
  }),
  route({
    method: "POST",
    base,
    path: "/complete-sign-up",
    summary: "Make the account of a sign-up with a password that the holder of its link chooses",
    tag,
    input: z.strictObject({ ...linkInput.shape, password: strongPasswordSchema, ...namesInput }),
    fields: { password: "new_password", name: "firstName", familyName: "lastName" },
    isPublic: true,
    result: z.null(),
    refuses: REFUSED_LINKS,
    handle: async (s, _member, { iv, content, ...chosen }) => {
      await completeSignUp(s, { link: { iv, content }, ...chosen });
      return { result: null, message: "verification successful" };
    },
  }),
  route({
    method: "POST",
    path: "/resend-email-verification",
    summary: "Send another confirmation link, where one is needed",
    tag,
    input: z.strictObject({ email: emailSchema }),
    isPublic: true,
    result: z.null(),
    refuses: ["err.attempts.limit"],
    handle: async (s, _member, { email }, c) => {
      await resendVerification(s, email, c.req.raw.headers);
      return { result: null };
    },
  }),
  route({
    method: "POST",
    path: "/send-active-campaign-tags",
    summary: "Keep which platforms were ticked at sign-up",
    tag,
    input: z.strictObject({
      email: emailSchema,
      appsToProtect: z.array(z.string().regex(/^[a-z][a-z0-9-]{0,29}$/)).max(20),
    }),
    isPublic: true,
    result: z.null(),
    handle: async (s, _member, input) => {
      await keepAppsToProtect(s, input);
      return { result: null };
    },
  }),
  route({
    method: "POST",
    base,
    path: "/update-profile",
    summary: "Change one's names",
    tag,
    input: namesSchema,
    fields: { familyName: "family_name" },
    result: z.object({ name: z.string(), family_name: z.string() }),
    handle: async (s, m, names) => {
      await updateNames(s, m, names);
      return { result: { name: names.name, family_name: names.familyName } };
    },
  }),
  route({
    method: "POST",
    base,
    path: "/complete-invitation",
    summary: "Set up an invited person",
    tag,
    input: z.strictObject({
      email: emailSchema,
      code: wireText(200).min(1),
      password: strongPasswordSchema,
      ...namesInput,
    }),
    fields: {
      code: "confirmation_code",
      password: "new_password",
      name: "firstName",
      familyName: "lastName",
    },
    isPublic: true,
    result: z.null(),
    refuses: ["err.invitation.invalid", "err.email.taken"],
    handle: async (s, _member, input) => {
      await acceptInvitation(s, input);
      return { result: null };
    },
  }),
];

const SESSIONS: readonly MountedRoute[] = [
  route({
    method: "POST",
    base,
    path: "/sign-in",
    summary: "Open a session, or ask for the second factor",
    tag,
    input: z.strictObject({ ...signInSchema.shape, sessionAs }),
    fields: { rememberMe: "remember_me", sessionAs: "session_as" },
    isPublic: true,
    result: z.union([
      sessionResult,
      z.object({ kind: z.literal("two_factor"), challenge: token, expires_at: z.int() }),
    ]),
    refuses: ["err.credentials.wrong", "err.credentials.limit", "err.credentials.unconfirmed"],
    handle: async (s, _member, { sessionAs, ...credentials }, c) => {
      const outcome = await signIn(s, credentials, c.req.raw.headers);
      if (outcome.kind === "session") return sessionAnswer(c, outcome, sessionAs);
      const { challenge, expiresAt } = outcome;
      if (sessionAs === "cookie") setCookies(c, outcome);
      const asked = sessionAs === "token" ? { challenge } : {};
      return { result: { kind: "two_factor", ...asked, expires_at: expiresAt } };
    },
  }),
  route({
    method: "POST",
    base,
    path: "/sign-out",
    summary: "End the session",
    tag,
    input: nothing,
    isPublic: true,
    result: z.null(),
    handle: async (s, _member, _input, c) => {
      setCookies(c, await signOut(s, c.req.raw.headers));
      return { result: null };
    },
  }),
];

const TWO_FACTOR: readonly MountedRoute[] = [
  route({
    method: "GET",
    base,
    path: "/two-factor/challenge",
    summary: "Until when the second factor may be shown",
    tag,
    input: nothing,
    isPublic: true,
    result: z.object({ expires_at: z.int() }),
    refuses: ["err.challenge.expired"],
    handle: async (s, _member, _input, c) => {
      const { expiresAt } = await readChallenge(s, c.req.raw.headers);
      return { result: { expires_at: expiresAt } };
    },
  }),
  route({
    method: "POST",
    base,
    path: "/two-factor/answer",
    summary: "Show the second factor and open the session",
    tag,
    input: z.strictObject({ code: factorCodeSchema, challenge: wireText(100).optional(), sessionAs }),
    fields: { sessionAs: "session_as" },
    isPublic: true,
    result: sessionResult,
    refuses: ["err.challenge.expired", ...WRONG_CODES],
    handle: async (s, _member, { sessionAs, ...answer }, c) =>
      sessionAnswer(c, await answerChallenge(s, answer, c.req.raw.headers), sessionAs),
  }),
  route({
    method: "POST",
    base,
    path: "/two-factor/secret",
    summary: "Make the secret of a second factor to be set up",
    tag,
    input: nothing,
    result: z.object({ secret: z.string(), uri: z.string() }),
    refuses: ["err.two.factor.enabled"],
    handle: async (s, member, _input, c) => ({ result: await createFactorSecret(s, asking(member, c)) }),
  }),
  route({
    method: "POST",
    base,
    path: "/two-factor/verify",
    summary: "Show a code of the authenticator, before switching it on or off",
    tag,
    input: z.strictObject({ code: factorCodeSchema }),
    result: z.object({ verified: z.literal(true) }),
    refuses: WRONG_CODES,
    handle: async (s, member, { code }, c) => {
      await verifyFactorCode(s, { ...asking(member, c), code });
      return { result: { verified: true } };
    },
  }),
  route({
    method: "POST",
    base,
    path: "/two-factor/enable",
    summary: "Switch the second factor on",
    tag,
    input: nothing,
    result: z.object({
      enabled: z.literal(true),
      recovery_codes: z.array(z.string()),
      token,
    }),
    refuses: ["err.two.factor.unproved", "err.two.factor.enabled"],
    handle: async (s, member, _input, c) => {
      const { recoveryCodes, ...opened } = await enableTwoFactor(s, asking(member, c));
      return { result: { enabled: true, recovery_codes: recoveryCodes, ...handOver(c, opened) } };
    },
  }),
  route({
    method: "POST",
    base,
    path: "/two-factor/disable",
    summary: "Switch the second factor off",
    tag,
    input: nothing,
    result: z.object({ enabled: z.literal(false), token }),
    refuses: ["err.two.factor.unproved"],
    handle: async (s, member, _input, c) => {
      const opened = await disableTwoFactor(s, asking(member, c));
      return { result: { enabled: false, ...handOver(c, opened) } };
    },
  }),
  route({
    method: "POST",
    base,
    path: "/two-factor/recovery-codes",
    summary: "Make new recovery codes in the place of the old ones",
    tag,
    input: nothing,
    result: z.object({ recovery_codes: z.array(z.string()) }),
    refuses: ["err.two.factor.unproved"],
    handle: async (s, member, _input, c) => {
      const { recoveryCodes } = await renewRecoveryCodes(s, asking(member, c));
      return { result: { recovery_codes: recoveryCodes } };
    },
  }),
  route({
    method: "GET",
    base,
    path: "/two-factor/check",
    summary: "Whether the second factor is on",
    tag,
    input: nothing,
    result: z.object({ enabled: z.boolean(), recovery_codes_left: z.int().min(0) }),
    handle: async (s, { userId }) => {
      const { isEnabled, recoveryCodesLeft } = await checkTwoFactor(s, userId);
      return { result: { enabled: isEnabled, recovery_codes_left: recoveryCodesLeft } };
    },
  }),
];

const PASSWORDS: readonly MountedRoute[] = [
  route({
    method: "POST",
    base,
    path: "/forgot-password",
    summary: "Send a code for a new password, where there is an account",
    tag,
    input: z.strictObject({ email: emailSchema }),
    isPublic: true,
    result: z.null(),
    refuses: ["err.attempts.limit"],
    handle: async (s, _member, { email }, c) => {
      await forgotPassword(s, email, c.req.raw.headers);
      return { result: null, message: "A verification code has been sent to your email." };
    },
  }),
  route({
    method: "POST",
    base,
    path: "/confirm-password",
    summary: "Set a new password with the code",
    tag,
    input: confirmPasswordSchema,
    fields: { newPassword: "new_password" },
    isPublic: true,
    result: z.null(),
    refuses: ["err.recovery.code", "err.attempts.limit"],
    handle: async (s, _member, input, c) => {
      setCookies(c, await confirmPassword(s, input, c.req.raw.headers));
      return { result: null, message: "Your password was changed" };
    },
  }),
  route({
    method: "POST",
    path: "/user/change-user-password",
    summary: "Change one's password",
    tag,
    input: changePasswordSchema,
    result: z.object({ token }),
    refuses: ["err.password.wrong", "err.password.absent", "err.attempts.limit"],
    handle: async (s, member, input, c) => {
      const opened = await changePassword(s, member, { ...input, sessionId: sessionIdOf(c) });
      return { result: handOver(c, opened), message: "Your password was changed" };
    },
  }),
];

/**
 * The identity service, `/identity/…`: sessions, passwords and second factors, in the spec's words (spec part 1 section
 * 7; paths by spec/README A-383), and the related `/api` calls. A session is a cookie unless the client asks for a
 * token. A call that renews a session returns it the way the request sent it.
 */
export function mountIdentity(api: Api): void {
  for (const mount of [...ACCOUNTS, ...SESSIONS, ...TWO_FACTOR, ...PASSWORDS]) mount(api);
}

function sessionAnswer(c: Request, opened: NewSession, as: SessionAs) {
  const { member, person, session } = opened;
  const user = {
    sub: member.userId,
    email: member.email,
    name: person.name,
    family_name: person.familyName,
    roles: roleStrings(member),
  };
  const { expiresAt } = session;
  return { result: { kind: "session" as const, ...handOver(c, opened, as), expires_at: expiresAt, user } };
}

/** Returns a session as a cookie or token. A replacement uses the same form as the request. */
function handOver(
  c: Request,
  { token, setCookie }: NewSession,
  as: SessionAs = c.req.header("Authorization") === undefined ? "cookie" : "token",
): { token?: string } {
  if (as === "token") return { token };
  setCookies(c, { setCookie });
  return {};
}

function setCookies(c: Request, { setCookie }: { setCookie: readonly string[] }): void {
  for (const value of setCookie) c.header("Set-Cookie", value, { append: true });
}

function asking(member: Member, c: Request): { member: Member; sessionId: string } {
  return { member, sessionId: sessionIdOf(c) };
}

function sessionIdOf(c: Request): string {
  if (c.var.sessionId === null) throw new AppError("err.session.missing");
  return c.var.sessionId;
}
