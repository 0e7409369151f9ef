import { refused } from "./errors.ts";
import { emit } from "./events.ts";
import { plain } from "./render.ts";
import type { StripeWorld } from "./state.ts";
import { find, newId, nowFor, put } from "./store.ts";
import type { Charge, Dispute } from "./things/payments.ts";

const DAY = 86_400;
const NOTHING = [
  ...["access_activity_log", "billing_address", "cancellation_policy", "cancellation_policy_disclosure"],
  ...["cancellation_rebuttal", "customer_communication", "customer_email_address", "customer_name"],
  ...["customer_purchase_ip", "customer_signature", "duplicate_charge_documentation"],
  ...[
    "duplicate_charge_explanation",
    "duplicate_charge_id",
    "product_description",
    "receipt",
    "refund_policy",
  ],
  ...["refund_policy_disclosure", "refund_refusal_explanation", "service_date", "service_documentation"],
  ...["shipping_address", "shipping_carrier", "shipping_date", "shipping_documentation"],
  ...["shipping_tracking_number", "uncategorized_file", "uncategorized_text"],
];

/** A holder disputes a charge (docs.stripe.com/disputes). */
export function openDispute(world: StripeWorld, charge: Charge): Dispute {
  const before = plain(world, charge);
  charge.disputed = true;
  const at = nowFor(world, charge.customer);
  const counts = { due_by: at + 7 * DAY, has_evidence: false, past_due: false, submission_count: 0 };
  const dispute = put(world, "dispute", {
    id: newId("du"),
    object: "dispute",
    amount: charge.amount,
    charge: charge.id,
    created: at,
    livemode: false,
    status: "needs_response",
    payment_intent: find(world, "payment_intent", charge.payment_intent)?.id ?? null,
    ...{ balance_transactions: [], currency: charge.currency, enhanced_eligibility_types: [], metadata: {} },
    ...{ evidence: { ...Object.fromEntries(NOTHING.map((name) => [name, null])), enhanced_evidence: {} } },
    ...{ evidence_details: { ...counts, enhanced_eligibility: {}, submission_method: "not_submitted" } },
    ...{ intended_submission_method: null, is_charge_refundable: false, reason: "fraudulent" },
  });
  emit(world, "charge.dispute.created", dispute);
  emit(world, "charge.dispute.funds_withdrawn", dispute);
  emit(world, "charge.updated", charge, before);
  return dispute;
}

/** The bank decides, or we give in. What we lose stays with the holder. @throws StripeFault when it is decided */
export function closeDispute(world: StripeWorld, dispute: Dispute, outcome: "lost" | "won"): Dispute {
  if (dispute.status === "lost" || dispute.status === "won") throw refused("This dispute is already closed.");
  dispute.status = outcome;
  emit(world, "charge.dispute.closed", dispute);
  if (outcome === "won") emit(world, "charge.dispute.funds_reinstated", dispute);
  return dispute;
}
