import { AppError } from "#core/kernel/app-error.ts";
import { HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import type { ErrorCode } from "#core/kernel/error-codes.ts";
import type { AccountsDeps } from "./deps.ts";
import { isKnownDevice } from "./known-device.ts";
import { countAttempt, discountAttempt } from "./session.store.ts";

/*
 * Limits on attempts. Guesses are counted per account, so that using many network addresses does not help. A browser
 * that has signed in to the account before has its own count, so that strangers who use up the account's guesses do not
 * lock its owner out (OWASP "device cookies"). Requests that send an e-mail or create an account are also counted per
 * network address.
 */
export type Limit = { name: string; most: number; windowMs: number; code: ErrorCode };

const WINDOW_MS = 15 * MINUTE_MS;

/** Password checks per account: guesses must be few, and each check costs CPU time (bar S4). */
export const PASSWORD_CHECKS: Limit = {
  name: "password-checks",
  most: 10,
  windowMs: WINDOW_MS,
  code: "err.credentials.limit",
};
/** Password checks per network address, over all accounts. */
export const PASSWORD_CHECKS_OF_ADDRESS: Limit = { ...PASSWORD_CHECKS, name: "password-address", most: 100 };
/** Second-factor checks per account. */
export const FACTOR_CHECKS: Limit = {
  name: "factor-checks",
  most: 10,
  windowMs: WINDOW_MS,
  code: "err.attempts.limit",
};
/** Sign-ups per network address. */
export const SIGN_UPS: Limit = { name: "sign-ups", most: 20, windowMs: HOUR_MS, code: "err.attempts.limit" };
/** E-mails that one network address may request for others. */
export const MAIL_REQUESTS: Limit = { ...SIGN_UPS, name: "mail-requests" };
/** E-mails of one kind per recipient. */
const MAILS_TO_RECIPIENT: Limit = {
  name: "mails-to",
  most: 5,
  windowMs: WINDOW_MS,
  code: "err.attempts.limit",
};
/** Recovery codes that one network address may try, over all accounts. */
export const RECOVERIES: Limit = {
  name: "recoveries",
  most: 30,
  windowMs: WINDOW_MS,
  code: "err.attempts.limit",
};

type LimitDeps = Pick<AccountsDeps, "control" | "clock">;

/** Uncounts an attempt that turned out not to be a guess. */
export type Refund = () => Promise<void>;

/**
 * Counts an attempt before it is made, so that simultaneous attempts cannot exceed the limit.
 * @throws AppError the limit's code, with `opensAt` in epoch ms
 */
export async function countOrRefuse(deps: LimitDeps, limit: Limit, subject: string): Promise<Refund> {
  const key = `${limit.name}:${await sha256Hex(subject)}`;
  const { count, endsAt } = await countAttempt(deps.control, {
    key,
    now: deps.clock.now(),
    windowMs: limit.windowMs,
  });
  if (count > limit.most) throw new AppError(limit.code, { details: { opensAt: endsAt } });
  return () => discountAttempt(deps.control, key);
}

/** `countOrRefuse` for an account, by its e-mail address. A browser known to the account has its own count. */
export async function countForAccount(
  deps: LimitDeps & Pick<AccountsDeps, "settings">,
  limit: Limit,
  { email, headers }: { email: string; headers: Headers },
): Promise<Refund> {
  const isKnown = await isKnownDevice(deps, { email, headers });
  return countOrRefuse(deps, limit, isKnown ? `known device of ${email}` : email);
}

/** `countOrRefuse` for the client's network address. Loopback and requests without an address are not counted. */
export async function countForAddress(deps: LimitDeps, limit: Limit, headers: Headers): Promise<Refund> {
  const address = networkOf(headers.get("CF-Connecting-IP"));
  return address === null ? async () => undefined : countOrRefuse(deps, limit, address);
}

/**
 * Whether another e-mail of this kind may go to the recipient. Anyone may request one for any address, so beyond the
 * limit the response stays the same and nothing is sent.
 */
export async function mayMail(
  deps: LimitDeps & Pick<AccountsDeps, "settings">,
  { kind, ...recipient }: { kind: string; email: string; headers: Headers },
): Promise<boolean> {
  const limit = { ...MAILS_TO_RECIPIENT, name: `${MAILS_TO_RECIPIENT.name}:${kind}` };
  try {
    await countForAccount(deps, limit, recipient);
    return true;
  } catch (cause) {
    if (cause instanceof AppError && cause.code === limit.code) return false;
    throw cause;
  }
}

/** The address to count. IPv6 addresses count by their /64, because one customer has all of it. Null for loopback. */
function networkOf(address: string | null): string | null {
  const text = address?.trim().toLowerCase() ?? "";
  if (text === "" || text === "::1" || /^(::ffff:)?127\./.test(text)) return null;
  if (!text.includes(":") || text.startsWith("::ffff:")) return text;
  const [head = "", tail] = text.split("::");
  const groups = head === "" ? [] : head.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === "" ? 0 : tail.split(":").length);
  const whole = [
    ...groups,
    ...Array<string>(Math.max(0, missing)).fill("0"),
    ...(tail ? tail.split(":") : []),
  ];
  return whole
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}
