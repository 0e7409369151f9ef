/**
 * Thin, typed access to the runtime's cryptography. The vault's format and the sealing of secrets use only these
 * functions, so one file shows the choice of primitives.
 */

/** Cryptographically random bytes. */
export function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length));
}

/** UTF-8 bytes of a string. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;
}

/** Decodes UTF-8. @throws TypeError for malformed input */
export function fromUtf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** Lower-case hexadecimal of bytes. */
export function toHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

/** Bytes of a hexadecimal string. @throws RangeError when it is not hexadecimal */
export function fromHex(text: string): Uint8Array<ArrayBuffer> {
  if (text.length % 2 !== 0 || /[^0-9a-fA-F]/.test(text)) throw new RangeError("not hexadecimal");
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(text.slice(i * 2, i * 2 + 2), 16);
  return bytes;
}

/** URL-safe base 64 without padding (RFC 4648 section 5). */
export function toBase64Url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary)
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/(?<!=)=+$/, "");
}

/** Bytes of base 64 in either alphabet, padded or not. @throws RangeError when it is malformed */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const plain = text
    .replace(/-/g, "+")
    .replace(/_/g, "/")
    .replace(/(?<!=)=+$/, "");
  if (/[^A-Za-z0-9+/]/.test(plain) || plain.length % 4 === 1) throw new RangeError("not base 64");
  return Uint8Array.from(atob(plain), (char) => char.charCodeAt(0));
}

/** SHA-256 of bytes. */
export async function sha256(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>));
}

/** SHA-256 of a string or bytes, in hexadecimal: the name of a record. */
export async function sha256Hex(content: string | Uint8Array): Promise<string> {
  return toHex(await sha256(typeof content === "string" ? utf8(content) : content));
}

/** HMAC-SHA-256 of a message. */
export async function hmacSha256(key: Uint8Array, message: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const imported = await crypto.subtle.importKey(
    "raw",
    key as Uint8Array<ArrayBuffer>,
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, message as Uint8Array<ArrayBuffer>));
}

/** HKDF-SHA-256 (RFC 5869): `length` bytes derived from key, salt and info. */
export async function hkdfSha256(
  key: Uint8Array,
  salt: Uint8Array,
  info: Uint8Array,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const imported = await crypto.subtle.importKey("raw", key as Uint8Array<ArrayBuffer>, "HKDF", false, [
    "deriveBits",
  ]);
  const bits = await crypto.subtle.deriveBits(
    {
      name: "HKDF",
      hash: "SHA-256",
      salt: salt as Uint8Array<ArrayBuffer>,
      info: info as Uint8Array<ArrayBuffer>,
    },
    imported,
    length * 8,
  );
  return new Uint8Array(bits);
}

/** Compares two byte strings in time that depends only on their lengths. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a[i]! ^ b[i]!;
  return difference === 0;
}

/** Joins byte strings. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}
