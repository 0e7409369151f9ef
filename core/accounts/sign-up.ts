import { APIError } from "better-auth/api";
import { AppError } from "#core/kernel/app-error.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { createOrganisation } from "#core/organisations/index.ts";
import { createAuth } from "./auth.ts";
import type { AccountsDeps } from "./deps.ts";
import type { SignUp } from "./password.schema.ts";
import { isEmailTaken } from "./session.store.ts";
import { type NewSession, readSession } from "./sign-in.ts";

/**
 * Makes a person, their organisation with its vault key, and a session. Person and organisation are two steps;
 * a sign-up that ends between them is mended by the first sign-in.
 * @throws AppError `err.email.taken`
 */
export async function signUp(deps: AccountsDeps, { name, email, password }: SignUp): Promise<NewSession> {
  const auth = createAuth(deps, { isRemembered: false });
  const { headers, response } = await auth.api
    .signUpEmail({ body: { name, email, password, rememberMe: false }, returnHeaders: true })
    .catch(async (cause: unknown) => {
      if (cause instanceof APIError && (await isEmailTaken(deps.control, email))) {
        throw new AppError("err.email.taken", { cause });
      }
      throw cause;
    });
  invariant(response.token, "sign-up opens a session");
  await createOrganisation(deps, { userId: response.user.id, name });
  const signedIn = await readSession(deps, response.token);
  invariant(signedIn, "a person who just signed up has a session");
  return { ...signedIn, setCookie: headers.getSetCookie(), token: response.token };
}
