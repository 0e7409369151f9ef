import { z } from "zod";
import { type OfferedPrice, PAID_PLANS, PERIODS, pricesOf } from "#core/billing/index.ts";

/** The spec's names of the paid plans. */
const PLAN_NAMES = { essential: "essential", pro: "pro_plan" } as const;

const bracketsAnswer = z
  .array(z.object({ from: z.int(), to: z.int(), cost: z.number(), monthlyCost: z.number() }))
  .describe("In US dollars, for the period and for a month");
const priceAnswer = z.object({
  planCost: bracketsAnswer.optional().describe("Each bracket has one cost for all its quantities"),
  unitCost: bracketsAnswer.optional().describe("Each unit costs what its bracket says"),
  defaultPlan: z.object({ to: z.int() }),
  minimum: z.int().describe("The smallest quantity that is sold"),
  trialMinimum: z.int().describe("The smallest quantity while the platform's trial runs"),
  stripeIds: z.object({ priceId: z.string().describe("Name it when subscribing") }),
});
const planAnswer = z.object({ month: priceAnswer, year: priceAnswer.optional() });

/** The prices that are sold, by platform, plan and period (spec part 3 section 3, "Plan catalogue"). */
export const catalogueAnswer = z.record(
  z.string(),
  z.object({ essential: planAnswer, pro_plan: planAnswer }),
);

/** The catalogue of these platforms. One that is not sold is left out. */
export function catalogueOf(platforms: Iterable<string>): z.input<typeof catalogueAnswer> {
  return Object.fromEntries(
    [...platforms].flatMap((platform) => {
      const prices = pricesOf(platform);
      return prices ? [[platform, plansOf(prices)] as const] : [];
    }),
  );
}

function plansOf(prices: readonly OfferedPrice[]) {
  const plans = PAID_PLANS.map((plan) => {
    const periods = PERIODS.flatMap((period) => {
      const price = prices.find((each) => each.plan === plan && each.period === period);
      return price ? [[period, priceRow(price)] as const] : [];
    });
    return [PLAN_NAMES[plan], Object.fromEntries(periods)] as const;
  });
  return Object.fromEntries(plans) as z.input<typeof catalogueAnswer>[string];
}

function priceRow(price: OfferedPrice): z.input<typeof priceAnswer> {
  const { key, kind, brackets, months, proposed, minimum, trialMinimum } = price;
  const costs = brackets.map(({ from, to, cents }) => ({
    from,
    to,
    cost: cents / 100,
    monthlyCost: cents / months / 100,
  }));
  return {
    [kind === "flat" ? "planCost" : "unitCost"]: costs,
    defaultPlan: { to: proposed },
    minimum,
    trialMinimum,
    stripeIds: { priceId: key },
  };
}
