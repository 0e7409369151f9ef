import type { SQL } from "drizzle-orm";
import { queueMail } from "#core/mail/index.ts";
import type { AccountsDeps } from "./deps.ts";
import { sealVerification } from "./verification-link.ts";

/** What e-mail, and where the database decides whether it is written. */
type Order = { email: string; occasion: string; when?: SQL };

/** The e-mail with the link that confirms the address of a sign-up. */
export async function prepareVerification(
  deps: AccountsDeps,
  {
    id,
    expiresAt,
    isForgotten = false,
    email,
    ...order
  }: Order & { id: string; expiresAt: number; isForgotten?: boolean },
) {
  return queueMail(deps, {
    ...order,
    organisationId: null,
    recipient: email,
    message: "verify-email",
    data: { url: await sealVerification(deps, { id, isForgotten, expiresAt }), isForgotten },
  });
}

/** The e-mail that tells somebody that they have an account already, with the ways into it. */
export function prepareAccountExists(deps: AccountsDeps, { email, ...order }: Order) {
  const { PUBLIC_URL } = deps.settings;
  return queueMail(deps, {
    ...order,
    organisationId: null,
    recipient: email,
    message: "account-exists",
    data: {
      signInUrl: `${PUBLIC_URL}/auth/login`,
      recoverUrl: `${PUBLIC_URL}/auth/password-recovery`,
    },
  });
}
