import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { buyPrompt, planBanners } from "./plan-banners.server.ts";
import type { ShellPlatform } from "./shell-view.ts";

const NOW = Date.UTC(2026, 10, 21, 12);

function platform(plan: Partial<ShellPlatform["plan"]>, used = 0, id = "github"): ShellPlatform {
  const endsAt = plan.endsAt ?? null;
  return {
    id,
    label: id,
    accountName: null,
    isRevoked: false,
    plan: { plan: "trial", itemLimit: 10, isActive: endsAt === null || NOW < endsAt, ...plan, endsAt },
    used,
  };
}

const newsOf = (platforms: ShellPlatform[]) => planBanners(platforms, NOW).map(({ news }) => news);

test.each([
  [72 * HOUR_MS, { kind: "trial", daysLeft: 3 }],
  [83 * HOUR_MS, { kind: "trial", daysLeft: 3 }],
  [84 * HOUR_MS, { kind: "trial", daysLeft: 4 }],
  [14 * DAY_MS, { kind: "trial", daysLeft: 14 }],
  [25 * HOUR_MS, { kind: "trial", daysLeft: 1 }],
  [24 * HOUR_MS, { kind: "trial-ends-today" }],
  [1, { kind: "trial-ends-today" }],
])("[B-108] [B-109] a trial with %i ms left says how long it lasts", (leftMs, news) => {
  expect(newsOf([platform({ endsAt: NOW + leftMs })])).toEqual([news]);
});

test("[B-110] a full quota is told for a trial and for a subscription", () => {
  expect(newsOf([platform({ endsAt: NOW + 5 * DAY_MS }, 10)])).toContainEqual({
    kind: "limit",
    isTrial: true,
  });
  expect(newsOf([platform({ plan: "essential", itemLimit: 24 }, 24)])).toEqual([
    { kind: "limit", isTrial: false },
  ]);
  expect(newsOf([platform({ plan: "essential", itemLimit: 24 }, 23)])).toEqual([]);
});

test("[B-111] [B-112] an expired platform is paused for thirty days, then its backups are removed", () => {
  const endsAt = NOW - DAY_MS;
  const keptUntil = endsAt + 30 * DAY_MS;
  expect(newsOf([platform({ endsAt })])).toEqual([{ kind: "paused", isTrial: true, keptUntil }]);
  const old = NOW - 30 * DAY_MS;
  expect(newsOf([platform({ plan: "pro", endsAt: old })])).toEqual([
    { kind: "removed", isTrial: false, keptUntil: NOW },
  ]);
});

test("[B-116] a cancelled subscription warns in its last day only", () => {
  const endsIn = (ms: number) => newsOf([platform({ plan: "essential", endsAt: NOW + ms })]);
  expect(endsIn(23 * HOUR_MS)).toEqual([{ kind: "ends-soon", endsAt: NOW + 23 * HOUR_MS }]);
  expect(endsIn(25 * HOUR_MS)).toEqual([]);
});

test("the most severe news comes first", () => {
  const kinds = newsOf([
    platform({ endsAt: NOW + 3 * DAY_MS }, 10),
    platform({ plan: "pro", endsAt: NOW - DAY_MS }, 0, "trello"),
    platform({ plan: "pro", endsAt: NOW - 40 * DAY_MS }, 0, "jira"),
  ]).map(({ kind }) => kind);
  expect(kinds).toEqual(["removed", "paused", "limit", "trial"]);
});

const owner = { isOwner: true, isRestricted: false, told: null };

test("[B-106] [B-107] [A-108] [A-109] the buy prompt follows what ended last, once, and only when nothing is active", () => {
  const trial = platform({ endsAt: NOW - DAY_MS });
  const paid = platform({ plan: "essential", endsAt: NOW - 2 * DAY_MS }, 0, "trello");
  expect(buyPrompt([trial, paid], owner)).toMatchObject({ kind: "trial", platform: "github" });
  expect(buyPrompt([paid], owner)).toMatchObject({ kind: "subscription", platform: "trello" });
  expect(buyPrompt([trial, platform({ plan: "pro" }, 0, "jira")], owner)).toBeNull();
  expect(buyPrompt([], owner)).toBeNull();
  const told = buyPrompt([trial], owner)?.key ?? null;
  expect(buyPrompt([trial], { ...owner, told })).toBeNull();
  expect(buyPrompt([platform({ endsAt: NOW - 1 })], { ...owner, told })).not.toBeNull();
});

test("[A-355] members, and everybody in the restricted mode, are never asked to buy", () => {
  const ended = [platform({ endsAt: NOW - DAY_MS })];
  expect(buyPrompt(ended, { ...owner, isOwner: false })).toBeNull();
  expect(buyPrompt(ended, { ...owner, isRestricted: true })).toBeNull();
});
