import { expect, test } from "vitest";
import { z } from "zod";
import { contractsAreAbsent, readContract } from "#tests/conformance/contracts.ts";
import { faultsOfReading, type Reading } from "#tests/conformance/read-recorded.ts";
import {
  cardForm,
  chargeForm,
  creditNoteForm,
  customerForm,
  disputeForm,
  intentForm,
  invoiceForm,
  priceForm,
  refundForm,
  subscriptionForm,
  taxRateForm,
} from "./forms.ts";

/** What becomes of Stripe's own example of each object. */
const READINGS: readonly Reading[] = [
  [/^customer$|^deleted_customer$/, customerForm],
  [/^subscription$/, subscriptionForm],
  [/^invoice$/, invoiceForm],
  [/^(payment|setup)_intent$/, intentForm],
  [/^payment_method$/, cardForm],
  [/^charge$/, chargeForm],
  [/^refund$/, refundForm],
  [/^dispute$/, disputeForm],
  [/^credit_note$/, creditNoteForm],
  [/^price$/, priceForm],
  [/^tax_rate$/, taxRateForm],
  [/^promotion_code$/, "The example does not have the coupon, for which our calls ask."],
  [/./, "Nothing is read from such an object, or its id alone."],
];

test.skipIf(contractsAreAbsent())("Stripe's own examples of what we read are understood", async () => {
  const schema = z.object({ resources: z.record(z.string(), z.unknown()) });
  const { resources } = schema.parse(readContract("stripe/fixtures3.json"));
  const answers = Object.entries(resources).map(([call, body]) => ({ call, body }));
  expect(await faultsOfReading(answers, READINGS)).toEqual([]);
});
