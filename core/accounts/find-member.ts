import { MINUTE_MS } from "#core/kernel/clock.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import { readCookie } from "./cookies.ts";
import type { AccountsDeps } from "./deps.ts";
import { deleteSession, findSessionRow, type SignedIn, touchSession } from "./session.store.ts";

/** An unused session ends after this time (spec part 1 section 9). */
export const SESSION_IDLE_MS = 10 * MINUTE_MS;

/** Minimum time between two writes of a session's last use. */
const TOUCH_MS = MINUTE_MS;

type FindDeps = Pick<AccountsDeps, "control" | "clock" | "settings">;

/**
 * The member whose session token these headers carry: in `Authorization`, with or without `Bearer`, or in the session
 * cookie. The header takes precedence. Returns null when the token is missing or unknown, or when the session has been
 * idle for ten minutes or has reached its absolute end.
 */
export async function findMember(deps: FindDeps, headers: Headers): Promise<SignedIn | null> {
  const token = readToken(deps, headers);
  if (!token) return null;
  const tokenHash = await sha256Hex(token);
  const row = await findSessionRow(deps.control, tokenHash);
  if (!row) return null;
  const now = deps.clock.now();
  const isIdle = now - row.session.lastActiveAt > SESSION_IDLE_MS;
  if (isIdle || now >= row.session.expiresAt) {
    await deleteSession(deps.control, tokenHash);
    return null;
  }
  if (now - row.session.lastActiveAt >= TOUCH_MS) {
    await touchSession(deps.control, { id: row.session.id, now });
    row.session.lastActiveAt = now;
  }
  return row;
}

/** The format of a token. Anything else is rejected without a query. */
const TOKEN = /^[A-Za-z0-9_-]{20,100}$/;

/** The session token in the headers; null when there is none. */
export function readToken(deps: Pick<AccountsDeps, "settings">, headers: Headers): string | null {
  const authorization = headers.get("Authorization")?.trim();
  const text = authorization
    ? authorization.replace(/^Bearer\s+/i, "")
    : readCookie(deps, headers, "session_token");
  return text && TOKEN.test(text) ? text : null;
}
