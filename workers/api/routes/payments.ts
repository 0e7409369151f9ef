import { z } from "zod";
import { companySchema } from "#core/billing/company.schema.ts";
import { listTrialStatuses, type OfferedPrice, PAID_PLANS, PERIODS, pricesOf } from "#core/billing/index.ts";
import { listAllConnections, listStorageRegions } from "#core/connections/index.ts";
import { countProtectedItems } from "#core/inventory/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { canUse, requireOwner } from "#core/organisations/index.ts";
import { findStorageSummary } from "#core/replicas/index.ts";
import { type Api, mountRoute } from "../mount-route.ts";

const tag = "Payments";
/** Error codes of calls that only the owner may make. */
const OWNER = ["err.role.forbidden"] as const;

/** Calls about money: prices, trials and subscriptions (spec part 3 section 7). */
export function mountPayments(api: Api): void {
  mountPrices(api);
  mountTrialStatuses(api);
  mountCompany(api);
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

function mountTrialStatuses(api: Api): void {
  mountRoute(api, {
    method: "GET",
    path: "/payments/get-platforms-trial-statuses",
    summary: "Trial and subscription of every platform",
    tag,
    input: z.strictObject({}),
    result: z.record(
      z.string(),
      z.object({
        trialStatus: z.enum(["not started", "active", "expired"]),
        trialHoursLeft: z.int().min(0),
        planQuantity: z.int().min(0),
        addedItemsQuantity: z.int().min(0),
        availableItemsQuantity: z.int().min(0),
        subscription_type: z.enum(["pro_plan", "essential"]).nullable(),
        subscription_status: z.enum(["active", "inactive"]).nullable(),
        s3_region: z.string().optional(),
        cloud_storages: z.array(z.string()),
        isConnectionActive: z.boolean(),
      }),
    ),
    handle: async (s, m) => {
      const platforms = [...s.connectors.keys()].filter((platform) => canUse(m, platform));
      const statuses = await listTrialStatuses(s, m.organisationId, platforms);
      const counts = await countProtectedItems(s, m, await listAllConnections(s, m));
      const storage = await findStorageSummary(s, m.organisationId);
      const regions = await listStorageRegions(s, m);
      const wire = [...statuses].map(([platform, status]) => {
        const { trialStatus, trialHoursLeft, planQuantity } = status;
        const addedItemsQuantity = counts.get(platform) ?? 0;
        const availableItemsQuantity = Math.max(0, planQuantity - addedItemsQuantity);
        const quantities = { planQuantity, addedItemsQuantity, availableItemsQuantity };
        const subscription = {
          subscription_type: status.subscriptionType,
          subscription_status: status.subscriptionStatus,
        };
        const isCopied = storage?.platforms.includes(platform) ?? false;
        const place = {
          s3_region: regions.get(platform),
          cloud_storages: isCopied && storage ? [storage.kind] : [],
          isConnectionActive: isCopied && storage?.isActive === true,
        };
        return [platform, { trialStatus, trialHoursLeft, ...quantities, ...subscription, ...place }];
      });
      return { result: Object.fromEntries(wire) };
    },
  });
}

function mountCompany(api: Api): void {
  mountRoute(api, {
    method: "PUT",
    path: "/payments/stripe-update-company",
    summary: "Change the billing address",
    tag,
    input: companySchema,
    result: z.null(),
    refuses: [...OWNER, "err.payment.method.missing"],
    handle: async (_s, m) => {
      requireOwner(m);
      // There is no checkout yet, so no payment method can exist. The URL would be the payment provider's.
      throw new AppError("err.payment.method.missing");
    },
  });
}
