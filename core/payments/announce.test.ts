import { expect, test } from "vitest";
import { changesOf, type Reading } from "./announce.ts";
import type { CustomerFacts, SubscriptionRow } from "./projection.store.ts";

const facts = (over: Partial<CustomerFacts> = {}): CustomerFacts => ({
  ...{ name: "Meridian", country: "DE", addressJson: null, taxIdsJson: "[]", isReverseCharge: false },
  ...{
    balanceCents: 0,
    cardId: "pm_1",
    cardBrand: "visa",
    cardLast4: "4242",
    cardExpMonth: 1,
    cardExpYear: 2030,
  },
  ...over,
});
const row = (platform: string, over: Partial<SubscriptionRow> = {}): SubscriptionRow => ({
  ...{ id: `sub_${platform}`, organisationId: "org_1", platform, itemId: "si_1" },
  ...{ priceKey: `${platform}.pro.month`, plan: "pro", period: "month", status: "active", quantity: 10 },
  ...{ boughtQuantity: 10, periodStart: 0, periodEnd: 1, cancelAt: null, isCancelledByDate: false },
  ...{ endedAt: null, collectionMethod: "charge", latestInvoiceId: null, latestInvoiceStatus: null },
  ...{ pastDueSince: null, dueAt: null, nextAttemptAt: null, attempts: 0, pendingJson: null },
  ...{ nextInvoiceCents: null, created: 0, moneyBackAt: null, isDisputed: false },
  ...over,
});
const right = (platform: string, quantity = 10) => ({ platform, plan: "pro", quantity, endsAt: 1 });
const reading = (over: Partial<Reading> = {}): Reading => ({
  facts: facts(),
  rows: [row("github"), row("trello")],
  rights: [right("github"), right("trello")],
  ...over,
});

test("a sync that finds nothing new tells nobody, in whatever order it found it", () => {
  const { rows, rights } = reading();
  expect(changesOf(reading(), reading())).toEqual([]);
  const turned = reading({ rows: rows.toReversed(), rights: rights.toReversed() });
  expect(changesOf(reading(), turned)).toEqual([]);
});

test("only the platform whose subscription or right changed is told of", () => {
  const cancelled = reading({ rows: [row("github", { cancelAt: 5 }), row("trello")] });
  expect(changesOf(reading(), cancelled)).toEqual([{ method: "subscription-changed", platform: "github" }]);
  const ended = reading({ rights: [right("github"), { ...right("trello"), endsAt: 9 }] });
  expect(changesOf(reading(), ended)).toEqual([{ method: "subscription-changed", platform: "trello" }]);
});

test("another number of items has the message that counts are read again for", () => {
  const more = reading({ rights: [right("github", 50), right("trello")] });
  expect(changesOf(reading(), more)).toEqual([
    { method: "subscription-changed", platform: "github" },
    { method: "updateDashboardPlatformItemsAmount", platform: "github" },
  ]);
  const first = changesOf(
    reading({ rows: [], rights: [] }),
    reading({ rows: [row("github")], rights: [right("github")] }),
  );
  expect(first.map(({ method }) => method)).toContain("updateDashboardPlatformItemsAmount");
});

test("another card concerns every platform, and the first reading of a customer none", () => {
  const changed = reading({ facts: facts({ cardLast4: "1881" }) });
  expect(changesOf(reading(), changed).map(({ platform }) => platform)).toEqual(["github", "trello"]);
  expect(changesOf(reading({ facts: null }), changed)).toEqual([]);
});
