import { DAY_MS } from "#core/kernel/clock.ts";
import { randomBytes, sha256Hex, toBase64Url } from "#core/kernel/crypto.ts";

/** Maximum number of invited people per organisation, including those who joined (spec part 1 section 6). */
export const MOST_INVITEES = 10;
/** How long an invitation is valid. */
export const INVITATION_DAYS = 7;
export const INVITATION_MS = INVITATION_DAYS * DAY_MS;
/** Maximum tries of a code before its invitation no longer works. */
export const MOST_CODE_ATTEMPTS = 10;
/** Maximum invitations per organisation and day, so that inviting and removing in turn cannot flood a mailbox. */
export const MOST_INVITATIONS_A_DAY = 30;

const SECRET_BYTES = 32;
const CODE = /^(inv_[0-9a-z]{16,40})\.[A-Za-z0-9_-]{43}$/;

/**
 * Creates the code for the e-mail: the invitation's id and 256 random bits. With the id in it, a wrong code counts
 * against that invitation only, and nobody can use up the tries of an address they merely know.
 */
export async function createInvitationCode(id: string): Promise<{ code: string; codeHash: string }> {
  const code = `${id}.${toBase64Url(randomBytes(SECRET_BYTES))}`;
  return { code, codeHash: await sha256Hex(code) };
}

/** Parses a code into the invitation's id and the code's hash. Null when it does not have the form of a code. */
export async function readInvitationCode(code: string): Promise<{ id: string; codeHash: string } | null> {
  const id = CODE.exec(code.trim())?.[1];
  return id ? { id, codeHash: await sha256Hex(code.trim()) } : null;
}
