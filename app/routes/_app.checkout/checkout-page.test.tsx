import { afterEach, expect, test, vi } from "vitest";
import { fullDateText } from "#app/format/dates.ts";
import type { Account, PlatformStatus, Statuses } from "#app/money/billing-queries.ts";
import { usd } from "#app/money/usd.ts";
import { CHECKOUT_PLATFORM_KEY } from "#app/shell/checkout-platform.ts";
import { findPrice } from "#core/billing/catalogue.ts";
import { demoCatalogue } from "#tests/harness/catalogue-fixtures.ts";
import { renderInFrame } from "#tests/harness/frame-screen.tsx";
import { memoryStorage } from "#tests/harness/memory-storage.ts";
import { textOf } from "#tests/harness/render-screen.tsx";
import { type Memory, NO_MEMORY } from "./checkout-memory.ts";
import { CheckoutPage } from "./checkout-page.tsx";
import type { Choice } from "./choice.ts";

const NOW = Date.UTC(2027, 0, 31, 12);
const catalogue = demoCatalogue();
const PLATFORMS = ["github", "gitlab", "trello", "jira", "notion"];
const ACCOUNT: Account = {
  company: null,
  paymentMethod: null,
  balance: 0,
  publishableKey: "pk",
  scriptUrl: "",
};

afterEach(() => vi.unstubAllGlobals());

const status = (more: object) => ({ trialHoursLeft: 0, addedItemsQuantity: 0, ...more }) as PlatformStatus;
const noPlan = status({ trialStatus: "not started", subscription: { type: "no-sub", status: "inactive" } });
const trial = (used: number) =>
  status({
    ...{ trialStatus: "active", trialHoursLeft: 72, addedItemsQuantity: used },
    subscription: { type: "trial", status: "trialing", plan: "trial", pending: null },
  });
const bought = (more: object = {}, used = 4) =>
  status({
    ...{ trialStatus: "expired", addedItemsQuantity: used },
    subscription: {
      ...{ type: "subscription", status: "active", plan: "essential", planName: "Essential" },
      ...{ isAnnual: false, quantity: 50, pending: null },
      ...more,
    },
  });

/** The checkout of an owner, opened for a platform by a button, with what was chosen for it before. */
function open({
  platform = "github",
  choice = {},
  statuses = {},
  reached = 1,
  search = "",
  account = ACCOUNT,
  now = NOW,
}: {
  platform?: string | null;
  choice?: Partial<Choice>;
  statuses?: Readonly<Record<string, PlatformStatus>>;
  reached?: number;
  search?: string;
  account?: Account;
  now?: number;
} = {}): string {
  const chosen: Choice = {
    platform: platform ?? "",
    plan: "essential",
    period: "month",
    quantity: 10,
    ...choice,
  };
  const isChosen = platform !== null && Object.keys(choice).length > 0;
  const memory: Memory = {
    ...NO_MEMORY,
    ...(isChosen ? { current: platform, choices: { [platform]: chosen } } : {}),
    reached,
  };
  vi.stubGlobal("window", {
    localStorage: memoryStorage(platform === null ? {} : { [CHECKOUT_PLATFORM_KEY]: platform }),
    sessionStorage: memoryStorage({ checkout: JSON.stringify(memory) }),
  });
  const all: Statuses = Object.fromEntries(PLATFORMS.map((id) => [id, statuses[id] ?? noPlan]));
  const page = <CheckoutPage catalogue={catalogue} statuses={all} account={account} />;
  return renderInFrame(page, { pathname: "/checkout", path: "checkout", search }, now);
}

const buttons = (html: string, label: string) =>
  [...html.matchAll(/<button([^>]*)>(.*?)<\/button>/gs)]
    .map(([, attributes = "", inner = ""]) => ({ attributes, text: textOf(inner) }))
    .filter(({ text }) => text.startsWith(label));
