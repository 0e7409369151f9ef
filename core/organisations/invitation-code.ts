import { DAY_MS } from "#core/kernel/clock.ts";
import { randomBytes, sha256Hex, toBase64Url } from "#core/kernel/crypto.ts";

/** How many people an organisation may invite; those who joined count too (spec part 1 section 6). */
export const MOST_INVITEES = 10;
/** An invitation counts this long. */
export const INVITATION_DAYS = 7;
export const INVITATION_MS = INVITATION_DAYS * DAY_MS;
/** Wrong codes that one invitation takes before it opens no more. */
export const MOST_CODE_ATTEMPTS = 10;
/** Invitations that an organisation may send within a day: inviting and removing must not flood a mailbox. */
export const MOST_INVITATIONS_A_DAY = 30;

const SECRET_BYTES = 32;
const CODE = /^(inv_[0-9a-z]{20,40})\.[A-Za-z0-9_-]{43}$/;

/**
 * A code for the e-mail: the invitation's id and 256 random bits. The id is in it so that a wrong code is held against
 * that one invitation, and nobody can use up the tries of an address they merely know.
 */
export async function createInvitationCode(id: string): Promise<{ code: string; codeHash: string }> {
  const code = `${id}.${toBase64Url(randomBytes(SECRET_BYTES))}`;
  return { code, codeHash: await sha256Hex(code) };
}

/** The invitation that a code speaks of, and its hash; null when it has not the form of a code. */
export async function readInvitationCode(code: string): Promise<{ id: string; codeHash: string } | null> {
  const id = CODE.exec(code.trim())?.[1];
  return id ? { id, codeHash: await sha256Hex(code.trim()) } : null;
}
