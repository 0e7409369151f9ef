import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#core/kernel/clock.ts";
import { providerBudget } from "./stubs.ts";

const NOW = Date.parse("2026-03-01T10:00:00Z");
const RESET = NOW + HOUR_MS;
let accounts = 0;
const freshBudget = () => providerBudget(env, `alpha:${accounts++}`);
const left = (remaining: number, resetAt = RESET) => ({ remaining, resetAt, retryAt: null });

test("a quota that was never reported is granted", async () => {
  expect(await freshBudget().spend("core", 50, NOW)).toEqual({ kind: "granted" });
});

test("a hundred concurrent callers cannot exceed the quota", async () => {
  const budget = freshBudget();
  await budget.report("core", left(30), NOW);
  const answers = await Promise.all(Array.from({ length: 100 }, () => budget.spend("core", 1, NOW)));
  expect(answers.filter((answer) => answer.kind === "granted")).toHaveLength(30);
  expect(answers.at(-1)).toEqual({ kind: "wait", until: RESET });
});

/** Spends one by one until it must wait. @returns the points that were granted */
async function spendAll(
  budget: ReturnType<typeof freshBudget>,
  window: { points: number; perMs: number; share?: { account: string; reserve: number } },
  { now = NOW, most = Number.POSITIVE_INFINITY } = {},
): Promise<number> {
  for (let granted = 0; ; granted += 5) {
    if (granted >= most || (await budget.spend("app", 5, now, window)).kind === "wait") return granted;
  }
}
const POOL = { points: 1_000, perMs: HOUR_MS };
const backupOf = (account: string) => ({ ...POOL, share: { account, reserve: 200 } });

test("background work leaves a reserve of a shared quota to all others", async () => {
  const budget = freshBudget();
  for (let account = 0; account < 40; account++) await spendAll(budget, backupOf(`${account}`));
  const left = (await budget.left(NOW, { app: POOL })).counted.app?.remaining ?? 0;
  expect(left).toBeGreaterThanOrEqual(200);
  expect(left).toBeLessThan(220);
  expect(await budget.spend("app", 200, NOW, POOL)).toEqual({ kind: "granted" });
});

test("an account alone gets most of a shared quota, and one that comes later finds its own part", async () => {
  const budget = freshBudget();
  const first = await spendAll(budget, backupOf("large"));
  expect(first).toBe(640);
  const late = await spendAll(budget, backupOf("small"));
  expect(late).toBeGreaterThan(100);
  expect(await spendAll(budget, backupOf("third"))).toBeGreaterThan(15);
});

