import { scrypt } from "node:crypto";
import { equalBytes, fromHex, randomBytes, toHex } from "#core/kernel/crypto.ts";
import { invariant } from "#core/kernel/invariant.ts";

/**
 * scrypt (RFC 7914) as every stored hash was made: 32 MiB and some 60 ms of CPU each, more than OWASP asks for. Changing a
 * figure shuts out everybody who has a password.
 */
const COST = { N: 16384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 };
const KEY_BYTES = 64;
const SALT_BYTES = 16;

/** A salt and a key, both hexadecimal. */
const STORED = /^([0-9a-f]{32}):([0-9a-f]{128})$/;
/** A well-formed hash that no password has. */
const NOBODYS_HASH = `${"0".repeat(32)}:${"0".repeat(128)}`;

/** Hashes a password for keeping, with a salt of its own. The runtime computes it natively. */
export async function hashPassword(password: string): Promise<string> {
  const salt = toHex(randomBytes(SALT_BYTES));
  return `${salt}:${toHex(await deriveKey(password, salt))}`;
}

/** True when the password is the hash's. Without a hash the same work is done, so that the time tells nothing. */
export async function checkPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const [, salt = "", key = ""] = STORED.exec(passwordHash ?? NOBODYS_HASH) ?? [];
  invariant(key !== "", "a stored password hash has the form of one");
  const isRight = equalBytes(await deriveKey(password, salt), fromHex(key));
  return isRight && passwordHash !== null;
}

/** The salt's text is salted with, not its bytes: so the hashes that stand were made. */
function deriveKey(password: string, salt: string): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, KEY_BYTES, COST, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