/** Why Continue is off; null when it is on. It stands in the bill and at the bottom of a phone's screen. */
function refused(html: string): string | null {
  const both = buttons(html, "Continue");
  expect(both).toHaveLength(2);
  const [first] = both.map(({ attributes, text }) =>
    attributes.includes('aria-disabled="true"') ? text.slice("Continue".length).trim() : null,
  );
  return first ?? null;
}
const bill = (html: string) => textOf(html.match(/<aside.*?<\/aside>/s)?.[0] ?? "");
const radios = (html: string, name: string) =>
  [...html.matchAll(/<input([^>]*)>/g)]
    .map(([, attributes = ""]) => attributes)
    .filter((attributes) => attributes.includes(`name="${name}"`))
    .map((attributes) => [/value="([^"]*)"/.exec(attributes)?.[1] ?? "", attributes.includes("checked")]);
/** What stands under the name of each plan. */
const plans = (html: string) =>
  (html.match(/<div class="plan-compare".*?<\/section>/s)?.[0] ?? "")
    .split('<div class="choice">')
    .slice(1)
    .map(textOf);

test("[B-036] step 1 offers the five apps, and the one that a button was pressed for is chosen", () => {
  expect(radios(open({ platform: "trello" }), "app")).toEqual(PLATFORMS.map((id) => [id, id === "trello"]));
});

test("[B-037] step 1 has a slider and a number for the capacity", () => {
  const html = open({ platform: "gitlab", choice: { quantity: 37 } });
  expect(html).toMatch(/<input type="range"[^>]*aria-valuetext="50 projects"/);
  expect(html).toMatch(
    /<input(?=[^>]* type="number")(?=[^>]* value="37")[^>]* aria-label="Number of projects"/,
  );
});

test("[A-025] [B-038] three plans are chosen from: Essential, Pro, Enterprise", () => {
  expect(radios(open(), "plan")).toEqual([
    ["essential", true],
    ["pro_plan", false],
    ["enterprise", false],
  ]);
  expect(plans(open()).map((text) => text.split(" ")[0])).toEqual(["Essential", "Pro", "Enterprise"]);
});

test("[B-003] [B-030] [B-039] Enterprise has no price and leads to the contact page", () => {
  const html = open();
  expect(plans(html)[2]).toContain("On request");
  expect(plans(html)[2]).not.toContain("$");
  expect(html).toMatch(/<a[^>]* href="\/contact"[^>]*>Contact Us<\/a>/);
  expect(catalogue.github).not.toHaveProperty("enterprise");
  expect(findPrice("github.enterprise.month")).toBeNull();
});

test("[B-040] monthly or annual billing changes the prices", () => {
  const monthly = open();
  const yearly = open({ choice: { period: "year" } });
  expect(radios(monthly, "period").map(([, isOn]) => isOn)).toEqual([true, false]);
  expect(radios(yearly, "period").map(([, isOn]) => isOn)).toEqual([false, true]);
  expect(plans(monthly).slice(0, 2)).toEqual([
    expect.stringMatching(/^Essential \$12\.00 a month/),
    expect.stringMatching(/^Pro \$24\.00 a month/),
  ]);
  expect(plans(yearly).slice(0, 2)).toEqual([
    expect.stringMatching(/^Essential \$9\.60 a month/),
    expect.stringMatching(/^Pro \$19\.20 a month/),
  ]);
});

test("[B-298] the checkout opens with 1 to 10 at 12 dollars a month", () => {
  expect(refused(open())).toBeNull();
  expect(bill(open())).toMatch(
    /^Your bill GitHub Essential 1 to 10 repositories, 1 month \$12\.00 Due today \$12\.00/,
  );
});

test("[B-046] without an app Continue is off", () => {
  const html = open({ platform: null });
  expect(refused(html)).toBe("Choose an app");
  expect(radios(html, "app").some(([, isOn]) => isOn)).toBe(false);
  expect(bill(html)).toContain("Choose an app to see its price.");
});

