import { createElement } from "react";
import { expect, test } from "vitest";
import type { ProviderSubscription } from "#connectors/contract/payment-provider.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { rightOf, toRow } from "#core/payments/projection.ts";
import { renderScreen, textOf } from "#tests/harness/render-screen.tsx";
import { BannerStack } from "./banner-stack.tsx";
import { buyPrompt, planBanners } from "./plan-banners.server.ts";
import type { ShellPlatform, ShellView } from "./shell-view.ts";

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

/** The text of the banner on a platform's list, without its buttons; empty when there is none. */
const shown = (platforms: ShellPlatform[]) => textOf(/<p>.*?<\/p>/.exec(drawn(platforms))?.[0] ?? "");

/** The banner of the first of these platforms, on its list. */
function drawn(platforms: ShellPlatform[]): string {
  const banners = planBanners(platforms, NOW);
  const member = { isOwner: true, timeZone: "UTC" };
  const shell = { banners, member, isRestricted: false, now: NOW } as unknown as ShellView;
  const path = `/platform/dashboard/${platforms[0]?.id}`;
  return renderScreen(createElement(BannerStack, { shell }), path);
}

test.each([
  [72 * HOUR_MS, "3 days left of your free trial"],
  [83 * HOUR_MS, "3 days left of your free trial"],
  [60 * HOUR_MS, "3 days left of your free trial"],
  [84 * HOUR_MS, "4 days left of your free trial"],
  [14 * DAY_MS, "14 days left of your free trial"],
  [25 * HOUR_MS, "1 day left of your free trial"],
  [24 * HOUR_MS, "Your free trial ends today"],
  [1, "Your free trial ends today"],
])("[B-108] [B-109] [B-132] with %i ms left of a trial the banner reads %j", (leftMs, text) => {
  expect(shown([platform({ endsAt: NOW + leftMs })])).toBe(`github: ${text}`);
});

test("[B-110] a full quota has a message for a trial and for a subscription", () => {
  expect(newsOf([platform({ endsAt: NOW + 5 * DAY_MS }, 10)])).toContainEqual({
    kind: "limit",
    isTrial: true,
  });
  expect(shown([platform({ endsAt: NOW + 5 * DAY_MS }, 10)])).toBe(
    "github: You have reached the backup limit on your free trial",
  );
  expect(shown([platform({ plan: "essential", itemLimit: 24 }, 24)])).toBe(
    "github: You have reached the backup limit on your subscription",
  );
  expect(shown([platform({ plan: "essential", itemLimit: 24 }, 23)])).toBe("");
});

test("with more items than the plan includes, a banner says that the others are paused", () => {
  const plan = { plan: "essential" as const, itemLimit: 10 };
  expect(newsOf([platform(plan, 11)])).toEqual([{ kind: "beyond", used: 11, limit: 10 }]);
  expect(shown([platform(plan, 1_046)])).toBe(
    "github: You protect 1,046 items, and your subscription includes 10. The others are paused and keep their versions; the switches in the list choose which.",
  );
  expect(newsOf([platform({ plan: "essential", endsAt: NOW - DAY_MS, itemLimit: 10 }, 11)])).toMatchObject([
    { kind: "paused" },
  ]);
});

test("[B-111] [B-112] an expired platform is paused for thirty days, then its backups are deleted", () => {
  const endsAt = NOW - DAY_MS;
  const keptUntil = endsAt + 30 * DAY_MS;
  expect(newsOf([platform({ endsAt })])).toEqual([{ kind: "paused", isTrial: true, keptUntil }]);
  expect(shown([platform({ endsAt })])).toBe(
    "github: Your free trial has ended. Backups are paused; what was backed up is kept until 20 Dec.",
  );
  const fortnight = NOW - 16 * DAY_MS;
  expect(newsOf([platform({ endsAt: fortnight + 1 })])).toMatchObject([{ kind: "paused" }]);
  expect(newsOf([platform({ endsAt: fortnight })])).toEqual([
    { kind: "removal-ahead", keptUntil: NOW + 14 * DAY_MS },
  ]);
  expect(shown([platform({ endsAt: fortnight })])).toBe(
    "github: Backups are paused, and everything that was backed up will be removed from 5 Dec on. Until then you can restore and download it.",
  );
  const old = NOW - 30 * DAY_MS;
  expect(newsOf([platform({ plan: "pro", endsAt: old })])).toEqual([
    { kind: "removed", isTrial: false, keptUntil: NOW },
  ]);
  expect(newsOf([platform({ plan: "pro", endsAt: old + 1 })])).toMatchObject([{ kind: "removal-ahead" }]);
  expect(shown([platform({ plan: "pro", endsAt: old })])).toContain(
    "Backups were or will be removed for inactivity.",
  );
});

