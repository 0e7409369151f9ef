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
  if (isSessionOver(row, now)) {
    await deleteSession(deps.control, tokenHash);
    return null;
  }
  if (isUseToNote(row, now)) {
    await touchSession(deps.control, { id: row.session.id, now });
    row.session.lastActiveAt = now;
  }
  return row;
}

/** True for a session that was idle for ten minutes or has reached its absolute end. */
export function isSessionOver({ session }: Pick<SignedIn, "session">, now: number): boolean {
  return now - session.lastActiveAt > SESSION_IDLE_MS || now >= session.expiresAt;
}

/** True when the last noted use of the session is so old that this one must be noted. */
export function isUseToNote({ session }: Pick<SignedIn, "session">, now: number): boolean {
  return now - session.lastActiveAt >= TOUCH_MS;
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
