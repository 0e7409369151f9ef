import { expect, test } from "vitest";
import { subscriptionForm } from "./forms.ts";
import { toSubscription } from "./read-subscription.ts";

const subscription = (status: string) => ({
  id: "sub_1",
  status,
  metadata: {},
  items: {
    data: [
      {
        ...{
          id: "si_1",
          quantity: 10,
          current_period_start: 1_697_321_600,
          current_period_end: 1_700_000_000,
        },
        price: { id: "price_1", lookup_key: "github.essential.month", metadata: {} },
      },
    ],
  },
  ...{ cancel_at: null, cancel_at_period_end: false, ended_at: null, created: 1_697_321_600 },
  collection_method: "charge_automatically",
});
const read = (status: string) => toSubscription(subscriptionForm.parse(subscription(status)), null);

test("[B-117] a state is read in lower case, and one that is not known is refused", () => {
  expect(read("ACTIVE")?.state).toBe("active");
  expect(read("Past_Due")?.state).toBe("past_due");
  expect(() => read("nonsense")).toThrow();
});

test("the provider's seconds are milliseconds with us", () => {
  expect(read("active")).toMatchObject({ periodEnd: 1_700_000_000_000, cancelAt: null });
});