test("[B-282] [B-283] an expired trial of Notion and an unpaid subscription ask to subscribe", () => {
  const unpaid: ProviderSubscription = {
    ...{ id: "sub_1", commandId: null, itemId: "si_1", priceKey: "notion.pro.month", state: "unpaid" },
    ...{ quantity: 10, paidQuantity: 10, periodStart: NOW - 20 * DAY_MS, periodEnd: NOW + 10 * DAY_MS },
    ...{ cancelAt: null, isCancelledByDate: false, endedAt: null, createdAt: NOW - 50 * DAY_MS },
    ...{ isInvoiced: false, latestInvoice: null, pending: null },
  };
  const right = rightOf("notion", [toRow("org_1", unpaid, 10_000)!], NOW - 40 * DAY_MS)!;
  const states = [
    ["Your free trial has ended.", platform({ endsAt: NOW - DAY_MS }, 1, "notion")],
    ["Your subscription has ended.", platform({ plan: right.plan, endsAt: right.endsAt }, 1, "notion")],
  ] as const;
  for (const [text, expired] of states) {
    expect(shown([expired])).toContain(`notion: ${text}`);
    expect(drawn([expired])).toMatch(/href="\/checkout"[^>]*>Subscribe now</);
  }
});

/** A subscription of Jira for `paid` users, whose sites have `users`. */
const perUser = (users: number | null, paid: number, plan: "trial" | "essential" = "essential") => ({
  ...platform({ plan, itemLimit: paid, endsAt: NOW + 9 * DAY_MS }, 12, "jira"),
  users,
});

test("[B-114] [B-115] a banner says that the user count of Jira changed, and that the subscription is recalculated on renewal", () => {
  expect(shown([perUser(1_130, 100)])).toBe(
    "jira: The user count on your account increased to 1,130; 100 are paid for. Your subscription is recalculated on renewal.",
  );
  expect(shown([perUser(40, 100)])).toBe(
    "jira: The user count on your account decreased to 40; 100 are paid for. Your subscription is recalculated on renewal.",
  );
  expect(newsOf([perUser(100, 100)])).toEqual([]);
  expect(newsOf([perUser(null, 100)])).toEqual([]);
  expect(newsOf([perUser(0, 1)])).toEqual([]);
  expect(newsOf([perUser(148, 2_002, "trial")])).toMatchObject([{ kind: "trial" }]);
});

test("more users than are sold lead to the contact page, not to the checkout", () => {
  expect(newsOf([perUser(2_000, 1_999)])).toMatchObject([{ kind: "users-changed" }]);
  expect(newsOf([perUser(2_001, 2_000)])).toEqual([{ kind: "users-beyond", users: 2_001, most: 2_000 }]);
  expect(shown([perUser(2_340, 100)])).toBe(
    "jira: Your account has 2,340 users. More than 2,000 are on request; until we agree on a price, your subscription renews for 2,000.",
  );
  const hrefs = [perUser(2_340, 100), perUser(1_130, 100)].map(
    (each) => /href="([^"]*)"/.exec(drawn([each]))?.[1],
  );
  expect(hrefs).toEqual(["/contact", "/checkout"]);
});

test("[B-116] a cancelled subscription shows a warning only on its last day", () => {
  const endsIn = (ms: number) => newsOf([platform({ plan: "essential", endsAt: NOW + ms })]);
  expect(endsIn(23 * HOUR_MS)).toEqual([{ kind: "ends-soon", endsAt: NOW + 23 * HOUR_MS }]);
  expect(endsIn(25 * HOUR_MS)).toEqual([]);
  expect(shown([platform({ plan: "essential", endsAt: NOW + 23 * HOUR_MS })])).toBe(
    "github: Your subscription ends today. Backups pause on 22 Nov 11:00.",
  );
});

test("the most severe message comes first", () => {
  const kinds = newsOf([
    platform({ endsAt: NOW + 3 * DAY_MS }, 10),
    platform({ plan: "pro", endsAt: NOW - DAY_MS }, 0, "trello"),
    platform({ plan: "pro", endsAt: NOW - 40 * DAY_MS }, 0, "jira"),
  ]).map(({ kind }) => kind);
  expect(kinds).toEqual(["removed", "paused", "limit", "trial"]);
});

const owner = { isOwner: true, isRestricted: false, told: null };

test("[B-106] [B-107] the buy prompt is about what ended last, is shown once, and only if nothing is active", () => {
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

test("[B-168] [B-169] an active subscription or trial needs no payment, an ended one needs a subscription", () => {
  for (const plan of [{ plan: "essential" }, { plan: "pro" }, { endsAt: NOW + 5 * DAY_MS }] as const) {
    const platforms = [platform(plan)];
    expect([plan, buyPrompt(platforms, owner)]).toEqual([plan, null]);
    expect(shown(platforms)).not.toMatch(/ended|paused|removed/);
  }
  const ended = [platform({ plan: "essential", endsAt: NOW - DAY_MS })];
  expect(buyPrompt(ended, owner)).toMatchObject({ kind: "subscription", platform: "github" });
  expect(shown(ended)).toContain("Your subscription has ended. Backups are paused");
});

test("[A-355] members, and everybody in restricted mode, see no buy prompt", () => {
  const ended = [platform({ endsAt: NOW - DAY_MS })];
  expect(buyPrompt(ended, { ...owner, isOwner: false })).toBeNull();
  expect(buyPrompt(ended, { ...owner, isRestricted: true })).toBeNull();
});
