import { DAY_MS } from "#core/kernel/clock.ts";
import {
  equalBytes,
  fromBase64Url,
  hmacSha256,
  randomBytes,
  toBase64Url,
  utf8,
} from "#core/kernel/crypto.ts";
import { formatCookie, readCookie } from "./cookies.ts";
import type { AccountsDeps } from "./deps.ts";

type DeviceDeps = Pick<AccountsDeps, "settings">;

const NAME = "device";
const KEPT_MS = 365 * DAY_MS;
/** A nonce and its MAC. */
const VALUE = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

/**
 * A cookie that marks a browser in which someone has signed in to the account. Only the attempt limits use it; it
 * grants no access. It is a nonce and a MAC over the nonce and the account's e-mail address, so nothing is stored and
 * the cookie of another account does not match.
 */
export async function rememberDevice(deps: DeviceDeps, email: string): Promise<string> {
  const nonce = toBase64Url(randomBytes(16));
  const mac = toBase64Url(await deviceMac(deps, email, nonce));
  return formatCookie(deps, { name: NAME, value: `${nonce}.${mac}`, maxAgeMs: KEPT_MS });
}

/** True when someone has signed in to the account in this browser before. */
export async function isKnownDevice(
  deps: DeviceDeps,
  { email, headers }: { email: string; headers: Headers },
): Promise<boolean> {
  const [, nonce, mac] = VALUE.exec(readCookie(deps, headers, NAME) ?? "") ?? [];
  if (nonce === undefined || mac === undefined) return false;
  return equalBytes(await deviceMac(deps, email, nonce), fromBase64Url(mac));
}

function deviceMac(deps: DeviceDeps, email: string, nonce: string): Promise<Uint8Array> {
  return hmacSha256(utf8(deps.settings.AUTH_SECRET), utf8(`known device\n${email}\n${nonce}`));
}
