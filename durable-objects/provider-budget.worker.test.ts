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

test("a reserve is kept for urgent callers", async () => {
  const budget = freshBudget();
  await budget.report("core", left(10), NOW);
  expect(await budget.spend("core", 1, NOW, 10)).toEqual({ kind: "wait", until: RESET });
  expect(await budget.spend("core", 1, NOW)).toEqual({ kind: "granted" });
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
  const answers = await Promise.all(moments.map((at) => budget.spend("key", 1, at, 0, window)));
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
  const ask = () => budget.spend("token", 1, NOW, 0, window);
  const answers = await Promise.all(Array.from({ length: 100 }, ask));
  expect(answers.filter(({ kind }) => kind === "granted")).toHaveLength(30);
  await evictDurableObject(budget);
  const waiting = await ask();
  if (waiting.kind === "granted") throw new Error("It was refilled.");
  expect(await budget.spend("token", 1, waiting.until - 1, 0, window)).toEqual(waiting);
  expect(await budget.spend("token", 1, waiting.until, 0, window)).toEqual({ kind: "granted" });
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
  await budget.spend("token", 4, NOW, 0, window);
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
