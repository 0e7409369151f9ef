import { AppError } from "#core/kernel/app-error.ts";
import type { SealedLink } from "#core/links/index.ts";
import { becomePerson } from "./become-person.ts";
import type { AccountsDeps } from "./deps.ts";
import type { Names, NewPassword } from "./password.schema.ts";
import { hashPassword } from "./passwords.ts";
import { findCredentialByEmail, findCredentialById } from "./people.store.ts";
import { findSignUpById, type WaitingSignUp } from "./sign-up.store.ts";
import { isSignUpBrowser } from "./sign-up-browser.ts";
import { openVerification } from "./verification-link.ts";

type ConfirmDeps = Pick<AccountsDeps, "control" | "clock" | "ids" | "settings">;

/** What opening a confirmation link leads to. */
export type Confirmation =
  | { kind: "confirmed" }
  /** Nothing was changed yet: whoever holds the link chooses the password, since anybody may have typed the one there is. */
  | { kind: "password_needed"; email: string; name: string; familyName: string };

/**
 * Makes the account of a sign-up, in the browser in which it was made: there the password is the visitor's own. In any
 * other one it only says that a password is needed, so that neither a stranger's sign-up nor a mail scanner opens an
 * account.
 * @throws AppError `err.link.purpose` for anything that is no such link, too old, or replaced by a later sign-up;
 * `err.link.used`, `err.email.taken`
 */
export async function confirmEmail(
  deps: ConfirmDeps,
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
 * Makes the account of a sign-up with the password and names that the holder of its link chooses; who typed the ones
 * there were is of no matter. Of two at once the first counts.
 * @throws AppError as `confirmEmail`
 */
export async function completeSignUp(
  deps: ConfirmDeps,
  { link, password, ...names }: { link: SealedLink; password: NewPassword } & Names,
): Promise<void> {
  const { id } = (await findWaiting(deps, link)).waiting;
  const chosen = { ...names, passwordHash: await hashPassword(password) };
  if (!(await becomePerson(deps, { id, chosen }))) throw await refusalOf(deps, id);
}

async function findWaiting(
  deps: ConfirmDeps,
  link: SealedLink,
): Promise<{ waiting: WaitingSignUp; isForgotten: boolean }> {
  const { id, isForgotten } = await openVerification(deps, link);
  const waiting = await findSignUpById(deps.control, { id, now: deps.clock.now() });
  if (!waiting || (await findCredentialByEmail(deps.control, waiting.email))) throw await refusalOf(deps, id);
  return { waiting, isForgotten };
}

/** Why nothing came of a sign-up. Whoever holds its link reads the mailbox, so they may know who has the address. */
async function refusalOf(deps: ConfirmDeps, id: string): Promise<AppError> {
  if (await findCredentialById(deps.control, id)) return new AppError("err.link.used");
  const isThere = await findSignUpById(deps.control, { id, now: deps.clock.now() });
  return new AppError(isThere ? "err.email.taken" : "err.link.purpose");
}
