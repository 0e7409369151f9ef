import { AppError } from "#core/kernel/app-error.ts";
import type { SealedLink } from "#core/links/index.ts";
import { becomePerson } from "./become-person.ts";
import type { AccountsDeps } from "./deps.ts";
import type { Names, NewPassword } from "./password.schema.ts";
import { findCredentialByEmail, findCredentialById } from "./people.store.ts";
import { findSignUpById, type WaitingSignUp } from "./sign-up.store.ts";
import { isSignUpBrowser } from "./sign-up-browser.ts";
import { openVerification } from "./verification-link.ts";

/** The result of opening a confirmation link. */
export type Confirmation =
  | { kind: "confirmed" }
  /** Nothing has changed yet. The link's holder must choose a password: anyone may have typed the current one. */
  | { kind: "password_needed"; email: string; name: string; familyName: string };

/**
 * Creates the account of a sign-up if the link is opened in the browser that signed up, where the password is known to
 * be the visitor's own. In any other browser it only reports that a password is needed, so that neither a stranger's
 * sign-up nor a mail scanner creates an account.
 * @throws AppError `err.link.purpose` when the link is malformed, expired, or replaced by a later sign-up;
 * `err.link.used`, `err.email.taken`
 */
export async function confirmEmail(
  deps: Pick<AccountsDeps, "control" | "clock" | "ids" | "settings">,
  link: SealedLink,
  headers: Headers = new Headers(),
): Promise<Confirmation> {
  const { waiting, isForgotten } = await findWaiting(deps, link);
  const { id, email, name, familyName, browserHash } = waiting;
  if (isForgotten || !(await isSignUpBrowser(deps, { headers, browserHash }))) {
    return { kind: "password_needed", email, name, familyName };
  }
  if (!(await becomePerson(deps, { id }))) throw await refusalOf(deps, id);
  return { kind: "confirmed" };
}

/**
 * Creates the account of a sign-up with the password and names that the link's holder chooses. They replace those typed
 * at sign-up, whoever typed them. Of two simultaneous calls, the first takes effect.
 * @throws AppError as `confirmEmail`
 */
export async function completeSignUp(
  deps: Pick<AccountsDeps, "control" | "clock" | "ids" | "passwords" | "settings">,
  { link, password, ...names }: { link: SealedLink; password: NewPassword } & Names,
): Promise<void> {
  const { id } = (await findWaiting(deps, link)).waiting;
  const chosen = { ...names, passwordHash: await deps.passwords.hash(password) };
  if (!(await becomePerson(deps, { id, chosen }))) throw await refusalOf(deps, id);
}

async function findWaiting(
  deps: Pick<AccountsDeps, "control" | "clock" | "settings">,
  link: SealedLink,
): Promise<{ waiting: WaitingSignUp; isForgotten: boolean }> {
  const { id, isForgotten } = await openVerification(deps, link);
  const waiting = await findSignUpById(deps.control, { id, now: deps.clock.now() });
  if (!waiting || (await findCredentialByEmail(deps.control, waiting.email))) throw await refusalOf(deps, id);
  return { waiting, isForgotten };
}

/** Why a sign-up could not be completed. The link's holder reads the mailbox, so they may learn that it is taken. */
async function refusalOf(deps: Pick<AccountsDeps, "control" | "clock">, id: string): Promise<AppError> {
  if (await findCredentialById(deps.control, id)) return new AppError("err.link.used");
  const isThere = await findSignUpById(deps.control, { id, now: deps.clock.now() });
  return new AppError(isThere ? "err.email.taken" : "err.link.purpose");
}
