import { ApiError, type CallApi, type ResultOf } from "#app/api/call-api.ts";
import { errorText } from "#app/api/error-text.ts";
import { verifyCopy as copy } from "#app/copy/auth.ts";

/** The two values of a confirmation link. */
export type Link = { iv: string; content: string };

/** The path after a confirmed e-mail (spec A-147). */
export const CONFIRMED_PATH = "/auth/login?isConfirmed=true";

type Answer = ResultOf<"POST email-verification">;

/** A sign-up from another browser that still needs a password. */
export type Waiting = Extract<Answer, { kind: "password_needed" }>;

/** The outcome of a link. */
export type Verdict = Answer | { kind: "failed"; text: string };

/** Sends the link's values. Never throws (spec ). */
export async function verify(call: CallApi, link: Link): Promise<Verdict> {
  try {
    return (await call("POST email-verification", link, { isQuiet: true })).result;
  } catch (cause) {
    const isShown = cause instanceof ApiError && cause.code !== "err.internal" && cause.message !== "";
    return { kind: "failed", text: isShown ? errorText(cause.message) : copy.somethingWrong };
  }
}
