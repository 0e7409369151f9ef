import fc from "fast-check";
import { expect, test } from "vitest";
import { fromHex, utf8 } from "#core/kernel/crypto.ts";
import { codeOfStep, describeSecret, judgeCode, stepAt } from "./totp.ts";

const RFC_SECRET = utf8("12345678901234567890");
const STEP_MS = 30_000;

/** RFC 6238 appendix B, the last six digits. */
test.each([
  [59, "287082"],
  [1111111109, "081804"],
  [1111111111, "050471"],
  [1234567890, "005924"],
  [2000000000, "279037"],
  [20000000000, "353130"],
])("at %d seconds the code of the RFC's secret is %s", (seconds, code) => {
  const now = seconds * 1000;
  expect(codeOfStep(RFC_SECRET, stepAt(now))).toBe(code);
  expect(judgeCode(RFC_SECRET, { code, now })).toEqual({ kind: "valid", step: stepAt(now) });
});

test("a code is valid one step early and late, old after that, and otherwise wrong", () => {
  const secret = fromHex("a1b2c3d4e5f60718293a4b5c6d7e8f9001122334");
  fc.assert(
    fc.property(
      fc.integer({ min: 100, max: 4_000_000_000 }),
      fc.integer({ min: -15, max: 15 }),
      (step, off) => {
        const now = step * STEP_MS + 7;
        const verdict = judgeCode(secret, { code: codeOfStep(secret, step + off), now });
        const isChance = [...Array(12).keys()].some(
          (i) => i - 10 !== off && codeOfStep(secret, step + i - 10) === codeOfStep(secret, step + off),
        );
        fc.pre(!isChance);
        const expected = Math.abs(off) <= 1 ? "valid" : off < 0 && off >= -10 ? "old" : "wrong";
        expect([off, verdict.kind]).toEqual([off, expected]);
      },
    ),
  );
  for (const code of ["", "12345", "1234567", "abcdef", "١٢٣٤٥٦"]) {
    expect(judgeCode(secret, { code, now: STEP_MS * 1000 })).toEqual({ kind: "wrong" });
  }
});

test("the URL of a secret has the format of authenticator apps", () => {
  const { secret, uri } = describeSecret(RFC_SECRET, "ann+x@example.com");
  expect(secret).toBe("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
  const url = new URL(uri);
  expect(url.protocol).toBe("otpauth:");
  expect(decodeURIComponent(url.pathname)).toContain("Holdfast:ann+x@example.com");
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    secret,
    issuer: "Holdfast",
    period: "30",
    digits: "6",
  });
});
