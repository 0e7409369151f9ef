import { z } from "zod";
import { type OfferedPrice, PAID_PLANS, PERIODS, pricesOf } from "#core/billing/index.ts";
import { type Api, mountRoute } from "../mount-route.ts";
import { ACCOUNT } from "./payments/account.ts";
import { CARDS } from "./payments/cards.ts";
import { CHECKOUT } from "./payments/checkout.ts";
import { mountStatuses } from "./payments/statuses.ts";
import { SUBSCRIPTIONS } from "./payments/subscriptions.ts";
import { tag } from "./payments/words.ts";

/** Calls about money: prices, trials and subscriptions (spec part 3 section 7). */
export function mountPayments(api: Api, platforms: readonly string[]): void {
  mountPrices(api);
  mountStatuses(api, platforms);
  for (const mount of [...CHECKOUT, ...CARDS, ...SUBSCRIPTIONS, ...ACCOUNT]) mount(api);
}

/** The spec's names of the paid plans. */
const PLAN_NAMES = { essential: "essential", pro: "pro_plan" } as const;

const bracketsAnswer = z
  .array(z.object({ from: z.int(), to: z.int(), cost: z.number(), monthlyCost: z.number() }))
  .describe("In US dollars, for the period and for a month");
const priceAnswer = z.object({
  planCost: bracketsAnswer.optional().describe("Each bracket has one cost for all its quantities"),
  unitCost: bracketsAnswer.optional().describe("Each unit costs what its bracket says"),
  defaultPlan: z.object({ to: z.int() }),
  stripeIds: z.object({ priceId: z.string().describe("Name it when subscribing") }),
});
const planAnswer = z.object({ month: priceAnswer, year: priceAnswer.optional() });

function mountPrices(api: Api): void {
  mountRoute(api, {
    method: "GET",
    // The spec writes the path with a slash at its end.
    path: "/payments/stripe-get-prices/",
    summary: "Prices of every platform",
    tag,
    input: z.strictObject({}),
    result: z.record(z.string(), z.object({ essential: planAnswer, pro_plan: planAnswer })),
    handle: async (s) => {
      const sold = [...s.connectors.keys()].flatMap((platform) => {
        const prices = pricesOf(platform);
        return prices ? [[platform, catalogueRow(prices)] as const] : [];
      });
      return { result: Object.fromEntries(sold) };
    },
  });
}

/** The prices of a platform by plan and period, in the spec's names (part 3 section 3, "Plan catalogue"). */
function catalogueRow(prices: readonly OfferedPrice[]) {
  return Object.fromEntries(
    PAID_PLANS.map((plan) => [
      PLAN_NAMES[plan],
      Object.fromEntries(
        PERIODS.flatMap((period) => {
          const price = prices.find((each) => each.plan === plan && each.period === period);
          return price ? [[period, priceRow(price)] as const] : [];
        }),
      ),
    ]),
  );
}

function priceRow({ key, kind, brackets, months, proposed }: OfferedPrice) {
  const costs = brackets.map(({ from, to, cents }) => ({
    from,
    to,
    cost: cents / 100,
    monthlyCost: cents / months / 100,
  }));
  return {
    [kind === "flat" ? "planCost" : "unitCost"]: costs,
    defaultPlan: { to: proposed },
    stripeIds: { priceId: key },
  };
}
