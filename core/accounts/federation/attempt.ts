import { z } from "zod";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { randomBytes, sha256Hex, toBase64Url } from "#core/kernel/crypto.ts";
import { openUnderMaster, parseMasterKeys, sealUnderMaster } from "#core/vault/index.ts";
import { formatCookie, readCookie } from "../cookies.ts";
import { insertAttempt, takeAttempt } from "./federation.store.ts";
import type { FederationDeps } from "./federation-deps.ts";
import type { ProviderSetup } from "./providers.ts";

/** A person has this long at the provider. */
export const ATTEMPT_MS = 10 * MINUTE_MS;

/** What one sign-in must remember until the browser comes back. */
const detailsSchema = z.object({
  /** The issuer that was asked: an answer of any other is refused (mix-up, RFC 9207). */
  issuer: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  next: z.string(),
});
export type AttemptDetails = z.output<typeof detailsSchema>;

const COOKIE = "federation";
const SECRET = /^[A-Za-z0-9_-]{43}$/;
/** 256 random bits, as `state`, nonce, code verifier and the browser's secret are. */
export const randomSecret = () => toBase64Url(randomBytes(32));

/**
 * Writes down a sign-in that begins and binds it to the browser by a cookie, so that nobody can send somebody else
 * back with an answer of theirs (login CSRF). Two sign-ins side by side in one browser share its secret.
 */
export async function beginAttempt(
  deps: FederationDeps,
  { setup, details, headers }: { setup: ProviderSetup; details: AttemptDetails; headers: Headers },
): Promise<{ state: string; setCookie: string[] }> {
  const state = randomSecret();
  const stateHash = await sha256Hex(state);
  const carried = readCookie(deps, headers, COOKIE) ?? "";
  const secret = SECRET.test(carried) ? carried : randomSecret();
  await insertAttempt(deps.control, {
    stateHash,
    provider: setup.provider,
    browserHash: await sha256Hex(secret),
    sealedDetails: await sealUnderMaster(ringOf(deps), purposeOf(stateHash), JSON.stringify(details)),
    expiresAt: deps.clock.now() + ATTEMPT_MS,
  });
  return { state, setCookie: [formatCookie(deps, { name: COOKIE, value: secret, maxAgeMs: ATTEMPT_MS })] };
}

/** Takes the sign-in that this browser began under that state, once; null when there is none. */
export async function spendAttempt(
  deps: FederationDeps,
  { state, headers }: { state: string; headers: Headers },
): Promise<{ provider: string; details: AttemptDetails } | null> {
  const secret = readCookie(deps, headers, COOKIE) ?? "";
  if (!SECRET.test(state) || !SECRET.test(secret)) return null;
  const stateHash = await sha256Hex(state);
  const browserHash = await sha256Hex(secret);
  const row = await takeAttempt(deps.control, { stateHash, browserHash, now: deps.clock.now() });
  if (!row) return null;
  const opened = await openUnderMaster(ringOf(deps), purposeOf(stateHash), row.sealedDetails);
  return { provider: row.provider, details: detailsSchema.parse(JSON.parse(opened)) };
}

const ringOf = (deps: FederationDeps) => parseMasterKeys(deps.settings.MASTER_KEYS);
const purposeOf = (stateHash: string) => ({ purpose: "federation-attempt", ownerId: stateHash });
