import type { SQL } from "drizzle-orm";
import { queueMail } from "#core/mail/index.ts";
import type { AccountsDeps } from "./deps.ts";
import { sealVerification } from "./verification-link.ts";

/** An e-mail to queue. With `when`, it is queued only if that SQL condition holds. */
type Order = { email: string; occasion: string; when?: SQL };

/** The e-mail with the link that confirms the address of a sign-up. */
export async function prepareVerification(
  deps: Pick<AccountsDeps, "control" | "clock" | "ids" | "settings">,
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

/** The e-mail that tells a person that they already have an account, with links to sign in or recover the password. */
export function prepareAccountExists(
  deps: Pick<AccountsDeps, "control" | "clock" | "ids" | "settings">,
  { email, ...order }: Order,
) {
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
