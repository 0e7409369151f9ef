import { DAY_MS } from "#core/kernel/clock.ts";
import { becomePerson } from "./become-person.ts";
import type { AccountsDeps } from "./deps.ts";
import { countForAddress, mayMail, SIGN_UPS } from "./limits.ts";
import type { SignUp } from "./password.schema.ts";
import { hasNobody, hasPerson, upsertSignUp } from "./sign-up.store.ts";
import { markSignUpBrowser } from "./sign-up-browser.ts";
import { prepareAccountExists, prepareVerification } from "./sign-up-mails.ts";

/** A sign-up expires after this time if it is not confirmed. An invitation is valid for as long. */
export const SIGN_UP_MS = 7 * DAY_MS;

/**
 * Stores a sign-up until its e-mail address is confirmed, and sends the link. No person or session exists yet. A later
 * sign-up for the address replaces it and voids its links. If the address already has an account, its holder is
 * notified by e-mail instead. The database decides between the two, so that the response has the same status, body and
 * work.
 *
 * `isAutoConfirmed` takes effect only where this installation is embedded (RESTRICTED_MODE), or in a frame whose person a
 * host has named; otherwise anyone could confirm someone else's address with it.
 * @returns cookies that mark the browser, in which the link then asks for no password
 * @throws AppError `err.attempts.limit` for the requesting network address, never for the recipient
 */
export async function signUp(
  deps: AccountsDeps,
  { password, statedCreatedAt, isAutoConfirmed, ...names }: SignUp,
  headers: Headers = new Headers(),
): Promise<{ isConfirmed: boolean; setCookie: string[] }> {
  await countForAddress(deps, SIGN_UPS, headers);
  const isEmbedded = deps.settings.RESTRICTED_MODE === "on" || deps.settings.FRAME !== undefined;
  const isConfirmed = isEmbedded && isAutoConfirmed === true;
  const { email } = names;
  const passwordHash = await deps.passwords.hash(password);
  const { browserHash, setCookie } = await markSignUpBrowser(deps, { maxAgeMs: SIGN_UP_MS });
  if (!(await mayMail(deps, { kind: "verify-email", email, headers }))) return { isConfirmed, setCookie };

  const id = deps.ids.next("user");
  const createdAt = deps.clock.now();
  const expiresAt = createdAt + SIGN_UP_MS;
  const occasion = `sign-up:${id}`;
  const mail = await prepareAccountExists(deps, { email, occasion, when: hasPerson(email) });
  const link = await prepareVerification(deps, { id, email, expiresAt, occasion, when: hasNobody(email) });
  const row = { ...names, id, passwordHash, browserHash, expiresAt };
  await deps.control.batch([
    upsertSignUp(deps.control, { ...row, statedCreatedAt: statedCreatedAt ?? null, createdAt }),
    mail.statement,
    ...(isConfirmed ? [] : [link.statement]),
  ]);
  await deps.queue.send([mail.job, link.job]);
  if (isConfirmed) await becomePerson(deps, { id, isAutoConfirmed: true });
  return { isConfirmed, setCookie };
}
