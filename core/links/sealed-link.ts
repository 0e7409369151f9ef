import { z } from "zod";
import { AppError } from "#core/kernel/app-error.ts";
import type { Clock } from "#core/kernel/clock.ts";
import {
  fromBase64Url,
  fromUtf8,
  hkdfSha256,
  randomBytes,
  sha256Hex,
  toBase64Url,
  utf8,
} from "#core/kernel/crypto.ts";
import { type MasterKeyRing, parseMasterKeys } from "#core/vault/index.ts";

type LinkDeps = { clock: Clock; settings: { LINK_KEYS: string } };

/** The two values in the link, both base64url. */
export type SealedLink = { content: string; iv: string };

/** The payload of a valid link, and what `useLink` needs to allow it only once. */
export type OpenedLink<Payload> = { payload: Payload; linkHash: string; expiresAt: number };

const NONCE_BYTES = 12;
const envelope = z.object({ e: z.number().int(), p: z.unknown() });

/**
 * Seals a message into a link with AES-256-GCM under a key derived from the newest link key. The purpose is additional
 * data, so a link for one purpose does not open for another (decision on sealed links; OWASP ASVS 9.1). `expiresAt` is
 * in epoch ms and sealed too.
 */
export async function sealLink(
  deps: Pick<LinkDeps, "settings">,
  { purpose, payload, expiresAt }: { purpose: string; payload: unknown; expiresAt: number },
): Promise<SealedLink> {
  const ring = parseMasterKeys(deps.settings.LINK_KEYS);
  const iv = randomBytes(NONCE_BYTES);
  const key = await linkKey(ring, ring.newest, "encrypt");
  const plain = utf8(JSON.stringify({ e: expiresAt, p: payload }));
  const sealed = await crypto.subtle.encrypt(gcm(iv, purpose), key, plain);
  return { content: `${ring.newest}.${toBase64Url(new Uint8Array(sealed))}`, iv: toBase64Url(iv) };
}

/**
 * Opens a link for the given purpose. A forged link, another purpose and an expired link give the same error.
 * @throws AppError `err.link.purpose`
 */
export async function openLink<Schema extends z.ZodType>(
  deps: LinkDeps,
  { purpose, schema, link }: { purpose: string; schema: Schema; link: SealedLink },
): Promise<OpenedLink<z.output<Schema>>> {
  const refusal = (cause?: unknown) => new AppError("err.link.purpose", { cause });
  try {
    const [version = "", sealed = ""] = link.content.split(".");
    const key = await linkKey(parseMasterKeys(deps.settings.LINK_KEYS), Number(version), "decrypt");
    const bytes = fromBase64Url(sealed);
    const plain = await crypto.subtle.decrypt(gcm(fromBase64Url(link.iv), purpose), key, bytes);
    const { e: expiresAt, p } = envelope.parse(JSON.parse(fromUtf8(new Uint8Array(plain))));
    if (deps.clock.now() >= expiresAt) throw refusal();
    return { payload: schema.parse(p), linkHash: await sha256Hex(bytes), expiresAt };
  } catch (cause) {
    throw cause instanceof AppError ? cause : refusal(cause);
  }
}

async function linkKey(
  ring: MasterKeyRing,
  version: number,
  usage: "encrypt" | "decrypt",
): Promise<CryptoKey> {
  const secret = ring.keys.get(version);
  if (!secret) throw new AppError("err.link.purpose");
  const bytes = await hkdfSha256(secret, new Uint8Array(0), utf8("holdfast sealed link"), 32);
  return crypto.subtle.importKey("raw", bytes as Uint8Array<ArrayBuffer>, "AES-GCM", false, [usage]);
}

function gcm(iv: Uint8Array<ArrayBuffer>, purpose: string) {
  return { name: "AES-GCM", iv, additionalData: utf8(`link ${purpose}`) };
}