test("[B-047] [B-226] the plan and quantity that run already cannot be bought, and a sentence says so", () => {
  const statuses = { github: bought() };
  const same = open({ statuses, choice: { quantity: 50 } });
  expect(refused(same)).toBe("Already active");
  expect(textOf(same)).toContain("This subscription is already active");
  const more = open({ statuses, choice: { quantity: 100 } });
  expect(refused(more)).toBeNull();
  expect(textOf(more)).not.toContain("This subscription is already active");
});

test.each([
  ["[B-048] [B-186] Enterprise is chosen", { plan: "enterprise" } as const],
  ["[B-187] the capacity is above the top bracket", { quantity: 1_001 }],
])("%s: prices are hidden, Contact Us is shown and Continue is off", (_what, choice) => {
  const html = open({ choice });
  expect(refused(html)).toBe("Contact us for this plan");
  expect(bill(html)).toContain("This plan has no list price.");
  expect(bill(html)).not.toContain("$");
  expect(html).toMatch(/href="\/contact"[^>]*>Contact Us</);
  if ("quantity" in choice) for (const plan of plans(html)) expect(plan).not.toContain("$");
});

test("[B-049] a quantity of 0 turns Continue off", () => {
  for (const platform of PLATFORMS)
    expect([platform, refused(open({ platform, choice: { quantity: 0 } }))]).toEqual([
      platform,
      "Choose a capacity",
    ]);
});

test("[B-050] a quantity below the trial's items turns Continue off", () => {
  const statuses = { github: trial(20) };
  expect(refused(open({ statuses, choice: { quantity: 10 } }))).toBe("At least 20");
  expect(refused(open({ statuses, choice: { quantity: 20 } }))).toBeNull();
});

test("[B-227] a plan that holds fewer than are backed up is warned of, in Jira by users", () => {
  const fewer = "You're choosing a plan that supports fewer backups than you currently have.";
  expect(textOf(open({ statuses: { github: bought({}, 20) }, choice: { quantity: 10 } }))).toContain(fewer);
  expect(textOf(open({ statuses: { github: bought({}, 20) }, choice: { quantity: 100 } }))).not.toContain(
    fewer,
  );
  const jira = (users: number | null) =>
    textOf(
      open({
        platform: "jira",
        statuses: { jira: { ...bought({}, 3), domainUsersNumber: users } },
        choice: { quantity: 10 },
      }),
    );
  expect(jira(20)).toContain(fewer.replace("backups", "users"));
  expect(jira(20)).toContain("20 users are on your account today");
  expect(jira(10)).not.toContain("supports fewer");
  expect(jira(null)).not.toContain("supports fewer");
  expect(jira(null)).toContain("How many users your account has is not known yet");
});

test("a smaller plan says how many items pause and which, that nothing is deleted, and where to choose others", () => {
  const say = (platform: string, used: number, quantity: number) =>
    open({ platform, statuses: { [platform]: bought({}, used) }, choice: { quantity } });
  // All of a bracket is bought, so that 7 are 10.
  const many = say("github", 20, 7);
  expect(textOf(many)).toContain("the 10 repositories that were protected last pause. Nothing is deleted");
  expect(many).toMatch(/<a[^>]*href="\/platform\/dashboard\/github"[^>]*>Choose repositories</);
  expect(textOf(say("gitlab", 11, 10))).toContain(
    "the project that was protected last pauses. Nothing is deleted",
  );
  for (const quiet of [say("github", 20, 11), say("jira", 20, 10)])
    expect(textOf(quiet)).not.toMatch(/protected last/);
  // What is backed up already takes its part of the bracket.
  expect(textOf(many)).not.toContain("room for");
  expect(textOf(say("github", 20, 11))).toContain("You have room for 30 more");
  // A trial cannot be bought smaller than what it holds, so nothing would pause.
  const refusedOne = open({ statuses: { github: trial(20) }, choice: { quantity: 10 } });
  expect(textOf(refusedOne)).not.toMatch(/protected last/);
});

