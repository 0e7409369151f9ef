/**
 * Keys above the object level. The master keys from the environment wrap one key per organisation; secrets such as
 * access tokens are sealed directly. Rotating the master key re-wraps organisation keys and leaves objects untouched.
 * Deleting an organisation's wrapped key makes all its objects permanently unreadable.
 */
import { concatBytes, fromBase64Url, fromUtf8, randomBytes, toBase64Url, utf8 } from "#core/kernel/crypto.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { lengthPrefixed } from "./length-prefixed.ts";
import { VaultError } from "./vault-error.ts";

const KEY_BYTES = 32;
const NONCE_BYTES = 12;

/** The master keys of this installation. The newest wraps; all can unwrap. */
export type MasterKeyRing = { newest: number; keys: ReadonlyMap<number, Uint8Array> };

/** The key of one organisation. `version` is written into the header of every object encrypted with it. */
export type OrganisationKey = { version: number; bytes: Uint8Array };

/** An organisation's key in stored form. */
export type WrappedKey = { version: number; masterVersion: number; wrapped: string };

/**
 * Parses `MASTER_KEYS`: `1:base64url,2:base64url`, 32 bytes each.
 * @throws InvariantError when it is malformed; the message never contains key material
 */
export function parseMasterKeys(text: string): MasterKeyRing {
  const keys = new Map<number, Uint8Array>();
  for (const part of text.split(",").map((each) => each.trim())) {
    const match = /^([1-9][0-9]{0,8}):([A-Za-z0-9_=+/-]+)$/.exec(part);
    invariant(match, "MASTER_KEYS must read 1:base64url,2:base64url");
    const version = Number(match[1]);
    const bytes = fromBase64Url(match[2]!);
    invariant(bytes.length === KEY_BYTES, `master key ${version} must be ${KEY_BYTES} bytes long`);
    invariant(!keys.has(version), `master key ${version} is given twice`);
    keys.set(version, bytes);
  }
  return { newest: Math.max(...keys.keys()), keys };
}

/** Creates the key of a new organisation. */
export function createOrganisationKey(): OrganisationKey {
  return { version: 1, bytes: randomBytes(KEY_BYTES) };
}

/** Wraps an organisation's key under the newest master key. */
export async function wrapOrganisationKey(
  ring: MasterKeyRing,
  { organisationId, key }: { organisationId: string; key: OrganisationKey },
): Promise<WrappedKey> {
  const master = ring.keys.get(ring.newest);
  invariant(master, `master key ${ring.newest} is not in the ring`);
  const context = wrapContext(organisationId, key.version, ring.newest);
  const wrapped = toBase64Url(await encrypt(master, context, key.bytes));
  return { version: key.version, masterVersion: ring.newest, wrapped };
}

/** Unwraps an organisation's key. @throws VaultError `wrong-key` */
export async function unwrapOrganisationKey(
  ring: MasterKeyRing,
  { organisationId, wrappedKey }: { organisationId: string; wrappedKey: WrappedKey },
): Promise<OrganisationKey> {
  const { version, masterVersion, wrapped } = wrappedKey;
  const master = ring.keys.get(masterVersion);
  if (!master) throw new VaultError("wrong-key", `master key ${masterVersion} is not configured`);
  const context = wrapContext(organisationId, version, masterVersion);
  return { version, bytes: await decrypt(master, context, decodeSealed(wrapped)) };
}

/** Re-wraps an organisation key under the newest master key. Returns the key unchanged when it already is. */
export async function rewrap(
  ring: MasterKeyRing,
  { organisationId, wrappedKey }: { organisationId: string; wrappedKey: WrappedKey },
): Promise<WrappedKey> {
  if (wrappedKey.masterVersion === ring.newest) return wrappedKey;
  const key = await unwrapOrganisationKey(ring, { organisationId, wrappedKey });
  return wrapOrganisationKey(ring, { organisationId, key });
}

/** Purpose and owner of a sealed secret. It opens only with the same two values. */
export type SecretPurpose = { purpose: string; ownerId: string };

/** Seals a short secret, e.g. an access token, for storage: `s1.` followed by base64url of nonce and ciphertext. */
export async function sealSecret(
  key: OrganisationKey,
  { purpose, ownerId }: SecretPurpose,
  plaintext: string,
): Promise<string> {
  const context = lengthPrefixed("secret", purpose, ownerId, String(key.version));
  return `s1.${toBase64Url(await encrypt(key.bytes, context, utf8(plaintext)))}`;
}

/** Opens a sealed secret. @throws VaultError `tampered` for an unknown form, `wrong-key` for another key or purpose */
export async function openSecret(
  key: OrganisationKey,
  { purpose, ownerId }: SecretPurpose,
  sealed: string,
): Promise<string> {
  if (!sealed.startsWith("s1.")) throw new VaultError("tampered", "the sealed secret has an unknown form");
  const context = lengthPrefixed("secret", purpose, ownerId, String(key.version));
  return fromUtf8(await decrypt(key.bytes, context, decodeSealed(sealed.slice(3))));
}

function wrapContext(organisationId: string, version: number, masterVersion: number): Uint8Array {
  return lengthPrefixed("organisation-key", organisationId, String(version), String(masterVersion));
}

/**
 * Decodes base 64 from the ledger. Invalid base 64 means that the stored secret is damaged. @throws VaultError
 * `tampered`
 */
export function decodeSealed(text: string): Uint8Array {
  try {
    return fromBase64Url(text);
  } catch (cause) {
    throw new VaultError("tampered", "the sealed bytes are not base 64", { cause });
  }
}

/** AES-256-GCM with the random nonce prepended. Random nonces are safe because each key seals few secrets. */
export async function encrypt(key: Uint8Array, context: Uint8Array, plain: Uint8Array): Promise<Uint8Array> {
  const nonce = randomBytes(NONCE_BYTES);
  const imported = await importKey(key, "encrypt");
  const sealed = await crypto.subtle.encrypt(gcm(nonce, context), imported, plain as Uint8Array<ArrayBuffer>);
  return concatBytes(nonce, new Uint8Array(sealed));
}

/** Decrypts the output of `encrypt`. @throws VaultError `wrong-key` for another key or context, and for damage */
export async function decrypt(key: Uint8Array, context: Uint8Array, sealed: Uint8Array): Promise<Uint8Array> {
  const imported = await importKey(key, "decrypt");
  const body = sealed.slice(NONCE_BYTES);
  try {
    const nonce = sealed.slice(0, NONCE_BYTES);
    return new Uint8Array(await crypto.subtle.decrypt(gcm(nonce, context), imported, body));
  } catch (cause) {
    throw new VaultError("wrong-key", "the sealed bytes do not open under this key and purpose", { cause });
  }
}

function gcm(iv: Uint8Array, additionalData: Uint8Array) {
  return {
    name: "AES-GCM",
    iv: iv as Uint8Array<ArrayBuffer>,
    additionalData: additionalData as Uint8Array<ArrayBuffer>,
  };
}

function importKey(key: Uint8Array, usage: "encrypt" | "decrypt"): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", key as Uint8Array<ArrayBuffer>, "AES-GCM", false, [usage]);
}
