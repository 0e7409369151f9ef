import { randomBytes, sha256Hex, toBase64Url } from "#core/kernel/crypto.ts";
import { formatCookie, readCookie } from "./cookies.ts";
import type { AccountsDeps } from "./deps.ts";

const NAME = "sign_up";

/**
 * A secret that tells the browser in which somebody signs up from every other one. It is made anew each time: one that is
 * brought may be known to whoever used the browser before.
 */
export async function markSignUpBrowser(
  deps: Pick<AccountsDeps, "settings">,
  { maxAgeMs }: { maxAgeMs: number },
): Promise<{ browserHash: string; setCookie: string[] }> {
  const secret = toBase64Url(randomBytes(32));
  const setCookie = [formatCookie(deps, { name: NAME, value: secret, maxAgeMs })];
  return { browserHash: await sha256Hex(secret), setCookie };
}

/** True in the browser in which that sign-up was made, unless another one was made there since. */
export async function isSignUpBrowser(
  deps: Pick<AccountsDeps, "settings">,
  { headers, browserHash }: { headers: Headers; browserHash: string | null },
): Promise<boolean> {
  const secret = readCookie(deps, headers, NAME);
  return secret !== null && (await sha256Hex(secret)) === browserHash;
}
