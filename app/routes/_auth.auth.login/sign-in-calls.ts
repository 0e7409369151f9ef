import { ApiError, callApi, type ResultOf } from "#app/api/call-api.ts";
import { errorText } from "#app/api/error-text.ts";
import { signInCopy as copy } from "#app/copy/auth.ts";
import { timeText } from "#app/format/dates.ts";

/** The identity service's answer to correct credentials: a session, or a second-factor challenge. */
export type SignInAnswer = ResultOf<"POST identity/sign-in">;

export type Credentials = { email: string; password: string; rememberMe: boolean };

/** Sends the credentials to the identity service. This is the first call (spec A-227). */
export async function signInCall({ email, password, rememberMe }: Credentials): Promise<SignInAnswer> {
  const body = { email, password, remember_me: rememberMe };
  return (await callApi("POST identity/sign-in", body)).result;
}

/** When the second-factor challenge expires, in epoch ms; used on the return from a federated sign-in. */
export async function challengeCall(): Promise<number> {
  return (await callApi("GET identity/two-factor/challenge", {})).result.expires_at;
}

/**
 * Answers the challenge with six digits or a recovery code. The browser then has its session. Returns the user's id.
 */
export async function answerCall(code: string): Promise<string> {
  return (await callApi("POST identity/two-factor/answer", { code })).result.user.sub;
}

/** Sends a new confirmation link and returns the outcome. The answer does not reveal whether the address is known. */
export async function resend(email: string): Promise<{ isSent: boolean; text: string }> {
  try {
    await callApi("POST resend-email-verification", { email }, { isQuiet: true });
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
  if (error.status === 429) {
    const { opensAt } = error;
    return {
      kind: "later",
      text: opensAt === null ? errorText(error.message) : copy.limit(timeText(opensAt, ownTimeZone())),
    };
  }
  const isOurFault = error.status === 0 || error.status >= 500;
  return { kind: isOurFault ? "later" : "refused", text: errorText(error.message) };
}

/** The browser's time zone, because nobody is signed in yet. */
function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
