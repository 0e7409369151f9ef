import { recordAction, sessionOccasion } from "#core/audit/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { randomBytes, sha256Hex, toBase64Url } from "#core/kernel/crypto.ts";
import { createOrganisation, reopenAccount } from "#core/organisations/index.ts";
import { formatCookie } from "./cookies.ts";
import type { AccountsDeps } from "./deps.ts";
import { endSessions } from "./end-sessions.ts";
import { readToken } from "./find-member.ts";
import { linkHostAccount } from "./host-account.store.ts";
import { rememberDevice } from "./known-device.ts";
import {
  deleteSession,
  findSessionById,
  findSessionRow,
  insertSession,
  type SignedIn,
} from "./session.store.ts";

/** A session ends this long after sign-in, regardless of activity (decision on sessions). */
export const SESSION_MS = 12 * HOUR_MS;
/** The same for "remember me". Ten idle minutes still end the session. */
export const REMEMBERED_SESSION_MS = 30 * DAY_MS;

const TOKEN_BYTES = 32;

/** A new session with its cookies and token. */
export type NewSession = SignedIn & {
  /** Values for `Set-Cookie`, for browsers. */
  setCookie: string[];
  /** For API clients, to send in `Authorization`. */
  token: string;
};

/**
 * Opens a session for a person who has proved their identity, and writes the login to the audit trail. The token has
 * 256 random bits and is stored as its SHA-256. If the sign-up failed before it created the organisation, creates it. In a
 * host's frame, the person is from then on the one of the host's account. Signing in opens a closed account again.
 * @throws AppError `err.account.closed`, `err.account.closing`
 */
export async function createSession(
  deps: Pick<AccountsDeps, "control" | "clock" | "ids" | "settings">,
  {
    userId,
    isRemembered,
    mayReopen = true,
  }: {
    userId: string;
    isRemembered: boolean;
    /** Whether somebody signs in on purpose. */
    mayReopen?: boolean;
  },
): Promise<NewSession> {
  await reopenAccount(deps, { userId, mayReopen });
  const now = deps.clock.now();
  const expiresAt = now + (isRemembered ? REMEMBERED_SESSION_MS : SESSION_MS);
  const opened = await writeSession(deps, { userId, expiresAt, isRemembered });
  const { member, session } = opened;
  const { FRAME: account } = deps.settings;
  if (account)
    await linkHostAccount(deps.control, {
      account,
      userId,
      organisationId: member.organisationId,
      subscriptionId: deps.ids.next("subscription"),
      now,
    });
  await recordAction(deps, {
    organisationId: member.organisationId,
    userId,
    userName: member.name,
    action: "login",
    occasion: sessionOccasion("login", session.id),
  });
  return opened;
}

/**
 * Replaces a session after the person's rights or secrets changed. The new session has a fresh token and the same
 * absolute end; all other sessions of the person end, including the old one.
 */
export async function rotateSession(
  deps: Pick<AccountsDeps, "control" | "clock" | "ids" | "live" | "settings">,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<NewSession> {
  const old = await findSessionById(deps.control, sessionId);
  const expiresAt = old?.session.expiresAt ?? deps.clock.now() + SESSION_MS;
  const isRemembered = expiresAt - deps.clock.now() > SESSION_MS;
  const opened = await writeSession(deps, { userId, expiresAt, isRemembered });
  await endSessions(deps, { userId, exceptSessionId: opened.session.id });
  return opened;
}

/** Ends the session that the headers still carry, so that a new sign-in does not leave the old session open. */
export async function endCarriedSession(
  deps: Pick<AccountsDeps, "control" | "live" | "settings">,
  headers: Headers,
): Promise<SignedIn | null> {
  const token = readToken(deps, headers);
  if (!token) return null;
  const tokenHash = await sha256Hex(token);
  const carried = await findSessionRow(deps.control, tokenHash);
  if (!carried) return null;
  await deleteSession(deps.control, tokenHash);
  await deps.live.disconnect(carried.member.organisationId, { sessionId: carried.session.id });
  return carried;
}

async function writeSession(
  deps: Pick<AccountsDeps, "control" | "clock" | "ids" | "settings">,
  { userId, expiresAt, isRemembered }: { userId: string; expiresAt: number; isRemembered: boolean },
): Promise<NewSession> {
  const now = deps.clock.now();
  const token = toBase64Url(randomBytes(TOKEN_BYTES));
  const tokenHash = await sha256Hex(token);
  const hostSiteId = deps.settings.FRAME?.siteId ?? null;
  const id = deps.ids.next("session");
  await insertSession(deps.control, { id, tokenHash, userId, expiresAt, now, hostSiteId });
  let signedIn = await findSessionRow(deps.control, tokenHash);
  if (!signedIn) {
    await createOrganisation(deps, { userId });
    signedIn = await findSessionRow(deps.control, tokenHash);
  }
  // The account was closed in this moment.
  if (!signedIn) throw new AppError("err.account.closed");
  const maxAgeMs = isRemembered ? expiresAt - now : null;
  const setCookie = [
    formatCookie(deps, { name: "session_token", value: token, maxAgeMs }),
    formatCookie(deps, { name: "challenge", value: "", maxAgeMs: 0 }),
    await rememberDevice(deps, signedIn.member.email),
  ];
  return { ...signedIn, setCookie, token };
}
