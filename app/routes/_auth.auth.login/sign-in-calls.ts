import * as z from "zod/mini";
import { ApiError, callApi } from "#app/api/call-api.ts";
import { errorText } from "#app/api/error-text.ts";
import { signInCopy as copy } from "#app/copy/auth.ts";
import { timeText } from "#app/format/dates.ts";

/** The identity service's answer to correct credentials: a session, or a second-factor challenge. */
const sessionAnswer = z.object({ kind: z.literal("session"), user: z.object({ sub: z.string() }) });
const signInAnswer = z.discriminatedUnion("kind", [
  sessionAnswer,
  z.object({ kind: z.literal("two_factor"), expires_at: z.number() }),
]);
export type SignInAnswer = z.output<typeof signInAnswer>;

export type Credentials = { email: string; password: string; rememberMe: boolean };

/** Sends the credentials to the identity service. This is the first call (spec A-227). */
export async function signInCall({ email, password, rememberMe }: Credentials): Promise<SignInAnswer> {
  const body = { email, password, remember_me: rememberMe };
  return (await callApi("identity/sign-in", { method: "POST", body, schema: signInAnswer })).result;
}

/** When the second-factor challenge expires, in epoch ms; used on the return from a federated sign-in. */
export async function challengeCall(): Promise<number> {
  const schema = z.object({ expires_at: z.number() });
  return (await callApi("identity/two-factor/challenge", { schema })).result.expires_at;
}

/**
 * Answers the challenge with six digits or a recovery code. The browser then has its session. Returns the user's id.
 */
export async function answerCall(code: string): Promise<string> {
  const call = { method: "POST", body: { code }, schema: sessionAnswer } as const;
  return (await callApi("identity/two-factor/answer", call)).result.user.sub;
}

/** Sends a new confirmation link and returns the outcome. The answer does not reveal whether the address is known. */
export async function resend(email: string): Promise<{ isSent: boolean; text: string }> {
  try {
    await callApi("resend-email-verification", { method: "POST", body: { email }, isQuiet: true });
    return { isSent: true, text: copy.resent };
  } catch (error) {
    return {
      isSent: false,
      text: error instanceof ApiError ? errorText(error.message) : copy.somethingWrong,
    };
  }
}

/** Why sign-in failed, and how the page shows it. */
export type SignInTrouble =
  /** The dialog with a link to sign-up (spec ). */
  | { kind: "refused"; text: string }
  /** The warning that offers a new confirmation link (spec ). */
  | { kind: "unconfirmed"; email: string }
  /** A note in the form: the input is not the problem. */
  | { kind: "later"; text: string };

/** Classifies a sign-in error. */
export function troubleOf(error: unknown, email: string): SignInTrouble {
  if (!(error instanceof ApiError)) return { kind: "later", text: copy.somethingWrong };
  if (error.code === "err.credentials.unconfirmed" || error.message.includes(copy.unconfirmed)) {
    return { kind: "unconfirmed", email };
  }
  const limit = z.object({ opensAt: z.number() }).safeParse(error.details);
  if (error.status === 429) {
    return {
      kind: "later",
      text: limit.success
        ? copy.limit(timeText(limit.data.opensAt, ownTimeZone()))
        : errorText(error.message),
    };
  }
  const isOurFault = error.status === 0 || error.status >= 500;
  return { kind: isOurFault ? "later" : "refused", text: errorText(error.message) };
}

/** The browser's time zone, because nobody is signed in yet. */
function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
