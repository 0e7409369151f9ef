import { APIError } from "better-auth/api";
import { AppError } from "#core/kernel/app-error.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { createOrganisation } from "#core/organisations/index.ts";
import { createAuth } from "./auth.ts";
import type { AccountsDeps } from "./deps.ts";
import type { SignedIn } from "./find-member.ts";
import type { SignIn } from "./password.schema.ts";
import { countAttempt, findSessionRow, forgetAttempts } from "./session.store.ts";

/** At most this many passwords are checked per address in one window: guessing and 70 ms of CPU each are dear. */
const PASSWORD_CHECKS = 10;
const PASSWORD_WINDOW_MS = 15 * MINUTE_MS;

/** What a new session gives its holder. */
export type NewSession = SignedIn & {
  /** Values for `Set-Cookie`, for browsers. */
  setCookie: string[];
  /** For API clients, to be sent in `Authorization`. */
  token: string;
};

/**
 * Opens a session for e-mail and password. Unknown addresses and wrong passwords are answered alike, in the same
 * time: the library hashes either way.
 * @throws AppError `err.credentials.wrong`, `err.credentials.limit`
 */
export async function signIn(
  deps: AccountsDeps,
  { email, password, rememberMe }: SignIn,
): Promise<NewSession> {
  const attempts = `password-checks:${await sha256Hex(email)}`;
  await limitAttempts(deps, attempts);
  const auth = createAuth(deps, { isRemembered: rememberMe });
  const { headers, response } = await auth.api
    .signInEmail({ body: { email, password, rememberMe }, returnHeaders: true })
    .catch((cause: unknown) => {
      if (cause instanceof APIError && cause.statusCode < 500) {
        throw new AppError("err.credentials.wrong", { cause });
      }
      throw cause;
    });
  await forgetAttempts(deps.control, attempts);
  // Mends a sign-up that ended between the person and their organisation.
  const signedIn =
    (await readSession(deps, response.token)) ??
    (await createOrganisation(deps, { userId: response.user.id, name: response.user.name }).then(() =>
      readSession(deps, response.token),
    ));
  invariant(signedIn, "a session that was just opened has a member");
  return { ...signedIn, setCookie: headers.getSetCookie(), token: response.token };
}

/** Reads the session just made, with its member. */
export async function readSession(
  deps: Pick<AccountsDeps, "control">,
  token: string,
): Promise<SignedIn | null> {
  return findSessionRow(deps.control, await sha256Hex(token));
}

/** Counts a password check. @throws AppError `err.credentials.limit` with `opensAt` */
async function limitAttempts(deps: AccountsDeps, key: string): Promise<void> {
  const { count, endsAt } = await countAttempt(deps.control, {
    key,
    now: deps.clock.now(),
    windowMs: PASSWORD_WINDOW_MS,
  });
  if (count > PASSWORD_CHECKS) throw new AppError("err.credentials.limit", { details: { opensAt: endsAt } });
}