test("[B-224] Trello's capacity cannot go below 10", () => {
  const html = open({ platform: "trello", choice: { quantity: 9 } });
  expect(refused(html)).toBe("At least 10");
  expect(textOf(html)).toContain("The smallest plan has 10 boards.");
  expect(html).toMatch(/<input class="mono" type="number"[^>]*min="10"/);
  expect(html).toMatch(/<input type="range"[^>]*min="0"[^>]*aria-valuetext="10 boards"/);
  expect(refused(open({ platform: "trello", choice: { quantity: 10 } }))).toBeNull();
});

test("[B-225] a trial needs five, except on GitHub and GitLab", () => {
  for (const platform of PLATFORMS) {
    const isFree = platform === "github" || platform === "gitlab";
    const four = refused(open({ platform, statuses: { [platform]: trial(0) }, choice: { quantity: 4 } }));
    const expected = isFree ? null : platform === "trello" ? "At least 10" : "At least 5";
    expect([platform, four]).toEqual([platform, expected]);
    expect(catalogue[platform]?.essential.month.trialMinimum).toBe(isFree ? 1 : 5);
  }
});

for (const [row, platform, most] of [
  ["B-304", "github", 1_000],
  ["B-305", "gitlab", 1_000],
  ["B-306", "trello", 200],
  ["B-307", "notion", 200],
  ["B-308", "jira", 2_000],
] as const)
  test(`[${row}] the capacity of ${platform} goes up to ${most}, and one more is on request`, () => {
    const top = open({ platform, choice: { quantity: most } });
    expect(refused(top)).toBeNull();
    expect(bill(top)).toContain("Due today $");
    const above = open({ platform, choice: { quantity: most + 1 } });
    expect(refused(above)).toBe("Contact us for this plan");
    expect(above).toContain(`<span>${most}+</span>`);
    expect(above).toMatch(/href="\/contact"[^>]*>Contact Us</);
  });

test("[B-311] above the top the capacity reads unlimited", () => {
  for (const [platform, most] of [
    ["github", 1_000],
    ["gitlab", 1_000],
    ["trello", 200],
  ] as const) {
    const html = open({ platform, choice: { quantity: most + 1 } });
    expect(html).toMatch(/<input type="range"[^>]*aria-valuetext="unlimited"/);
    expect(html).toMatch(/<output[^>]*>unlimited<\/output>/);
    expect(open({ platform, choice: { quantity: most } })).not.toContain("unlimited<");
  }
});

test("[B-309] Jira is billed monthly only", () => {
  const html = open({ platform: "jira", choice: { period: "year", quantity: 10 } });
  expect(radios(html, "period")).toEqual([]);
  expect(textOf(html)).toContain("Billed monthly only");
  expect(catalogue.jira?.essential.year).toBeUndefined();
});

test("[B-310] Jira costs by the user, less for those of a higher bracket", () => {
  for (const [users, due] of [
    [1, "$2.50"],
    [100, "$250.00"],
    [101, "$252.25"],
    [250, "$587.50"],
    [500, "$1,087.50"],
    [1_000, "$1,962.50"],
    [2_000, "$3,462.50"],
  ] as const)
    expect(bill(open({ platform: "jira", choice: { quantity: users } }))).toContain(`Due today ${due}`);
});

const TIERS = [
  { from: 1, to: 10, month: 1_200, year: 11_520, perMonth: "$9.60" },
  { from: 11, to: 50, month: 2_400, year: 23_040, perMonth: "$19.20" },
  { from: 51, to: 100, month: 5_000, year: 48_000, perMonth: "$40.00" },
  { from: 101, to: 250, month: 10_000, year: 96_000, perMonth: "$80.00" },
  { from: 251, to: 500, month: 15_000, year: 144_000, perMonth: "$120.00" },
  { from: 501, to: 1_000, month: 25_000, year: 240_000, perMonth: "$200.00" },
];

