import { createTOTPKeyURI, generateHOTP } from "@oslojs/otp";
import { SECOND_MS } from "#core/kernel/clock.ts";
import { equalBytes, utf8 } from "#core/kernel/crypto.ts";

/** RFC 6238 as every authenticator app speaks it: SHA-1, 30 seconds, 6 digits. */
const PERIOD_S = 30;
const DIGITS = 6;
/** Steps that a clock may be off in either direction. */
const TOLERANCE = 1;
/** A code this many steps older is told to be old, not wrong. */
const RECENT = 10;

/** What a code is at a moment: of which step, too old, or none. */
export type CodeVerdict = { kind: "valid"; step: number } | { kind: "old" } | { kind: "wrong" };

/** The time step of a moment in epoch ms. */
export function stepAt(now: number): number {
  return Math.floor(now / (PERIOD_S * SECOND_MS));
}

/** The code of a step. */
export function codeOfStep(secret: Uint8Array, step: number): string {
  return generateHOTP(secret, BigInt(step), DIGITS);
}

/** Judges a code; every step is compared, so that the time does not tell which one fitted. */
export function judgeCode(secret: Uint8Array, { code, now }: { code: string; now: number }): CodeVerdict {
  const current = stepAt(now);
  let verdict: CodeVerdict = { kind: "wrong" };
  for (let step = Math.max(0, current - RECENT); step <= current + TOLERANCE; step++) {
    if (!equalBytes(utf8(codeOfStep(secret, step)), utf8(code))) continue;
    verdict = step >= current - TOLERANCE ? { kind: "valid", step } : { kind: "old" };
  }
  return verdict;
}

/** The secret as authenticator apps take it: base 32 to type, and an `otpauth:` address to scan. */
export function describeSecret(secret: Uint8Array, email: string): { secret: string; uri: string } {
  const uri = createTOTPKeyURI("Holdfast", email, secret, PERIOD_S, DIGITS);
  return { secret: new URL(uri).searchParams.get("secret") ?? "", uri };
}
