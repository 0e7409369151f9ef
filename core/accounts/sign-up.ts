import { DAY_MS } from "#core/kernel/clock.ts";
import { becomePerson } from "./become-person.ts";
import type { AccountsDeps } from "./deps.ts";
import { countForAddress, mayMail, SIGN_UPS } from "./limits.ts";
import type { SignUp } from "./password.schema.ts";
import { hashPassword } from "./passwords.ts";
import { hasNobody, hasPerson, upsertSignUp } from "./sign-up.store.ts";
import { markSignUpBrowser } from "./sign-up-browser.ts";
import { prepareAccountExists, prepareVerification } from "./sign-up-mails.ts";

/** Who has not confirmed by then has not signed up: as long as an invitation counts. */
export const SIGN_UP_MS = 7 * DAY_MS;

/**
 * Keeps a sign-up until its address is confirmed, and sends the link; there is no person and no session yet. A later one
 * for the address takes its place and voids its links. Whoever has the address already is told by e-mail. Which of the
 * two it is, the database decides, so that status, body and work of the answer are the same.
 *
 * `isAutoConfirmed` counts only where this installation itself is embedded (RESTRICTED_MODE): elsewhere anybody could
 * confirm another's address with it.
 * @returns cookies that mark the browser: in it the link asks for no password
 * @throws AppError `err.attempts.limit` for the network that asks, never for the recipient
 */
export async function signUp(
  deps: AccountsDeps,
  { password, statedCreatedAt, isAutoConfirmed, ...names }: SignUp,
  headers: Headers = new Headers(),
): Promise<{ isConfirmed: boolean; setCookie: string[] }> {
  await countForAddress(deps, SIGN_UPS, headers);
  const isConfirmed = deps.settings.RESTRICTED_MODE === "on" && isAutoConfirmed === true;
  const { email } = names;
  const passwordHash = await hashPassword(password);
  const { browserHash, setCookie } = await markSignUpBrowser(deps, { maxAgeMs: SIGN_UP_MS });
  if (!(await mayMail(deps, { kind: "verify-email", email, headers }))) return { isConfirmed, setCookie };

  const id = deps.ids.next("user");
  const createdAt = deps.clock.now();
  const expiresAt = createdAt + SIGN_UP_MS;
  const occasion = `sign-up:${id}`;
  const told = await prepareAccountExists(deps, { email, occasion, when: hasPerson(email) });
  const link = await prepareVerification(deps, { id, email, expiresAt, occasion, when: hasNobody(email) });
  const row = { ...names, id, passwordHash, browserHash, expiresAt };
  await deps.control.batch([
    upsertSignUp(deps.control, { ...row, statedCreatedAt: statedCreatedAt ?? null, createdAt }),
    told.statement,
    ...(isConfirmed ? [] : [link.statement]),
  ]);
  await deps.queue.send([told.job, link.job]);
  if (isConfirmed) await becomePerson(deps, { id, isAutoConfirmed: true });
  return { isConfirmed, setCookie };
}
