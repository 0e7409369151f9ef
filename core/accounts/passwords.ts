import { hashPassword as hash, verifyPassword } from "better-auth/crypto";

/** A well-formed hash that no password has, in the form of the real ones. */
const NOBODYS_HASH = `${"0".repeat(32)}:${"0".repeat(128)}`;

/** Hashes a password with the identity library's scrypt, which the runtime computes natively. */
export const hashPassword: (password: string) => Promise<string> = hash;

/** True when the password is the hash's. Without a hash the same work is done, so that the time tells nothing. */
export async function checkPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const isRight = await verifyPassword({ hash: passwordHash ?? NOBODYS_HASH, password });
  return isRight && passwordHash !== null;
}