test("[B-286] [B-287] [B-288] [B-289] [B-290] [B-291] [B-031] both ends of each bracket cost what the specification lists for a month", () => {
  for (const platform of ["github", "gitlab"])
    for (const { from, to, month } of TIERS)
      for (const quantity of [from, to]) {
        const html = open({ platform, choice: { quantity } });
        expect([quantity, plans(html)[0]]).toEqual([
          quantity,
          expect.stringContaining(`Essential ${usd(month)} a month`),
        ]);
        expect(bill(html)).toContain(`Due today ${usd(month)}`);
      }
});

test("[B-292] [B-293] [B-294] [B-295] [B-296] [B-297] [A-024] a year costs twelve months less a fifth, and the bill shows it", () => {
  for (const { to, month, year, perMonth } of TIERS) {
    const html = open({ choice: { quantity: to, period: "year" } });
    expect(plans(html)[0]).toContain(`Essential ${perMonth} a month`);
    expect(year).toBe((month * 12 * 8) / 10);
    expect(bill(html)).toContain(`12 months ${usd(month * 12)}`);
    expect(bill(html)).toContain(`Annual billing 20% off ${usd(year - month * 12)}`);
    expect(bill(html)).toContain(`Due today ${usd(year)}`);
  }
  expect(textOf(open())).toContain("Annually saves 20%");
});

test("[B-313] every price is in dollars", () => {
  for (const platform of PLATFORMS)
    for (const period of ["month", "year"] as const) {
      const text = textOf(
        open({ platform, choice: { quantity: 10, period: platform === "jira" ? "month" : period } }),
      );
      const prices = text.match(/\S*\d\.\d\d(?!\d)/g) ?? [];
      expect(prices.length).toBeGreaterThan(3);
      for (const price of prices) expect(price).toMatch(/^−?\$[\d,]+\.\d\d$/);
    }
});

test("[B-314] [B-315] the renewal is a month or a year after the purchase, on the last day of a shorter month", () => {
  const renews = (now: number, period: "month" | "year") =>
    /Renews on (.*?) \$/.exec(bill(open({ now, choice: { period } })))?.[1];
  const day = (...date: [number, number, number]) => fullDateText(Date.UTC(...date, 12), "Europe/Berlin");
  expect(renews(Date.UTC(2027, 4, 20, 12), "month")).toBe(day(2027, 5, 20));
  expect(renews(Date.UTC(2027, 4, 20, 12), "year")).toBe(day(2028, 4, 20));
  expect(renews(Date.UTC(2027, 0, 31, 12), "month")).toBe(day(2027, 1, 28));
  expect(renews(Date.UTC(2028, 1, 29, 12), "year")).toBe(day(2029, 1, 28));
});

test("[B-176] a later step opens only after those before it", () => {
  const step = (html: string) => /aria-current="step"[^>]*>.*?<span class="t">([^<]*)/s.exec(html)?.[1];
  const choice = { quantity: 10 };
  expect(step(open({ choice, search: "?step=3" }))).toBe("Backup capacity");
  expect(step(open({ choice, search: "?step=2" }))).toBe("Backup capacity");
  expect(step(open({ choice, reached: 2, search: "?step=3" }))).toBe("Company details");
  expect(step(open({ choice, reached: 3, search: "?step=3" }))).toBe("Company details");
  expect(step(open({ choice: { quantity: 0 }, reached: 3, search: "?step=3" }))).toBe("Backup capacity");
  const address = {
    country: "DE",
    state: null,
    city: "Hamburg",
    line1: "Kai 1",
    line2: null,
    postal_code: "20457",
  };
  const account = {
    ...ACCOUNT,
    company: { name: "Meridian", address, tax_details: [], reverse_charge: false },
  };
  expect(step(open({ choice, reached: 3, search: "?step=3", account }))).toBe("Payment details");
});
