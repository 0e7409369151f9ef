import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { leaseBudgets } from "#core/connections/leased-budgets.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#core/kernel/clock.ts";
import type { ProviderBudgets } from "#core/services.ts";
import { providerBudget } from "#durable-objects/stubs.ts";
import { dice } from "#tests/harness/dice.ts";

/** Slices that lease points from the object of one account. */

const NOW = Date.parse("2026-03-01T10:00:00Z");
const WINDOW = { points: 100, perMs: 10 * SECOND_MS };
let accounts = 0;

/** An account with a clock that the test moves, and how often its object was called. */
function openAccount() {
  const key = `alpha:lease ${accounts++}`;
  const object = providerBudget(env, key);
  const clock = { at: NOW, now: () => clock.at };
  const calls = { spend: 0, report: 0 };
  const budgets = {
    spend: (_key, resource, points, now, window, most) => {
      calls.spend += 1;
      return object.spend(resource, points, now, window, most);
    },
    report: (_key, limits, now, window, back) => {
      calls.report += 1;
      return object.report(limits.resource, limits, now, window, back);
    },
  } as Pick<ProviderBudgets, "spend" | "report"> as ProviderBudgets;
  const slice = () => {
    const leased = leaseBudgets({ clock, budgets });
    return {
      spend: (window?: Parameters<ProviderBudgets["spend"]>[4]) =>
        leased.spend(key, "core", 1, clock.at, window),
      report: (limits: { remaining: number | null; resetAt: number | null; retryAt: number | null }) =>
        leased.report(key, { resource: "core", ...limits }, clock.at),
      settle: leased.settle,
    };
  };
  return { object, clock, calls, slice };
}

test("no interval of a counted quota holds more calls than it allows, whoever holds leases", async () => {
  const { clock, slice } = openAccount();
  const roll = dice(3);
  const slices = Array.from({ length: 6 }, slice);
  const made: number[] = [];
  for (let step = 0; step < 500; step++) {
    clock.at += roll(90);
    const at = roll(slices.length);
    if ((await slices[at]!.spend(WINDOW)).kind === "granted") made.push(clock.at);
    // Some slices end, and some die with their leases.
    if (roll(40) === 0) {
      if (roll(2) === 0) await slices[at]!.settle();
      slices[at] = slice();
    }
  }
  for (const from of made)
    expect(made.filter((at) => at >= from && at < from + WINDOW.perMs).length).toBeLessThanOrEqual(100);
  // Leases hold back little: 22 s have room for about 200 calls.
  expect(made.length).toBeGreaterThan(160);
});

test("figures of the platform that do not know of leased points never let more be spent than there is", async () => {
  const { clock, slice } = openAccount();
  const resetAt = NOW + HOUR_MS;
  const roll = dice(5);
  let made = 0;
  const told = () => ({ remaining: Math.max(0, 150 - made), resetAt, retryAt: null });
  const slices = Array.from({ length: 8 }, slice);
  await slices[0]!.report(told());
  for (let step = 0; step < 260; step++) {
    clock.at += roll(200);
    const own = slices[roll(8)]!;
    if ((await own.spend()).kind === "wait") continue;
    made += 1;
    await own.report(told());
  }
  expect(made).toBeLessThanOrEqual(150);
  expect(made).toBeGreaterThan(135);
});

test("fourteen calls ask the object twice, and what was not spent comes back", async () => {
  const { object, clock, calls, slice } = openAccount();
  const resetAt = NOW + HOUR_MS;
  await object.report("core", { remaining: 5_000, resetAt, retryAt: null }, NOW);
  const own = slice();
  for (let call = 1; call <= 14; call++) {
    clock.at += 100;
    expect(await own.spend()).toMatchObject({ kind: "granted" });
    await own.report({ remaining: 5_000 - call, resetAt, retryAt: null });
  }
  expect((await object.left(clock.at)).quotas.core?.remaining).toBe(4_979);
  await own.settle();
  expect(calls.spend + calls.report).toBeLessThanOrEqual(2);
  expect((await object.left(clock.at)).quotas.core?.remaining).toBe(4_986);

  const counted = openAccount();
  const other = counted.slice();
  for (let call = 1; call <= 5; call++) await other.spend(WINDOW);
  await other.settle();
  expect((await counted.object.left(NOW, { core: WINDOW })).counted.core?.remaining).toBe(95);
});

test("calls at the same time share a lease", async () => {
  const { calls, slice } = openAccount();
  const own = slice();
  const answers = await Promise.all(Array.from({ length: 10 }, () => own.spend(WINDOW)));
  expect(answers.every(({ kind }) => kind === "granted")).toBe(true);
  expect(calls.spend).toBe(1);
});

test("a pause stops the slice that was told at once, and all others with their leases", async () => {
  const { object, clock, slice } = openAccount();
  const hourly = { points: 10_000, perMs: HOUR_MS };
  await object.report("core", { remaining: 5_000, resetAt: NOW + HOUR_MS, retryAt: null }, NOW);
  const [told, other, late] = [slice(), slice(), slice()];
  for (const each of [told, other, late]) await each!.spend(hourly);
  const retryAt = NOW + 5 * MINUTE_MS;
  await told!.report({ remaining: null, resetAt: null, retryAt });
  expect(await told!.spend(hourly)).toEqual({ kind: "wait", until: retryAt });
  let more = 0;
  while ((await other!.spend(hourly)).kind === "granted") more += 1;
  expect(more).toBeLessThanOrEqual(20);
  clock.at += 10 * SECOND_MS;
  expect(await late!.spend(hourly)).toEqual({ kind: "wait", until: retryAt });
});

test("little that is left is not leased", async () => {
  const { object, slice } = openAccount();
  await object.report("core", { remaining: 9, resetAt: NOW + HOUR_MS, retryAt: null }, NOW);
  await slice().spend();
  expect((await object.left(NOW)).quotas.core?.remaining).toBe(8);
  // Of a share, background work leases no more than is fair.
  const shared = { points: 100, perMs: HOUR_MS, share: { account: "ann", reserve: 20 } };
  const own = openAccount();
  await own.slice().spend(shared);
  const remaining = (await own.object.left(NOW, { core: shared })).counted.core?.remaining ?? 0;
  expect(remaining).toBe(100 - 1 - 7);
});
