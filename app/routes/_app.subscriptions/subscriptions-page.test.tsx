import { expect, test } from "vitest";
import type { Account, PlatformStatus, Statuses, SubscriptionView } from "#app/money/billing-queries.ts";
import { SUBSCRIPTION_STATES } from "#connectors/contract/payment-provider.ts";
import { renderInFrame } from "#tests/harness/frame-screen.tsx";
import { textOf } from "#tests/harness/render-screen.tsx";
import { SubscriptionsPage } from "./subscriptions-page.tsx";

const NOW = Date.UTC(2026, 10, 26, 9);
const END = Date.UTC(2026, 11, 2, 12);
const LABELS: Record<string, string> = { github: "GitHub", gitlab: "GitLab", trello: "Trello" };

const account: Account = {
  company: null,
  paymentMethod: { id: "pm_1", card: { brand: "visa", last_4: "4242", exp_month: 8, exp_year: 2028 } },
  ...{ balance: 0, publishableKey: "pk_1", scriptUrl: "https://pay.example/js" },
};

function status(platform: string, more: Partial<SubscriptionView> = {}, used = 46): PlatformStatus {
  const subscription: SubscriptionView = {
    ...{ id: "sub_1", type: "subscription", name: "Pro", platformName: LABELS[platform]!, status: "active" },
    ...{ planName: "Pro", plan: "pro_plan", isAnnual: false, periodHours: 12, finishDate: "02/12/2026" },
    ...{ finishDateInMillisecond: END, cost: 48, price: 48, quantity: 50, planQuantity: 50 },
    ...{ addedItemsQuantity: used, isInvoiceRequested: false, isCancel: false, isPaid: true },
    ...{ isConnect: true, rightEnds: END, removedAt: null, latestInvoiceId: "in_1" },
    ...{ nextAttempt: null, pending: null, removed: null, moneyBack: null, isDisputed: false, ...more },
  };
  return { addedItemsQuantity: used, subscription } as PlatformStatus;
}
const trial: Partial<SubscriptionView> = {
  ...{ id: null, type: "trial", name: "Trial", status: "trialing", planName: "Trial", plan: "trial" },
  ...{ cost: null, price: null, latestInvoiceId: null },
};
const none: Partial<SubscriptionView> = { ...trial, type: "no-sub", status: "inactive", plan: null };

/** The page with these platforms, as the server draws it. */
const draw = (statuses: Statuses) =>
  renderInFrame(
    <SubscriptionsPage statuses={statuses} account={account} />,
    { pathname: "/subscriptions" },
    NOW,
  );
/** The line of an app. */
const lineIn = (html: string, platform: string) =>
  new RegExp(`<section[^>]*aria-labelledby="sub-${platform}".*?</section>`, "s").exec(html)?.[0] ?? "";
const line = (more: Partial<SubscriptionView>, used?: number) =>
  lineIn(draw({ github: status("github", more, used) }), "github");
/** The word of the state, and whether a mark stands beside it. */
function chip(more: Partial<SubscriptionView>): [word: string, isMarked: boolean] {
  const found = /<p class="sub-row__chip">(.*?)<\/p>/s.exec(line(more))?.[1] ?? "";
  return [textOf(found), found.includes("<svg")];
}
/** A button or link of a line by its text, and whether it is off. */
function control(html: string, text: string): { isOff: boolean; href: string | null } | null {
  for (const [markup, , attributes, inner] of html.matchAll(/<(button|a)\b([^>]*)>(.*?)<\/\1>/gs)) {
    if (markup && textOf(inner ?? "").startsWith(text))
      return {
        isOff: attributes?.includes('aria-disabled="true"') ?? false,
        href: /href="([^"]*)"/.exec(attributes ?? "")?.[1] ?? null,
      };
  }
  return null;
}

test("[B-051] each subscribed platform has one entry, and one that was never started has none", () => {
  const html = draw({
    github: status("github"),
    gitlab: status("gitlab", { planName: "Essential", plan: "essential" }),
    trello: status("trello", none),
  });
  const entries = [...html.matchAll(/<h3 id="sub-([a-z]+)">(.*?)<\/h3>/gs)];
  expect(entries.map(([, id, title]) => [id, textOf(title ?? "")])).toEqual([
    ["github", "GitHub"],
    ["gitlab", "GitLab"],
  ]);
});

test("[B-052] [B-053] [B-054] [B-055] [B-056] [B-165] the chip names the state, with a mark when somebody must act", () => {
  expect(chip({ status: "active" })).toEqual(["active", false]);
  expect(chip({ status: "unpaid" })).toEqual(["unpaid", true]);
  expect(chip(trial)).toEqual(["trial period", true]);
  expect(chip({ status: "incomplete" })).toEqual(["error", true]);
  expect(chip({ status: "inactive" })).toEqual(["inactive", false]);
  expect(chip({ status: "past_due" })).toEqual(["past due", true]);
  const marked = [...SUBSCRIPTION_STATES, "inactive" as const].filter((status) => chip({ status })[1]);
  expect(marked.toSorted()).toEqual(["incomplete", "past_due", "paused", "trialing", "unpaid"]);
});

