import { z } from "zod";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { randomBytes, sha256Hex, toBase64Url } from "#core/kernel/crypto.ts";
import { openUnderMaster, parseMasterKeys, sealUnderMaster } from "#core/vault/index.ts";
import { formatCookie, readCookie } from "../cookies.ts";
import { insertAttempt, takeAttempt } from "./federation.store.ts";
import type { FederationDeps } from "./federation-deps.ts";
import type { ProviderSetup } from "./providers.ts";

/** How long a person may take at the provider. */
export const ATTEMPT_MS = 10 * MINUTE_MS;

/** The data to keep until the browser returns from the provider. */
const detailsSchema = z.object({
  /** The requested issuer. A response from any other is rejected (mix-up, RFC 9207). */
  issuer: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  next: z.string(),
});
export type AttemptDetails = z.output<typeof detailsSchema>;

const COOKIE = "federation";
const SECRET = /^[A-Za-z0-9_-]{43}$/;
/** 256 random bits, for `state`, nonce, code verifier and the browser's secret. */
export const randomSecret = () => toBase64Url(randomBytes(32));

/**
 * Stores a new sign-in attempt and binds it to the browser with a cookie, so that an attacker cannot complete their own
 * sign-in in someone else's browser (login CSRF). Simultaneous attempts in one browser share its secret.
 */
export async function beginAttempt(
  deps: Pick<FederationDeps, "control" | "clock" | "settings">,
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

/** Consumes the attempt that this browser began under `state`; null when there is none or it was already used. */
export async function spendAttempt(
  deps: Pick<FederationDeps, "control" | "clock" | "settings">,
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

const ringOf = (deps: Pick<FederationDeps, "settings">) => parseMasterKeys(deps.settings.MASTER_KEYS);
const purposeOf = (stateHash: string) => ({ purpose: "federation-attempt", ownerId: stateHash });
