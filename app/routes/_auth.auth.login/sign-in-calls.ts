import * as z from "zod/mini";
import { ApiError, callApi } from "#app/api/call-api.ts";
import { errorText } from "#app/api/error-text.ts";
import { signInCopy as copy } from "#app/copy/auth.ts";
import { timeText } from "#app/format/dates.ts";

/** What the identity service answers to right credentials: a session, or the question for the second factor. */
const sessionAnswer = z.object({ kind: z.literal("session"), user: z.object({ sub: z.string() }) });
const signInAnswer = z.discriminatedUnion("kind", [
  sessionAnswer,
  z.object({ kind: z.literal("two_factor"), expires_at: z.number() }),
]);
export type SignInAnswer = z.output<typeof signInAnswer>;

export type Credentials = { email: string; password: string; rememberMe: boolean };

/** Shows the credentials to the identity service, before anything else is asked (spec A-227). */
export async function signInCall({ email, password, rememberMe }: Credentials): Promise<SignInAnswer> {
  const body = { email, password, remember_me: rememberMe };
  return (await callApi("identity/sign-in", { method: "POST", body, schema: signInAnswer })).result;
}

/** Until when the second factor may be shown, in epoch ms; for the way back from a federated sign-in. */
export async function challengeCall(): Promise<number> {
  const schema = z.object({ expires_at: z.number() });
  return (await callApi("identity/two-factor/challenge", { schema })).result.expires_at;
}

/** Answers the challenge with six digits or a recovery code; the browser then has its session. Says whose it is. */
export async function answerCall(code: string): Promise<string> {
  const call = { method: "POST", body: { code }, schema: sessionAnswer } as const;
  return (await callApi("identity/two-factor/answer", call)).result.user.sub;
}

/** Has a new confirmation link sent, and says how that went. The answer does not tell whether the address is known. */
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

/** Why nobody was signed in, and how the page tells it. */
export type SignInTrouble =
  /** The dialog with the way to a new account (spec ). */
  | { kind: "refused"; text: string }
  /** The warning that offers a new confirmation link (spec ). */
  | { kind: "unconfirmed"; email: string }
  /** A note in the form: nothing is wrong with what was typed. */
  | { kind: "later"; text: string };

/** Tells the troubles apart. */
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

/** Nobody is signed in yet: the browser's own zone. */
function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