test("accounts that ask in turns get the same of a shared quota, and together nearly all of it", async () => {
  const budget = freshBudget();
  const accounts = Array.from({ length: 8 }, (_, index) => `account ${index}`);
  const got = new Map<string, number>();
  for (let turn = 0; turn < 60; turn++)
    for (const account of accounts)
      got.set(account, (got.get(account) ?? 0) + (await spendAll(budget, backupOf(account), { most: 5 })));
  const sums = [...got.values()];
  expect(Math.max(...sums) - Math.min(...sums)).toBeLessThanOrEqual(5);
  expect(sums.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(0.94 * 800);
});

test("a share that is used up says when there is room again, and then there is", async () => {
  const budget = freshBudget();
  await spendAll(budget, backupOf("large"));
  const waiting = await budget.spend("app", 5, NOW, backupOf("large"));
  if (waiting.kind === "granted") throw new Error("There is room.");
  expect(waiting.until).toBeLessThanOrEqual(NOW + HOUR_MS + 6 * MINUTE_MS);
  expect(await budget.spend("app", 5, waiting.until - 1, backupOf("large"))).toEqual(waiting);
  expect(await budget.spend("app", 5, waiting.until, backupOf("large"))).toEqual({ kind: "granted" });
});

test("points that the platform has counted already are counted without being refused", async () => {
  const budget = freshBudget();
  await budget.spend("app", 990, NOW, POOL);
  expect(await budget.spend("app", 100, NOW, { ...POOL, isSpent: true })).toEqual({ kind: "granted" });
  expect((await budget.spend("app", 1, NOW, POOL)).kind).toBe("wait");
});

test("what is left raises the count to what others used, never lowers it, and counts for one window", async () => {
  const budget = freshBudget();
  const remaining = async (at = NOW) => (await budget.left(at, { app: POOL })).counted.app?.remaining;
  const told = (rest: number) => ({ remaining: rest, resetAt: null, retryAt: null });
  await budget.spend("app", 100, NOW, POOL);
  await budget.report("app", told(950), NOW, POOL);
  expect(await remaining()).toBe(900);
  await budget.report("app", told(300), NOW, POOL);
  expect(await remaining()).toBe(300);
  await budget.report("app", told(200), NOW);
  expect(await remaining()).toBe(300);
  expect(await budget.spend("app", 300, NOW, POOL)).toEqual({ kind: "granted" });
  expect((await budget.spend("app", 1, NOW, POOL)).kind).toBe("wait");
  expect(await remaining(NOW + 1.2 * HOUR_MS)).toBe(1_000);
});

test("quotas are counted separately, but a requested pause applies to the whole account", async () => {
  const budget = freshBudget();
  await budget.report("core", left(0), NOW);
  expect(await budget.spend("core", 1, NOW)).toEqual({ kind: "wait", until: RESET });
  expect(await budget.spend("graphql", 1, NOW)).toEqual({ kind: "granted" });
  const retryAt = NOW + 5 * MINUTE_MS;
  await budget.report("graphql", { remaining: null, resetAt: null, retryAt }, NOW);
  await budget.report("graphql", { remaining: null, resetAt: null, retryAt: NOW + MINUTE_MS }, NOW);
  expect(await budget.spend("search", 1, NOW)).toEqual({ kind: "wait", until: retryAt });
  expect(await budget.spend("search", 1, retryAt)).toEqual({ kind: "granted" });
});

test("calls continue after the period ends, and a late report of the old period changes nothing", async () => {
  const budget = freshBudget();
  await budget.report("core", left(0), NOW);
  expect(await budget.spend("core", 1, RESET)).toEqual({ kind: "granted" });
  await budget.report("core", left(5, RESET + HOUR_MS), RESET);
  await budget.report("core", left(4000, RESET), RESET - 1);
  expect(await budget.spend("core", 6, RESET)).toEqual({ kind: "wait", until: RESET + HOUR_MS });
});

test("an eviction keeps a requested pause", async () => {
  const budget = freshBudget();
  await budget.report("core", { remaining: 0, resetAt: RESET, retryAt: NOW + MINUTE_MS }, NOW);
  await evictDurableObject(budget);
  expect(await budget.spend("core", 1, NOW)).toEqual({ kind: "wait", until: NOW + MINUTE_MS });
  expect(await budget.spend("core", 1, NOW + MINUTE_MS)).toEqual({ kind: "wait", until: RESET });
});

test("a quota that the platform does not report is counted here, and no interval exceeds it", async () => {
  const budget = freshBudget();
  const window = { points: 300, perMs: 10 * SECOND_MS };
  const grants: number[] = [];
  const moments = Array.from({ length: 2_400 }, (_, i) => NOW + i * 25);
  // Calls of one caller arrive in order, so they need not wait for each other.
  const answers = await Promise.all(moments.map((at) => budget.spend("key", 1, at, window)));
  for (const [i, answer] of answers.entries()) {
    const at = moments[i]!;
    if (answer.kind === "granted") grants.push(at);
    else {
      expect(answer.until).toBeGreaterThan(at);
      expect(answer.until).toBeLessThanOrEqual(at + 11 * SECOND_MS);
    }
  }
  for (const from of grants) {
    const held = grants.filter((at) => at >= from && at < from + window.perMs).length;
    expect(held).toBeLessThanOrEqual(window.points);
  }
  expect(grants.length).toBeGreaterThan(60 * 25);
});

test("a hundred concurrent callers cannot exceed a locally counted quota, and an eviction does not reset it", async () => {
  const budget = freshBudget();
  const window = { points: 30, perMs: 10 * SECOND_MS };
  const ask = () => budget.spend("token", 1, NOW, window);
  const answers = await Promise.all(Array.from({ length: 100 }, ask));
  expect(answers.filter(({ kind }) => kind === "granted")).toHaveLength(30);
  await evictDurableObject(budget);
  const waiting = await ask();
  if (waiting.kind === "granted") throw new Error("It was refilled.");
  expect(await budget.spend("token", 1, waiting.until - 1, window)).toEqual(waiting);
  expect(await budget.spend("token", 1, waiting.until, window)).toEqual({ kind: "granted" });
});

test("of many callers with an expired token one refreshes it; the others wait and read the new one", async () => {
  const budget = freshBudget();
  const answers = await Promise.all(Array.from({ length: 50 }, () => budget.beginRefresh("con_1", 3, NOW)));
  expect(answers.filter((answer) => answer.kind === "yours")).toHaveLength(1);
  expect(answers.filter((answer) => answer.kind === "busy")).toHaveLength(49);
  expect(await budget.beginRefresh("con_2", 1, NOW)).toEqual({ kind: "yours" });
  await evictDurableObject(budget);
  expect((await budget.beginRefresh("con_1", 3, NOW)).kind).toBe("busy");
  await budget.endRefresh("con_1", 4);
  expect(await budget.beginRefresh("con_1", 3, NOW)).toEqual({ kind: "done", version: 4 });
  expect(await budget.beginRefresh("con_1", 4, NOW)).toEqual({ kind: "yours" });
});

test("a failed or lost refresh does not block the next one", async () => {
  const budget = freshBudget();
  expect((await budget.beginRefresh("con_1", 1, NOW)).kind).toBe("yours");
  await budget.endRefresh("con_1", null);
  expect((await budget.beginRefresh("con_1", 1, NOW)).kind).toBe("yours");
  const answer = await budget.beginRefresh("con_1", 1, NOW + SECOND_MS);
  expect(answer.kind === "busy" && answer.retryAt > NOW + SECOND_MS).toBe(true);
  expect((await budget.beginRefresh("con_1", 1, NOW + MINUTE_MS)).kind).toBe("yours");
});

test("a refresh that returns late does not revert the token's version", async () => {
  const budget = freshBudget();
  await budget.beginRefresh("con_1", 1, NOW);
  await budget.beginRefresh("con_1", 1, NOW + MINUTE_MS);
  await budget.endRefresh("con_1", 3);
  await budget.endRefresh("con_1", 2);
  expect(await budget.beginRefresh("con_1", 1, NOW + MINUTE_MS)).toEqual({ kind: "done", version: 3 });
});

test("what is left tells the size of a quota that was reported, and what the counted ones have left", async () => {
  const budget = freshBudget();
  const window = { points: 10, perMs: 10 * SECOND_MS };
  await budget.report("core", { ...left(30), size: 60 }, NOW);
  await budget.report("search", left(3), NOW);
  await budget.spend("token", 4, NOW, window);
  expect(await budget.left(NOW, { token: window, other: window })).toEqual({
    pausedUntil: null,
    quotas: {
      core: { remaining: 30, resetAt: RESET, size: 60 },
      search: { remaining: 3, resetAt: RESET, size: null },
    },
    counted: { token: { remaining: 6, window }, other: { remaining: 10, window } },
  });
  const later = await budget.left(NOW + MINUTE_MS, { token: window });
  expect(later.counted.token?.remaining).toBe(10);
});
