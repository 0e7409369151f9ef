import type { Catalogue, PaidPlan, Period } from "#app/money/catalogue-view.ts";
import { pricesOf } from "#core/billing/catalogue.ts";

/** The catalogue of all platforms as the API answers it, for tests. */
export function demoCatalogue(): Catalogue {
  const platforms = ["github", "gitlab", "trello", "jira", "notion"];
  return Object.fromEntries(
    platforms.map((platform) => [
      platform,
      { essential: planRow(platform, "essential"), pro_plan: planRow(platform, "pro_plan") },
    ]),
  );
}

function planRow(platform: string, plan: PaidPlan): Catalogue[string][PaidPlan] {
  const row = (period: Period) => {
    const price = pricesOf(platform)?.find(
      (each) => each.plan === (plan === "pro_plan" ? "pro" : "essential") && each.period === period,
    );
    if (!price) return undefined;
    const costs = price.brackets.map(({ from, to, cents }) => ({
      from,
      to,
      cost: cents / 100,
      monthlyCost: cents / 100 / price.months,
    }));
    return {
      ...(price.kind === "flat" ? { planCost: costs } : { unitCost: costs }),
      defaultPlan: { to: price.proposed },
      stripeIds: { priceId: price.key },
    };
  };
  return { month: row("month")!, year: row("year") };
}
