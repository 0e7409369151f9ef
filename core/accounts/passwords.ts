import { scrypt } from "node:crypto";
import { equalBytes, fromHex, randomBytes, toHex } from "#core/kernel/crypto.ts";
import { invariant } from "#core/kernel/invariant.ts";

/**
 * The scrypt (RFC 7914) cost N of every stored hash: 32 MiB and about 60 ms of CPU each, more than OWASP recommends.
 * Changing it locks out everyone who has a password.
 */
const COST = 16384;
/** The runtime refuses more: twice what that cost takes. */
const MOST_MEMORY_BYTES = 64 * 1024 * 1024;
const KEY_BYTES = 64;
const SALT_BYTES = 16;

/** A salt and a key, both hexadecimal. */
const STORED = /^([0-9a-f]{32}):([0-9a-f]{128})$/;
/** A well-formed hash that no password has. */
const NOBODYS_HASH = `${"0".repeat(32)}:${"0".repeat(128)}`;

/** Hashes passwords and checks them against stored hashes. */
export type Passwords = {
  /** Hashes a password for storage, with its own salt. */
  hash: (password: string) => Promise<string>;
  /** True when the password matches the hash. Without a hash it does the same work, so that timing reveals nothing. */
  check: (passwordHash: string | null, password: string) => Promise<boolean>;
};

/**
 * Passwords hashed with scrypt, which the runtime computes natively.
 * @param cost Lower in tests that make hundreds of hashes. A hash verifies only at the cost it was made with.
 */
export function scryptPasswords(cost = COST): Passwords {
  return {
    hash: async (password) => {
      const salt = toHex(randomBytes(SALT_BYTES));
      return `${salt}:${toHex(await deriveKey(password, salt, cost))}`;
    },
    check: async (passwordHash, password) => {
      const [, salt = "", key = ""] = STORED.exec(passwordHash ?? NOBODYS_HASH) ?? [];
      invariant(key !== "", "a stored password hash has the form of one");
      const isRight = equalBytes(await deriveKey(password, salt, cost), fromHex(key));
      return isRight && passwordHash !== null;
    },
  };
}

/** Uses the salt's hexadecimal text, not its bytes, because the stored hashes were made that way. */
function deriveKey(password: string, salt: string, N: number): Promise<Uint8Array> {
  const options = { N, r: 16, p: 1, maxmem: MOST_MEMORY_BYTES };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
