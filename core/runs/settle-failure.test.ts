import fc from "fast-check";
import { expect, test } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { UnreadableCursorError } from "#core/kernel/stored-json.ts";
import { VaultError } from "#core/vault/index.ts";
import { MAX_ATTEMPTS, MAX_STANDSTILL_MS, RETRY_DELAYS_MS } from "./limits.ts";
import { settleFailure } from "./settle-failure.ts";

const NOW = 1_000_000_000;
const first = { attempts: 1, since: NOW };
const limited = (retryAt: number | null) =>
  new ConnectorError("rate-limited", "Wait.", retryAt === null ? {} : { retryAt });

test("each kind of failure has one outcome", () => {
  const verdicts = (
    ["unauthorized", "gone", "forbidden", "full", "unsupported", "malformed", "unavailable"] as const
  ).map((kind) => [kind, settleFailure(new ConnectorError(kind, "It says so."), first, NOW)]);
  const text = "It says so.";
  const again = { kind: "retry", at: NOW + RETRY_DELAYS_MS[0], isWaiting: false, text };
  expect(Object.fromEntries(verdicts)).toEqual({
    unauthorized: { kind: "unauthorized", code: "err.connection.unauthorized", text, authMethod: null },
    gone: { kind: "gone", code: "err.not.found", text },
    forbidden: { kind: "fail", code: "err.platform.forbidden", text },
    full: { kind: "fail", code: "err.platform.full", text },
    unsupported: { kind: "fail", code: "err.platform.unsupported", text },
    malformed: again,
    unavailable: again,
  });
  const appIsMissing = new ConnectorError("unauthorized", "It is gone.", { isAppMissing: true });
  expect(settleFailure(appIsMissing, first, NOW)).toMatchObject({ code: "err.app.missing" });
  const ofOne = new ConnectorError("unauthorized", "Refused.", { authMethod: "app" });
  expect(settleFailure(ofOne, first, NOW)).toMatchObject({ authMethod: "app" });
  expect(settleFailure(new AppError("err.plan.required"), first, NOW)).toMatchObject({ kind: "fail" });
  expect(settleFailure(new AppError("err.internal"), first, NOW)).toMatchObject({ kind: "retry" });
  expect(settleFailure(new VaultError("tampered", "a frame does not open"), first, NOW)).toMatchObject({
    kind: "retry",
    text: "The vault refused: a frame does not open",
  });
  expect(settleFailure(new UnreadableCursorError("key 9 of the cursor"), first, NOW)).toEqual({
    kind: "fail",
    code: "err.internal",
    text: "This run could not continue from where it stopped.",
  });
  expect(settleFailure(new Error("secret path"), first, NOW)).toMatchObject({
    kind: "retry",
    text: "Something went wrong on our side.",
  });
});

test("temporary faults are retried with growing delays, and the last consecutive attempt fails the run", () => {
  const fault = new ConnectorError("unavailable", "Away.");
  for (let attempts = 1; attempts < MAX_ATTEMPTS; attempts++) {
    const verdict = settleFailure(fault, { attempts, since: NOW }, NOW);
    expect(verdict).toMatchObject({ kind: "retry", at: NOW + RETRY_DELAYS_MS[attempts - 1]! });
  }
  const last = settleFailure(fault, { attempts: MAX_ATTEMPTS, since: NOW }, NOW);
  expect(last).toMatchObject({ kind: "fail", code: "err.platform.unavailable" });
});

test("a platform that says how long it is away is not called before, however soon the next attempt would be", () => {
  const away = (retryAt: number) => new ConnectorError("unavailable", "Away.", { retryAt });
  const delay = RETRY_DELAYS_MS[0];
  for (const [retryAt, at] of [
    [NOW + delay + 1, NOW + delay + 1],
    [NOW + 1, NOW + delay],
  ] as const)
    expect(settleFailure(away(retryAt), { attempts: 1, since: NOW }, NOW)).toMatchObject({
      kind: "retry",
      at,
    });
});

test("a wait is no attempt, is exact, and never exceeds the longest standstill", () => {
  const at = NOW + 3_600_000;
  const many = { attempts: MAX_ATTEMPTS + 7, since: NOW };
  expect(settleFailure(limited(at), many, NOW)).toMatchObject({ kind: "retry", at, isWaiting: true });
  const soon = settleFailure(limited(null), first, NOW);
  expect(soon).toMatchObject({ kind: "retry", isWaiting: true });
  expect((soon as { at: number }).at).toBeGreaterThan(NOW);
  const ten = NOW + 10 * 365 * 86_400_000;
  expect(settleFailure(limited(ten), first, NOW)).toMatchObject({
    kind: "fail",
    code: "err.platform.limited",
  });
});

test("a run without progress always ends, and a run with progress never ends because of its age", () => {
  const cause = fc.constantFrom<unknown>(
    new ConnectorError("unavailable", "Away."),
    new ConnectorError("malformed", "Odd."),
    limited(null),
    new Error("ours"),
  );
  fc.assert(
    fc.property(cause, fc.integer({ min: 1, max: 50 }), (failure, attempts) => {
      const late = { attempts, since: NOW - MAX_STANDSTILL_MS - 1 };
      expect(settleFailure(failure, late, NOW).kind).toBe("fail");
    }),
  );
  // A month-old run whose last step was stored just now.
  expect(settleFailure(new ConnectorError("unavailable", "Away."), first, NOW).kind).toBe("retry");
});
