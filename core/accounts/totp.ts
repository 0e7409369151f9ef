import { createTOTPKeyURI, generateHOTP } from "@oslojs/otp";
import { SECOND_MS } from "#core/kernel/clock.ts";
import { equalBytes, utf8 } from "#core/kernel/crypto.ts";

/** RFC 6238 with the parameters that every authenticator app supports: SHA-1, 30 seconds, 6 digits. */
const PERIOD_S = 30;
const DIGITS = 6;
/** How many steps a clock may be off in either direction. */
const TOLERANCE = 1;
/** Codes up to this many steps old are reported as old, not wrong. */
const RECENT = 10;

/** Whether a code is valid at a given time, and for which step. */
export type CodeVerdict = { kind: "valid"; step: number } | { kind: "old" } | { kind: "wrong" };

/** The time step at `now` (epoch ms). */
export function stepAt(now: number): number {
  return Math.floor(now / (PERIOD_S * SECOND_MS));
}

/** The code of a step. */
export function codeOfStep(secret: Uint8Array, step: number): string {
  return generateHOTP(secret, BigInt(step), DIGITS);
}

/** Judges a code. Compares every step, so that timing does not reveal which one matched. */
export function judgeCode(secret: Uint8Array, { code, now }: { code: string; now: number }): CodeVerdict {
  const current = stepAt(now);
  let verdict: CodeVerdict = { kind: "wrong" };
  for (let step = Math.max(0, current - RECENT); step <= current + TOLERANCE; step++) {
    if (!equalBytes(utf8(codeOfStep(secret, step)), utf8(code))) continue;
    verdict = step >= current - TOLERANCE ? { kind: "valid", step } : { kind: "old" };
  }
  return verdict;
}

/** The secret as authenticator apps accept it: base32 to type, and an `otpauth:` URI to scan. */
export function describeSecret(secret: Uint8Array, email: string): { secret: string; uri: string } {
  const uri = createTOTPKeyURI("Holdfast", email, secret, PERIOD_S, DIGITS);
  return { secret: new URL(uri).searchParams.get("secret") ?? "", uri };
}