test("[B-057] [B-058] [B-059] the cost is that of a month, or of a year: twelve times the monthly figure", () => {
  const cost = (more: Partial<SubscriptionView>) =>
    textOf(/<div class="sub-row__money"><b>(.*?)<\/b>/s.exec(line(more))?.[1] ?? "");
  expect(cost({ cost: 12, isAnnual: false })).toBe("$12/m");
  expect(cost({ cost: 9.6 * 12, isAnnual: true })).toBe("$115.2/y");
});

test("[B-060] [B-061] [B-062] an entry has the plan's name, the finish date and the quantity", () => {
  const pro = textOf(line({ quantity: 50, planQuantity: 50 }));
  for (const text of ["Pro", "Renews 2 Dec", "46 of 50 repositories", "4 left"]) expect(pro).toContain(text);
  const other = textOf(
    line(
      {
        ...{ planName: "Essential", plan: "essential", isCancel: true, planQuantity: 1 },
        finishDateInMillisecond: Date.UTC(2027, 0, 9),
      },
      1,
    ),
  );
  for (const text of ["Essential", "Active until 9 Jan 2027, then stops", "1 of 1 repository"])
    expect(other).toContain(text);
});

test("[B-285] [P-456] a plan of 2002 users has no limit", () => {
  const jira = {
    ...status("github", { ...trial, planQuantity: 2_002, platformName: "Jira" }, 12),
    domainUsersNumber: 148,
  };
  expect(textOf(lineIn(draw({ jira }), "jira"))).toContain("148 users, unlimited");
});

/** The line of a subscription of Jira whose sites have so many users. */
function jiraLine(users: number | null, bought: number): string {
  const of = status("jira", { platformName: "Jira", quantity: bought, planQuantity: bought }, 12);
  return lineIn(draw({ jira: { ...of, domainUsersNumber: users } }), "jira");
}

test("[P-451] above 2000 users the subscription of Jira cannot be edited without us", () => {
  const edit = (users: number | null, bought: number) =>
    control(jiraLine(users, bought), "Edit subscription");
  expect(edit(2_000, 2_000)).toEqual({ isOff: false, href: "/checkout" });
  expect(edit(2_001, 2_000)).toMatchObject({ isOff: true, href: null });
  expect(edit(null, 2_001)).toMatchObject({ isOff: true, href: null });
  expect(textOf(jiraLine(2_001, 2_000))).toContain("Above 2,000 users: contact us");
});

test("a subscription per user shows the users of the account, and says while they are not known", () => {
  expect(textOf(jiraLine(130, 100))).toContain("130 of 100 users");
  expect(textOf(jiraLine(130, 100))).toContain("30 more on renewal");
  expect(textOf(jiraLine(null, 100))).toContain(
    "100 users included; how many your account has is not known yet",
  );
});

test("[B-065] [B-067] the page leads to the checkout and to the payment history", () => {
  const html = draw({ github: status("github") });
  expect(control(lineIn(html, "github"), "Edit subscription")).toEqual({ isOff: false, href: "/checkout" });
  expect(control(html, "Payment history")).toEqual({ isOff: false, href: "/payment-history" });
});

test("[B-163] every state is drawn with its word", () => {
  const words = ([...SUBSCRIPTION_STATES, "inactive"] as const).map((each) => [
    each,
    chip({ status: each })[0],
  ]);
  expect(Object.fromEntries(words)).toEqual({
    ...{ active: "active", past_due: "past due", unpaid: "unpaid", canceled: "inactive" },
    ...{ incomplete: "error", incomplete_expired: "inactive", trialing: "trial period", paused: "error" },
    inactive: "inactive",
  });
});

test("[B-164] an ended subscription is shown as ended, and can be bought again", () => {
  for (const each of ["canceled", "incomplete_expired"] as const) {
    const html = line({ status: each, removedAt: Date.UTC(2026, 11, 26) });
    expect(html).toContain('class="badge badge-dash"');
    expect(textOf(html)).toContain("46 repositories, no new backups");
    expect(control(html, "Start again")).toEqual({ isOff: false, href: "/checkout" });
    expect(control(html, "Edit subscription")).toBeNull();
  }
});

test("[B-172] [B-173] only an active subscription that is no trial can be cancelled", () => {
  const isOpen = (more: Partial<SubscriptionView>) => control(line(more), "Cancel")?.isOff === false;
  const open = [...SUBSCRIPTION_STATES, "inactive" as const].filter((status) => isOpen({ status }));
  expect(open).toEqual(["active"]);
  for (const status of ["past_due", "unpaid"] as const)
    expect([status, control(line({ status }), "Cancel")?.isOff]).toEqual([status, true]);
  expect(control(line(trial), "Cancel")?.isOff).toBe(true);
  expect(isOpen({ ...trial, status: "active" })).toBe(false);
});

test("everything is cancelled at once only while something can be", () => {
  const all = (more: Partial<SubscriptionView>) =>
    control(draw({ github: status("github", more) }), "Cancel all")?.isOff;
  expect([all({}), all({ isCancel: true }), all({ status: "past_due" }), all(trial)]).toEqual([
    ...[false, true, true, true],
  ]);
});
