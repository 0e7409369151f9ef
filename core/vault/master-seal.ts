import { fromUtf8, hkdfSha256, toBase64Url, utf8 } from "#core/kernel/crypto.ts";
import { decodeSealed, decrypt, encrypt, type MasterKeyRing, type SecretPurpose } from "./keys.ts";
import { lengthPrefixed } from "./length-prefixed.ts";
import { VaultError } from "./vault-error.ts";

/*
 * Secrets that belong to no organisation, or that are too short-lived to be re-wrapped (an e-mail in the outbox, a link
 * in an e-mail). Each purpose has its own key, derived from a master key. A secret opens as long as that master key is
 * in the ring.
 */

/** Seals a short-lived secret: `m1.{master version}.{nonce and ciphertext}`. */
export async function sealUnderMaster(
  ring: MasterKeyRing,
  secret: SecretPurpose,
  plaintext: string,
): Promise<string> {
  const version = ring.newest;
  const key = await purposeKey(ring, version, secret.purpose);
  return `m1.${version}.${toBase64Url(await encrypt(key, contextOf(secret, version), utf8(plaintext)))}`;
}

/**
 * Opens the output of `sealUnderMaster`.
 * @throws VaultError `tampered` for an unknown form, `wrong-key` for another key or purpose
 */
export async function openUnderMaster(
  ring: MasterKeyRing,
  secret: SecretPurpose,
  sealed: string,
): Promise<string> {
  const match = /^m1\.([1-9][0-9]{0,8})\.([A-Za-z0-9_-]+)$/.exec(sealed);
  if (!match) throw new VaultError("tampered", "the sealed secret has an unknown form");
  const version = Number(match[1]);
  const key = await purposeKey(ring, version, secret.purpose);
  return fromUtf8(await decrypt(key, contextOf(secret, version), decodeSealed(match[2]!)));
}

async function purposeKey(ring: MasterKeyRing, version: number, purpose: string): Promise<Uint8Array> {
  const master = ring.keys.get(version);
  if (!master) throw new VaultError("wrong-key", `master key ${version} is not configured`);
  return hkdfSha256(master, new Uint8Array(0), utf8(`holdfast sealed ${purpose}`), 32);
}

function contextOf({ purpose, ownerId }: SecretPurpose, version: number): Uint8Array {
  return lengthPrefixed("sealed", purpose, ownerId, String(version));
}
