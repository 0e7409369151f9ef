import { concatBytes, fromBase64Url, hkdfSha256, toBase64Url, utf8 } from "#core/kernel/crypto.ts";

/*
 * A piece of a dump: `HFD1`, an ephemeral public key (65 bytes, P-256, uncompressed), and AES-256-GCM ciphertext with tag.
 * Its key is HKDF-SHA-256(ECDH shared secret, salt = ephemeral public key, info = `holdfast dump 1`), used for this piece
 * alone, so the nonce is zero. Whoever has the public half can write pieces and read none.
 */
const MAGIC = utf8("HFD1");
const POINT_BYTES = 65;
const CURVE = { name: "ECDH", namedCurve: "P-256" };
const INFO = utf8("holdfast dump 1");

/** Makes the two halves of a dump key, as base64url. The private one stays offline. */
export async function createDumpKeys(): Promise<{ publicKey: string; privateKey: string }> {
  const pair = (await crypto.subtle.generateKey(CURVE, true, ["deriveBits"])) as CryptoKeyPair;
  const bytes = async (form: "raw" | "pkcs8", key: CryptoKey) =>
    toBase64Url(new Uint8Array((await crypto.subtle.exportKey(form, key)) as ArrayBuffer));
  return { publicKey: await bytes("raw", pair.publicKey), privateKey: await bytes("pkcs8", pair.privateKey) };
}

/** Encrypts a piece for the holder of the private key. */
export async function sealPiece(publicKey: string, plain: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const recipient = await importPoint(fromBase64Url(publicKey));
  const own = (await crypto.subtle.generateKey(CURVE, true, ["deriveBits"])) as CryptoKeyPair;
  const point = new Uint8Array((await crypto.subtle.exportKey("raw", own.publicKey)) as ArrayBuffer);
  const key = await pieceKey(own.privateKey, recipient, point, "encrypt");
  const sealed = await crypto.subtle.encrypt(algorithm(), key, plain as Uint8Array<ArrayBuffer>);
  return concatBytes(MAGIC, point, new Uint8Array(sealed));
}

/** Decrypts a piece. @throws Error when it was changed or is for another key */
export async function openPiece(privateKey: string, piece: Uint8Array): Promise<Uint8Array> {
  const bytes = fromBase64Url(privateKey) as Uint8Array<ArrayBuffer>;
  const own = await crypto.subtle.importKey("pkcs8", bytes, CURVE, false, ["deriveBits"]);
  const point = piece.slice(MAGIC.length, MAGIC.length + POINT_BYTES);
  const key = await pieceKey(own, await importPoint(point), point, "decrypt");
  const body = piece.slice(MAGIC.length + POINT_BYTES) as Uint8Array<ArrayBuffer>;
  return new Uint8Array(await crypto.subtle.decrypt(algorithm(), key, body));
}

const algorithm = () => ({
  name: "AES-GCM",
  iv: new Uint8Array(12),
  additionalData: MAGIC as Uint8Array<ArrayBuffer>,
});

const importPoint = (point: Uint8Array) =>
  crypto.subtle.importKey("raw", point as Uint8Array<ArrayBuffer>, CURVE, false, []);

async function pieceKey(
  own: CryptoKey,
  other: CryptoKey,
  point: Uint8Array,
  usage: "encrypt" | "decrypt",
): Promise<CryptoKey> {
  // The types of workerd call the member `$public`; the runtimes call it `public`.
  const agreement = { name: "ECDH", public: other } as unknown as SubtleCryptoDeriveKeyAlgorithm;
  const secret = new Uint8Array(await crypto.subtle.deriveBits(agreement, own, 256));
  const key = await hkdfSha256(secret, point, INFO, 32);
  return crypto.subtle.importKey("raw", key as Uint8Array<ArrayBuffer>, "AES-GCM", false, [usage]);
}
