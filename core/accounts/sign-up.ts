import { sendVerification } from "./confirm-email.ts";
import { createPerson } from "./create-person.ts";
import type { AccountsDeps } from "./deps.ts";
import { countForAddress, SIGN_UPS } from "./limits.ts";
import type { SignUp } from "./password.schema.ts";

/**
 * Makes an account that opens once its e-mail address is confirmed; the link goes out by e-mail. There is no session
 * yet. `isAutoConfirmed` counts only where this installation itself is embedded (RESTRICTED_MODE): elsewhere anybody
 * could confirm another's address with it.
 * @throws AppError `err.email.taken`, `err.attempts.limit`
 */
export async function signUp(
  deps: AccountsDeps,
  { name, familyName, email, password, statedCreatedAt, isAutoConfirmed }: SignUp,
  headers: Headers = new Headers(),
): Promise<{ isConfirmed: boolean }> {
  await countForAddress(deps, SIGN_UPS, headers);
  const isConfirmed = deps.settings.RESTRICTED_MODE === "on" && isAutoConfirmed === true;
  const { userId } = await createPerson(deps, {
    email,
    name,
    familyName,
    password,
    statedCreatedAt: statedCreatedAt ?? null,
    isEmailVerified: isConfirmed,
    isAutoConfirmed: isConfirmed,
  });
  if (!isConfirmed) await sendVerification(deps, { userId, email, occasion: `verify-email:${userId}` });
  return { isConfirmed };
}
