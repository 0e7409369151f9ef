import { randomBytes, sha256Hex, toBase64Url } from "#core/kernel/crypto.ts";
import { formatCookie, readCookie } from "./cookies.ts";
import type { AccountsDeps } from "./deps.ts";

const NAME = "sign_up";

/**
 * A secret that identifies the browser in which a person signs up. Each sign-up gets a new one, because an earlier user
 * of the browser may know the secret it already holds.
 */
export async function markSignUpBrowser(
  deps: Pick<AccountsDeps, "settings">,
  { maxAgeMs }: { maxAgeMs: number },
): Promise<{ browserHash: string; setCookie: string[] }> {
  const secret = toBase64Url(randomBytes(32));
  const setCookie = [formatCookie(deps, { name: NAME, value: secret, maxAgeMs })];
  return { browserHash: await sha256Hex(secret), setCookie };
}

/** True in the browser that made this sign-up, unless it has made another one since. */
export async function isSignUpBrowser(
  deps: Pick<AccountsDeps, "settings">,
  { headers, browserHash }: { headers: Headers; browserHash: string | null },
): Promise<boolean> {
  const secret = readCookie(deps, headers, NAME);
  return secret !== null && (await sha256Hex(secret)) === browserHash;
}
