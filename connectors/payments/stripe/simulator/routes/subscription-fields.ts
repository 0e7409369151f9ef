import { z } from "zod";
import { bool, clearable, id, int, metadata, strings, text } from "../params.ts";

/** Discounts by coupon, promotion code or an existing discount; an empty text removes all. */
export const discounts = clearable(
  z.array(z.strictObject({ coupon: id.optional(), promotion_code: id.optional(), discount: id.optional() })),
);
/** The items of a subscription in a call. */
export const items = z.array(
  z.strictObject({
    id: id.optional(),
    price: id.optional(),
    quantity: int.pipe(z.number().min(0)).optional(),
    deleted: bool.optional(),
    metadata: metadata.optional(),
  }),
);
export const proration = z.enum(["always_invoice", "create_prorations", "none"]);
const behavior = z.enum([
  "allow_incomplete",
  "default_incomplete",
  "error_if_incomplete",
  "pending_if_incomplete",
]);
/** How an invoice is paid. */
export const method = z.enum(["charge_automatically", "send_invoice"]);
const settings = z.strictObject({ payment_method_types: clearable(strings).optional() });

/** What both a new and a changed subscription take. */
export const fields = {
  cancel_at: clearable(int).optional(),
  cancel_at_period_end: bool.optional(),
  collection_method: method.optional(),
  days_until_due: int.optional(),
  default_payment_method: clearable(id).optional(),
  default_tax_rates: clearable(strings).optional(),
  description: text.optional(),
  discounts: discounts.optional(),
  items: items.optional(),
  metadata: metadata.optional(),
  off_session: bool.optional(),
  payment_behavior: behavior.optional(),
  payment_settings: settings.optional(),
  proration_behavior: proration.optional(),
  trial_end: z.union([z.literal("now"), int]).optional(),
};
