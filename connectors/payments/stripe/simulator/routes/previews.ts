import { z } from "zod";
import { planChange } from "../change.ts";
import { buildSubscription } from "../create-subscription.ts";
import { redeem } from "../discounts.ts";
import { draftInvoice } from "../draft-invoice.ts";
import { endpoint } from "../endpoint.ts";
import { refused, StripeFault } from "../errors.ts";
import { bool, clearable, id, int, params, strings } from "../params.ts";
import type { StripeWorld } from "../state.ts";
import { get, nowFor } from "../store.ts";
import type { Invoice, Subscription } from "../things/subscriptions.ts";
import { upcomingInvoice } from "../timeline.ts";
import { changeOrderOf, invoiceOfChange } from "../update-subscription.ts";
import { living } from "./customers.ts";
import { discounts, items, proration } from "./subscription-fields.ts";

const details = z.strictObject({
  items: items.optional(),
  proration_behavior: proration.optional(),
  proration_date: int.optional(),
  billing_cycle_anchor: z
    .strictObject({ type: z.enum(["now", "unchanged", "timestamp"]), timestamp: int.optional() })
    .optional(),
  billing_mode: z.strictObject({ type: z.literal("flexible") }).optional(),
  default_tax_rates: clearable(strings).optional(),
  cancel_at: clearable(int).optional(),
  cancel_at_period_end: bool.optional(),
  cancel_now: bool.optional(),
});
const previewParams = params({
  customer: id.optional(),
  subscription: id.optional(),
  subscription_details: details.optional(),
  discounts: discounts.optional(),
  preview_mode: z.enum(["next", "recurring"]).optional(),
  currency: z.string().length(3).optional(),
});
type Preview = z.output<typeof previewParams>;

export const previewRoutes = [
  endpoint("POST /v1/invoices/create_preview", previewParams, ({ world, params }) => {
    const invoice =
      params.subscription === undefined
        ? previewNew(world, params)
        : previewOf(world, params.subscription, params);
    // Nothing of a preview can be fetched again.
    for (const line of invoice.lines.data) line.id = line.id.replace(/^il_/, "il_tmp_");
    return invoice;
  }),
];

/** The first invoice of a subscription that does not exist. */
function previewNew(
  world: StripeWorld,
  { customer, subscription_details: given, discounts }: Preview,
): Invoice {
  if (customer === undefined) {
    throw refused("You must provide one of customer, subscription or schedule.", {
      code: "parameter_missing",
      param: "customer",
    });
  }
  const { subscription, lines } = buildSubscription(world, {
    customer: living(world, customer).id,
    items: given?.items ?? [],
    discounts: [],
    taxRates: given?.default_tax_rates ?? [],
    collectionMethod: "charge_automatically",
    daysUntilDue: null,
    defaultMethod: null,
    methodTypes: null,
    trialEnd: null,
    cancelAt: null,
    isCancelledAtPeriodEnd: false,
    description: null,
    metadata: {},
  });
  return draftInvoice(world, subscription, {
    reason: "upcoming",
    lines,
    at: subscription.created,
    discounts: redeem(world, discounts ?? [], {
      customer,
      subscription: subscription.id,
      isPreview: true,
      subtotal: lines.reduce((sum, { amount }) => sum + amount, 0),
    }),
  });
}

/**
 * The next invoice of a subscription: that of a change which is billed at once, or that of the next period
 * (docs.stripe.com/api/invoices/create_preview).
 * @throws StripeFault 404 `invoice_upcoming_none` when no invoice follows
 */
function previewOf(world: StripeWorld, id: string, params: Preview): Invoice {
  const subscription = structuredClone(get(world, "subscription", id));
  if (params.customer !== undefined && params.customer !== subscription.customer) {
    throw refused(`No such subscription: '${id}'`, { code: "resource_missing", param: "subscription" });
  }
  const given = params.subscription_details ?? {};
  if (given.default_tax_rates) subscription.default_tax_rates = given.default_tax_rates;
  if (given.default_tax_rates === null) subscription.default_tax_rates = [];
  if (params.discounts !== undefined) {
    subscription.discounts = redeem(world, params.discounts ?? [], {
      customer: subscription.customer,
      subscription: id,
      isPreview: true,
    });
  }
  if (given.cancel_at_period_end !== undefined) {
    subscription.cancel_at_period_end = given.cancel_at_period_end;
    subscription.cancel_at = null;
  }
  const isAnchoredNow = given.billing_cycle_anchor?.type === "now";
  if (given.items?.length || isAnchoredNow) {
    const billed = previewChange(world, subscription, given, params.preview_mode === "recurring");
    if (billed) return billed;
  }
  demandUpcoming(world, subscription);
  return upcomingInvoice(world, subscription, params.preview_mode === "recurring");
}

/** The invoice of a change that is billed at once; null after applying one that waits for the next period. */
function previewChange(
  world: StripeWorld,
  subscription: Subscription,
  given: z.output<typeof details>,
  isRecurringOnly: boolean,
): Invoice | null {
  const behaviour = given.proration_behavior ?? "create_prorations";
  const isAnchoredNow = given.billing_cycle_anchor?.type === "now";
  const change = planChange(
    world,
    subscription,
    changeOrderOf(world, subscription, {
      items: given.items ?? [],
      isAnchoredNow,
      proration: behaviour,
      prorationDate: given.proration_date ?? null,
    }),
  );
  if (change.isBilledNow && !isRecurringOnly && change.lines.length > 0) {
    return invoiceOfChange(world, subscription, change.lines, "upcoming");
  }
  subscription.items.data = change.items;
  subscription.billing_cycle_anchor = change.anchor;
  if (!change.isBilledNow) subscription.sim.pendingLines.push(...change.lines);
  return null;
}

function demandUpcoming(
  world: StripeWorld,
  { status, cancel_at: end, cancel_at_period_end: isEnding, items, customer }: Subscription,
): void {
  const isEnded = status === "canceled" || status === "incomplete_expired" || status === "incomplete";
  const renewal = Math.min(...items.data.map(({ current_period_end }) => current_period_end));
  const isLast = isEnding || (end !== null && end <= renewal);
  if (!isEnded && !isLast) return;
  throw new StripeFault(404, {
    type: "invalid_request_error",
    code: "invoice_upcoming_none",
    message: `No upcoming invoices for customer: ${get(world, "customer", customer).id} at ${nowFor(world, customer)}`,
  });
}
