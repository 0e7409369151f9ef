import fc from "fast-check";
import { expect, test } from "vitest";
import { boughtQuantity, capacityOf, costCents, findPrice, PRICES } from "./catalogue.ts";

const essential = (platform: string, period: "month" | "year" = "month") =>
  findPrice(`${platform}.essential.${period}`)!;
const rows = (key: string) => findPrice(key)!.brackets.map(({ from, to, cents }) => [from, to, cents]);

test("Essential costs by the bracket of repositories or projects", () => {
  for (const platform of ["github", "gitlab"])
    expect(rows(`${platform}.essential.month`)).toEqual([
      [1, 10, 1_200],
      [11, 50, 2_400],
      [51, 100, 5_000],
      [101, 250, 10_000],
      [251, 500, 15_000],
      [501, 1_000, 25_000],
    ]);
});

test("a year costs twelve months less a fifth", () => {
  expect(rows("github.essential.year").map(([, , cents]) => cents)).toEqual([
    11_520, 23_040, 48_000, 96_000, 144_000, 240_000,
  ]);
  for (const price of PRICES.filter(({ period }) => period === "year")) {
    const month = findPrice(price.key.replace(".year", ".month"))!;
    for (const [index, { cents }] of price.brackets.entries())
      expect(cents * 10).toBe(month.brackets[index]!.cents * 96);
  }
});

test("Pro costs twice as much as Essential for the same quantity", () => {
  for (const price of PRICES.filter(({ plan }) => plan === "pro")) {
    const base = findPrice(price.key.replace(".pro.", ".essential."))!;
    for (const quantity of [1, 10, 11, 150, base.brackets.at(-1)!.to])
      expect(costCents(price, quantity)).toBe(2 * costCents(base, quantity));
  }
});

test("Jira is priced per user from brackets that only lower the price of further users", () => {
  const price = essential("jira");
  const totals = [1, 100, 250, 500, 1_000, 2_000].map((users) => costCents(price, users));
  expect(totals).toEqual([250, 25_000, 58_750, 108_750, 196_250, 346_250]);
});

test("capacities are limited per platform, and Jira is billed monthly only", () => {
  expect(["github", "gitlab", "trello", "notion", "jira"].map((id) => capacityOf(id)?.maximum)).toEqual([
    1_000, 1_000, 200, 200, 2_000,
  ]);
  expect(["github", "gitlab", "trello", "notion", "jira"].map((id) => capacityOf(id)?.minimum)).toEqual([
    1, 1, 10, 1, 1,
  ]);
  expect(["github", "gitlab", "trello", "notion", "jira"].map((id) => capacityOf(id)?.trialMinimum)).toEqual([
    1, 1, 5, 5, 5,
  ]);
  expect(findPrice("jira.essential.year")).toBeNull();
  expect([capacityOf("asana"), capacityOf("toString"), findPrice("asana.essential.month")]).toEqual([
    null,
    null,
    null,
  ]);
});

test("one item more never lowers the cost, brackets have no gap, and a flat bracket is bought whole", () => {
  fc.assert(
    fc.property(fc.constantFrom(...PRICES), fc.integer({ min: 1, max: 2_000 }), (price, wanted) => {
      const top = price.brackets.at(-1)!.to;
      const quantity = Math.min(wanted, top);
      const bought = boughtQuantity(price, quantity);
      expect(bought).toBeGreaterThanOrEqual(quantity);
      expect(costCents(price, bought)).toBe(costCents(price, quantity));
      if (quantity < top) {
        expect(costCents(price, quantity + 1)).toBeGreaterThanOrEqual(costCents(price, quantity));
      }
    }),
  );
  for (const { brackets } of PRICES)
    for (const [index, { from }] of brackets.entries()) expect(from).toBe((brackets[index - 1]?.to ?? 0) + 1);
  expect(() => costCents(essential("github"), 1_001)).toThrow();
  expect(() => costCents(essential("github"), 0)).toThrow();
});
