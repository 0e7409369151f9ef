import type Stripe from "stripe";
import { z } from "zod";
import type { StripeDeps } from "./client.ts";
import { asking, read } from "./failures.ts";

const NAME = "holdfast-1";

/**
 * What people may do in the portal: invoices, card, address and tax id. Plans and cancellations are changed only here, so
 * that what was agreed is what was shown (docs.stripe.com/customer-management/configure-portal).
 */
const FEATURES = {
  invoice_history: { enabled: true },
  payment_method_update: { enabled: true },
  customer_update: { enabled: true, allowed_updates: ["address", "tax_id"] },
  subscription_cancel: { enabled: false },
  subscription_pause: { enabled: false },
  subscription_update: { enabled: false, default_allowed_updates: [], products: [] },
} satisfies Stripe.BillingPortal.ConfigurationCreateParams.Features;

const configuration = z.looseObject({
  id: z.string(),
  metadata: z.record(z.string(), z.string()).nullish(),
  features: z.record(
    z.string(),
    z.looseObject({ enabled: z.boolean(), allowed_updates: z.array(z.string()).nullish() }),
  ),
});

/**
 * Returns the id of our own configuration of the portal. Creates it when it is missing, and sets its features again when
 * somebody changed them.
 */
export async function ensurePortal({ stripe }: Pick<StripeDeps, "stripe">): Promise<string> {
  const { configurations } = stripe.billingPortal;
  const { data } = read(
    z.looseObject({ data: z.array(configuration) }),
    await asking(() => configurations.list({ active: true, limit: 100 })),
  );
  const ours = data.find(({ metadata }) => metadata?.holdfast === NAME);
  if (ours && isAsWanted(ours.features)) return ours.id;
  const answer = await asking(() =>
    ours
      ? configurations.update(ours.id, { features: FEATURES })
      : configurations.create(
          { features: FEATURES, metadata: { holdfast: NAME } },
          { idempotencyKey: `portal:${NAME}` },
        ),
  );
  return read(configuration, answer).id;
}

function isAsWanted(features: z.output<typeof configuration>["features"]): boolean {
  const updates = features.customer_update?.allowed_updates ?? [];
  return (
    Object.entries(FEATURES).every(([name, { enabled }]) => features[name]?.enabled === enabled) &&
    updates.toSorted().join() === FEATURES.customer_update.allowed_updates.join()
  );
}
