import { callApi } from "#app/api/call-api.ts";
import { lastPageOf } from "#app/session/last-page.ts";
import { beginSession, browserStores, endMarker } from "#app/session/marker.ts";
import { safeNext } from "#app/session/safe-next.ts";
import { type Entered, enter } from "./enter.ts";
import { domainSchema, loginFormSchema } from "./form.schema.ts";
import { oweStartInfo } from "./owed-start-info.ts";
import { type Credentials, type SignInTrouble, signInCall, troubleOf } from "./sign-in-calls.ts";

/* Code that the sign-in page needs once the user types. Loaded on the first interaction with a field. */

export { answerCall, challengeCall, resend } from "./sign-in-calls.ts";

export type LoginErrors = { email?: readonly string[]; password?: readonly string[] };

/** Parses the form. Returns errors by field when it cannot be submitted. */
export function readLogin(form: FormData): { credentials: Credentials | null; errors: LoginErrors } {
  const read = loginFormSchema.safeParse(Object.fromEntries(form));
  if (read.success) return { credentials: read.data, errors: {} };
  const errors: Record<string, string[]> = {};
  for (const { path, message } of read.error.issues) {
    const field = String(path[0]);
    errors[field] = [...(errors[field] ?? []), message];
  }
  return { credentials: null, errors };
}

/** The typed company domain, or what is wrong with it. */
export function readDomain(typed: unknown): { domain: string } | { error: string | undefined } {
  const read = domainSchema.safeParse(typed);
  return read.success ? { domain: read.data } : { error: read.error.issues[0]?.message };
}

export type Shown =
  | { kind: "session"; sub: string }
  | { kind: "two_factor"; expiresAt: number }
  | { kind: "trouble"; trouble: SignInTrouble };

/** Sends the credentials to the identity service. */
export async function showCredentials(credentials: Credentials): Promise<Shown> {
  try {
    const answer = await signInCall(credentials);
    return answer.kind === "session"
      ? { kind: "session", sub: answer.user.sub }
      : { kind: "two_factor", expiresAt: answer.expires_at };
  } catch (error) {
    return { kind: "trouble", trouble: troubleOf(error, credentials.email) };
  }
}

/** Everything between a successful sign-in and the first page, which is the requested page or the last one seen. */
export async function goIn(
  sub: string,
  { isRemembered, next }: { isRemembered: boolean; next: string | null },
): Promise<{ kind: "in"; to: string } | Exclude<Entered, { kind: "in" }>> {
  const stores = browserStores();
  const entered = await enter({
    call: callApi,
    beginSession: () => void beginSession(stores, { sub, isRemembered, now: Date.now() }),
    endSession: () => endMarker(stores),
    oweStartInfo: () => void oweStartInfo(stores.session),
  });
  if (entered.kind !== "in") return entered;
  return { kind: "in", to: next === null ? (lastPageOf(stores.local, sub) ?? "/") : safeNext(next) };
}
