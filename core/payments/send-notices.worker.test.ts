import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { controlDatabase } from "#core/database/ledgers.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { memoryPayments } from "#tests/harness/memory-payments.ts";
import { makeOwner, makePlatform } from "#tests/harness/people.ts";
import { buildServices } from "#workers/services.ts";
import { attachCard, buy, cancelSubscription, saveCompany, syncCustomer } from "./index.ts";
import { sendPaymentNotices } from "./send-notices.ts";

const START = Date.UTC(2026, 10, 3, 9);
const COMPANY = { name: "Meridian", country: "US", city: "Austin", line1: "1", postal_code: "78701" };

async function open() {
  const clock = { at: START, now: () => clock.at };
  const payments = memoryPayments(clock);
  const deps = {
    ...buildServices(env),
    control: controlDatabase(env),
    clock,
    ids: randomIds,
    payments: payments.provider,
    queue: { send: async () => undefined },
  };
  const owner = await makeOwner(deps);
  const written = async () => {
    await sendPaymentNotices(deps);
    await sendPaymentNotices(deps);
    const { results } = await env.DB.prepare(
      "SELECT message FROM mail_outbox WHERE organisation_id = ? ORDER BY created_at, message",
    )
      .bind(owner.organisationId)
      .all<{ message: string }>();
    const told = results.map(({ message }) => message);
    const trail = await env.DB.prepare(
      "SELECT action, user_id, outcome FROM audit_entry WHERE organisation_id = ? AND occasion IN (SELECT occasion FROM mail_outbox)",
    )
      .bind(owner.organisationId)
      .all<{ action: string; user_id: string | null; outcome: string }>();
    // Each e-mail has its entry in the audit trail.
    expect(trail.results.toSorted((a, b) => a.action.localeCompare(b.action))).toEqual(
      told
        .toSorted((a, b) => a.localeCompare(b))
        .map((action) => ({
          action,
          user_id: null,
          outcome: action === "payment-failed" ? "failed" : "success",
        })),
    );
    return told;
  };
  return { clock, payments, deps, owner, written };
}

test("the owner is told once three days before a trial ends, and once on its last day", async () => {
  const { clock, deps, owner, written } = await open();
  const endsAt = START + 14 * DAY_MS;
  await makePlatform(deps, owner, { platform: "github", plan: "trial", endsAt });
  expect(await written()).toEqual([]);
  clock.at = endsAt - 3 * DAY_MS + 1;
  expect(await written()).toEqual(["trial-ending"]);
  clock.at = endsAt - 1;
  expect(await written()).toHaveLength(2);
  clock.at = endsAt + 40 * DAY_MS;
  expect(await written()).toHaveLength(2);
});

test("the owner is told of a failed payment, of a card that ends, and of a subscription that is about to end", async () => {
  const { clock, payments, deps, owner, written } = await open();
  await attachCard(deps, owner, "pm_ok");
  await saveCompany(deps, owner, COMPANY, { needsCard: true });
  const item = (platform: string) => ({
    platform,
    priceId: `${platform}.essential.month`,
    quantity: 10,
    quote: null,
  });
  await buy(deps, owner, { company: null, items: [item("github"), item("trello")], code: null });
  expect(await written()).toEqual([]);
  const endsAt = (await cancelSubscription(deps, owner, "trello"))!;
  clock.at = endsAt - 2 * DAY_MS;
  expect(await written()).toEqual(["subscription-ending"]);
  const [first] = [...payments.subscriptions.values()];
  payments.failRenewal(first!.subscription.id);
  await syncCustomer(deps, owner.organisationId);
  expect(await written()).toEqual(["subscription-ending", "payment-failed"].sort());
  [...payments.customers.values()][0]!.card!.expYear = 2026;
  await syncCustomer(deps, owner.organisationId);
  expect(await written()).toContain("card-expiring");
});

test("the owner is told once of each refund, dispute and credit note, and of each of their outcomes", async () => {
  const { clock, payments, deps, owner, written } = await open();
  await attachCard(deps, owner, "pm_ok");
  await saveCompany(deps, owner, COMPANY, { needsCard: true });
  const item = { platform: "github", priceId: "github.essential.month", quantity: 10, quote: null };
  await buy(deps, owner, { company: null, items: [item], code: null });
  const told = async () => {
    await syncCustomer(deps, owner.organisationId);
    await written();
    const { results } = await env.DB.prepare(
      "SELECT occasion FROM mail_outbox WHERE organisation_id = ? AND message = 'payment-corrected' ORDER BY created_at, occasion",
    )
      .bind(owner.organisationId)
      .all<{ occasion: string }>();
    return results.map(({ occasion }) => occasion.split(":").at(-1));
  };
  expect(await told()).toEqual([]);
  const refund = payments.correct({ kind: "refund", state: "pending", cents: 300 });
  expect(await told()).toEqual(["refunded"]);
  // It arrived: nothing new for the owner.
  refund.state = "done";
  expect(await told()).toEqual(["refunded"]);
  clock.at += DAY_MS;
  const dispute = payments.correct({ kind: "dispute", state: "open", cents: 900 });
  // A note about the refund is told of by the refund.
  payments.correct({ kind: "credit_note", state: "done", cents: 300, refundedCents: 300, intentId: null });
  expect(await told()).toEqual(["refunded", "dispute-opened"]);
  // The bank takes months; the outcome is new all the same.
  clock.at += 80 * DAY_MS;
  dispute.state = "lost";
  expect(await told()).toEqual(["refunded", "dispute-opened", "dispute-lost"]);
  payments.correct({ kind: "credit_note", state: "done", cents: 200, intentId: null });
  clock.at += 1;
  expect(await told()).toEqual(["refunded", "dispute-opened", "dispute-lost", "credited"]);
});

test("the owner is told once in the three days before a renewal for another number of users", async () => {
  const { clock, payments, deps, owner, written } = await open();
  await attachCard(deps, owner, "pm_ok");
  await saveCompany(deps, owner, COMPANY, { needsCard: true });
  await makePlatform(deps, owner, { platform: "jira", plan: null });
  const item = { platform: "jira", priceId: "jira.essential.month", quantity: 100, quote: null };
  await buy(deps, owner, { company: null, items: [item], code: null });
  const { periodEnd } = [...payments.subscriptions.values()][0]!.subscription;
  const count = (seats: number) =>
    env.DB.prepare("UPDATE connection SET seats = ? WHERE organisation_id = ?")
      .bind(seats, owner.organisationId)
      .run();
  await count(130);
  clock.at = periodEnd - 3 * DAY_MS - 1;
  expect(await written()).toEqual([]);
  clock.at = periodEnd - 3 * DAY_MS;
  expect(await written()).toEqual(["users-changed"]);
  await count(100);
  expect(await written()).toEqual(["users-changed"]);
  await count(40);
  expect(await written()).toEqual(["users-changed", "users-changed"]);
});
