import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { PaymentError } from "#connectors/contract/payment-provider.ts";
import { entitlementsOf } from "#core/billing/index.ts";
import { controlDatabase } from "#core/database/ledgers.ts";
import { DAY_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { randomIds } from "#core/kernel/ids.ts";
import type { LiveEvent } from "#core/live/events.schema.ts";
import { codeOf } from "#tests/harness/accounts.ts";
import { memoryPayments } from "#tests/harness/memory-payments.ts";
import { makeOwner } from "#tests/harness/people.ts";
import { buildServices } from "#workers/services.ts";
import {
  attachCard,
  buy,
  endSubscription,
  latestInvoice,
  listPayments,
  payOpenInvoice,
  platformMoney,
  previewPurchase,
  reconcilePayments,
  refreshPayments,
  saveCard,
  saveCompany,
  syncCustomer,
} from "./index.ts";

const START = Date.UTC(2026, 10, 3, 9);
const COMPANY = { name: "Meridian", country: "US", city: "Austin", line1: "1", postal_code: "78701" };

async function openWorld() {
  const clock = { at: START, now: () => clock.at };
  const payments = memoryPayments(clock);
  const published: LiveEvent[] = [];
  const deps = {
    ...buildServices(env),
    control: controlDatabase(env),
    clock,
    ids: randomIds,
    payments: payments.provider,
    live: {
      publish: async (_: string, events: readonly LiveEvent[]) => void published.push(...events),
      disconnect: async () => undefined,
    },
  };
  const owner = await makeOwner(deps);
  await attachCard(deps, owner, "pm_ok");
  await saveCompany(deps, owner, COMPANY, { needsCard: false });
  return { clock, payments, published, deps, owner };
}

let world: Awaited<ReturnType<typeof openWorld>>;
beforeEach(async () => {
  world = await openWorld();
});

const item = (priceId: string, quantity = 10, quote: string | null = null) => ({
  platform: priceId.split(".")[0]!,
  priceId,
  quantity,
  quote,
});
const order = (...items: ReturnType<typeof item>[]) => ({ company: null, items, code: null });
const buyGithub = () => buy(world.deps, world.owner, order(item("github.essential.month")));
const sync = () => syncCustomer(world.deps, world.owner.organisationId);
const rights = () => entitlementsOf(world.deps, world.owner.organisationId, "github");
const subscriptionId = () => [...world.payments.subscriptions.keys()][0]!;
const change = { platform: "github", priceId: "github.essential.month", quantity: 50 };
const previewChange = () =>
  previewPurchase(world.deps, world.owner, { ...change, period: "month", code: null });
/** What the trail has of payments, the newest first. Only the Pro plan may read all of it. */
async function trail() {
  const { results } = await env.DB.prepare(
    "SELECT action, outcome FROM audit_entry WHERE organisation_id = ? ORDER BY created_at DESC, id DESC",
  )
    .bind(world.owner.organisationId)
    .all<{ action: string; outcome: string }>();
  return results.map(({ action, outcome }) => `${action} ${outcome}`);
}

test("a refund of the whole payment ends the right at once; the subscription may be ended, and bought again", async () => {
  const { deps, owner, payments, clock } = world;
  await buyGithub();
  clock.at += DAY_MS;
  payments.correct({ kind: "refund", state: "done", cents: 1_200 });
  await sync();
  expect(await rights()).toMatchObject({ isActive: false, endsAt: clock.at });
  expect(await codeOf(previewChange())).toBe("err.payment.returned");
  const money = await platformMoney(deps, owner.organisationId, ["github"]);
  expect(money.get("github")?.bought).toMatchObject({ state: "active", moneyBackAt: clock.at });
  await endSubscription(deps, owner, "github");
  expect((await buyGithub())[0]).toMatchObject({ state: "succeeded" });
  expect(await rights()).toMatchObject({ isActive: true });
});

test("a part that went back changes no right, and neither does a credit", async () => {
  const { payments } = world;
  await buyGithub();
  const before = await rights();
  payments.correct({ kind: "refund", state: "done", cents: 1_199 });
  const [invoiceId] = payments.invoices.keys();
  payments.correct({
    kind: "credit_note",
    state: "done",
    cents: 1_200,
    intentId: null,
    invoiceId: invoiceId!,
  });
  await sync();
  expect(await rights()).toEqual(before);
  expect(await previewChange()).toMatchObject({ kind: "change" });
});

test("while the bank decides everything runs and changes wait; a lost dispute ends the right when we learn of it", async () => {
  const { payments, clock } = world;
  await buyGithub();
  const dispute = payments.correct({ kind: "dispute", state: "open", cents: 1_200 });
  await sync();
  expect(await rights()).toMatchObject({ isActive: true });
  expect(await codeOf(previewChange())).toBe("err.payment.disputed");
  clock.at += 10 * DAY_MS;
  dispute.state = "lost";
  await sync();
  const endsAt = clock.at;
  expect(await rights()).toMatchObject({ isActive: false, endsAt });
  clock.at += DAY_MS;
  await sync();
  expect(await rights()).toMatchObject({ endsAt });
});

test("a dispute that is won leaves the right, and changes are possible again", async () => {
  const { payments } = world;
  await buyGithub();
  const dispute = payments.correct({ kind: "dispute", state: "open", cents: 1_200 });
  await sync();
  dispute.state = "won";
  await sync();
  expect(await rights()).toMatchObject({ isActive: true });
  expect(await previewChange()).toMatchObject({ kind: "change" });
});

test("refunds, disputes and credit notes are lines of the history and of their invoice, and nobody else's", async () => {
  const { deps, owner, payments, clock } = world;
  const stranger = await makeOwner(deps);
  await attachCard(deps, stranger, "pm_stranger");
  await buyGithub();
  const [invoiceId] = payments.invoices.keys();
  clock.at += DAY_MS;
  payments.correct({ kind: "refund", state: "done", cents: 300 });
  clock.at += DAY_MS;
  const note = {
    invoiceId: invoiceId!,
    intentId: null,
    number: "H-1-CN-01",
    pdfUrl: "https://pay.example.test/cn",
  };
  payments.correct({ kind: "credit_note", state: "done", cents: 300, ...note });
  const lines = await listPayments(deps, owner, "github");
  expect(lines).toMatchObject([
    { kind: "credit_note", amount_refunded: 300, invoice_number: "H-1-CN-01", invoice_pdf: note.pdfUrl },
    { kind: "refund", amount_received: 0, amount_refunded: 300, last4: "4242", createdAt: START + DAY_MS },
    { kind: "payment", amount_received: 1_200, createdAt: START },
  ]);
  expect(lines.every(({ platform }) => platform === "github")).toBe(true);
  const { corrections } = await latestInvoice(deps, owner, subscriptionId());
  expect(corrections.map(({ kind }) => kind).sort()).toEqual(["credit_note", "refund"]);
  expect(await listPayments(deps, owner, "trello")).toEqual([]);
  expect(await listPayments(deps, stranger, null)).toEqual([]);
});

/** A subscription that owes two periods. */
async function oweTwice() {
  const { payments, clock } = world;
  await buyGithub();
  for (const at of [Date.UTC(2026, 11, 3, 10), Date.UTC(2027, 0, 3, 10)]) {
    clock.at = at;
    payments.failRenewal(subscriptionId());
  }
  await sync();
}
const invoiceStates = () => [...world.payments.invoices.values()].map(({ state }) => state);

test("ending a subscription at once voids every open invoice, and none of another subscription", async () => {
  const { deps, owner, payments } = world;
  await oweTwice();
  await attachCard(deps, owner, "pm_declined");
  await buy(deps, owner, order(item("trello.essential.month")));
  expect(invoiceStates()).toEqual(["paid", "open", "open", "open"]);
  await endSubscription(deps, owner, "github");
  expect(invoiceStates()).toEqual(["paid", "void", "void", "open"]);
  expect(payments.subscriptions.get(subscriptionId())?.subscription.state).toBe("canceled");
});

/** A subscription that was given up: only its newest period is paid. */
async function giveUp() {
  await oweTwice();
  world.payments.subscriptions.get(subscriptionId())!.subscription.state = "unpaid";
  await sync();
}
const tick = async (ms: number) => {
  world.clock.at += ms;
  await reconcilePayments(world.deps);
};

test("wherever paying an unpaid subscription dies, its newest invoice is paid once and the older one becomes void", async () => {
  for (const [call, when] of [
    ["payInvoice", "after"],
    ["listInvoices", "before"],
    ["voidInvoice", "before"],
    ["voidInvoice", "after"],
  ] as const) {
    world = await openWorld();
    const { deps, owner, payments } = world;
    await giveUp();
    let isPaying = false;
    payments.hooks.interrupt = (at, point) => {
      const isHere = at === call && point === when && (at === "payInvoice" || isPaying);
      isPaying ||= at === "payInvoice";
      if (isHere) throw new Error("the invocation died");
    };
    await expect(payOpenInvoice(deps, owner, "github")).rejects.toThrow("died");
    payments.hooks.interrupt = () => undefined;
    // Another sync in between, as after an event, forgets nothing.
    world.clock.at += 3 * MINUTE_MS;
    await sync();
    await tick(3 * MINUTE_MS);
    expect(invoiceStates(), `${call} ${when}`).toEqual(["paid", "void", "paid"]);
    expect(payments.charges).toHaveLength(2);
    expect(await previewChange()).toMatchObject({ kind: "change" });
  }
});

test("who presses Pay again after such a death pays no replaced invoice, and neither does a new card", async () => {
  for (const again of [
    () => codeOf(payOpenInvoice(world.deps, world.owner, "github")),
    async () => (await saveCard(world.deps, world.owner, "pm_new")).paid.length,
  ]) {
    world = await openWorld();
    const { deps, owner, payments } = world;
    await giveUp();
    payments.hooks.interrupt = (call, when) => {
      if (call === "payInvoice" && when === "after") throw new Error("the invocation died");
    };
    await expect(payOpenInvoice(deps, owner, "github")).rejects.toThrow("died");
    payments.hooks.interrupt = () => undefined;
    expect(["err.not.found", 0]).toContain(await again());
    expect(payments.charges).toHaveLength(2);
    await tick(3 * MINUTE_MS);
    expect(invoiceStates()).toEqual(["paid", "void", "paid"]);
  }
});

test("the older invoices become void when the bank confirms later, and the provider's failure to void is no failure to pay", async () => {
  const { deps, owner, payments } = world;
  await giveUp();
  await attachCard(deps, owner, "pm_3ds");
  expect(await payOpenInvoice(deps, owner, "github")).toMatchObject({ state: "requires_action" });
  await tick(3 * MINUTE_MS);
  expect(invoiceStates()).toEqual(["paid", "open", "open"]);
  payments.authenticate([...payments.intents.keys()].at(-1)!);
  await tick(3 * MINUTE_MS);
  expect(invoiceStates()).toEqual(["paid", "void", "paid"]);

  world = await openWorld();
  await giveUp();
  world.payments.hooks.interrupt = (call) => {
    if (call === "voidInvoice") throw new PaymentError("unavailable", "down");
  };
  expect(await payOpenInvoice(world.deps, world.owner, "github")).toMatchObject({ state: "succeeded" });
  expect(invoiceStates()).toEqual(["paid", "open", "paid"]);
  world.payments.hooks.interrupt = () => undefined;
  await tick(3 * MINUTE_MS);
  expect(invoiceStates()).toEqual(["paid", "void", "paid"]);
});

test("nothing is voided for a payment that was declined, or that nobody confirmed within a day", async () => {
  const { deps, owner, payments } = world;
  await giveUp();
  const open = async () => {
    const { results } = await env.DB.prepare(
      "SELECT id FROM billing_command WHERE organisation_id = ? AND kind = 'replace' AND state = 'open'",
    )
      .bind(owner.organisationId)
      .all();
    return results.length;
  };
  await attachCard(deps, owner, "pm_declined");
  await payOpenInvoice(deps, owner, "github");
  expect(await open()).toBe(0);
  await attachCard(deps, owner, "pm_3ds");
  await payOpenInvoice(deps, owner, "github");
  await tick(DAY_MS - MINUTE_MS);
  expect(await open()).toBe(1);
  await tick(3 * MINUTE_MS);
  expect(await open()).toBe(0);
  expect(invoiceStates()).toEqual(["paid", "open", "open"]);
  expect(payments.calls.filter(({ call }) => call === "voidInvoice")).toEqual([]);
});

test("a change is refused while an older invoice is open, although the latest is paid", async () => {
  const { payments } = world;
  await buyGithub();
  const { quote } = await previewChange();
  payments.failRenewal(subscriptionId());
  const owed = [...payments.invoices.values()].at(-1)!;
  const stored = payments.subscriptions.get(subscriptionId())!;
  // The next period was paid, the one before was not.
  stored.invoiceId = [...payments.invoices.keys()][0]!;
  Object.assign(stored.subscription, { state: "active", latestInvoice: null });
  await sync();
  expect(await codeOf(previewChange())).toBe("err.payment.due");
  expect(await codeOf(buy(world.deps, world.owner, order({ ...change, quote })))).toBe("err.payment.due");
  owed.state = "void";
  expect(await previewChange()).toMatchObject({ kind: "change" });
});

test("a change is refused while the renewal's invoice is being written, and says how long", async () => {
  const { payments } = world;
  await buyGithub();
  const { subscription } = payments.subscriptions.get(subscriptionId())!;
  subscription.latestInvoice = { ...subscription.latestInvoice!, state: "draft" };
  await sync();
  await expect(previewChange()).rejects.toMatchObject({
    code: "err.payment.draft",
    message: /about an hour/,
  });
});

test("a new card pays all that failed renewals owe, and no purchase that waits for its payment", async () => {
  const { deps, owner, payments } = world;
  await oweTwice();
  await attachCard(deps, owner, "pm_declined");
  await buy(deps, owner, order(item("trello.essential.month")));
  const { card, paid } = await saveCard(deps, owner, "pm_new");
  expect(card.id).toBe("pm_new");
  expect(paid).toMatchObject([{ platform: "github", state: "succeeded" }]);
  expect(invoiceStates()).toEqual(["paid", "paid", "paid", "open"]);
  expect(payments.charges).toHaveLength(3);
  expect((await saveCard(deps, owner, "pm_newer")).paid).toEqual([]);
});

test("a new card that is declined is saved, and its answer says what is still open", async () => {
  const { deps, owner, clock } = world;
  await oweTwice();
  clock.now = () => ++clock.at;
  const { card, paid } = await saveCard(deps, owner, "pm_declined");
  expect(card.id).toBe("pm_declined");
  expect(paid).toMatchObject([{ state: "requires_payment_method", message: "Your card was declined." }]);
  expect(invoiceStates()).toEqual(["paid", "open", "open"]);
  expect((await trail())[0]).toBe("pay-invoice failed");
});

test("what the bank or the provider refuses is recorded as failed, and what we refuse is not", async () => {
  const { deps, owner, payments, clock } = world;
  // Entries of the same moment have no order.
  clock.now = () => ++clock.at;
  await attachCard(deps, owner, "pm_declined");
  await buyGithub();
  expect((await trail())[0]).toBe("buy-subscription failed");
  await attachCard(deps, owner, "pm_ok");
  await buyGithub();
  expect((await trail())[0]).toBe("buy-subscription success");
  const before = (await trail()).length;
  expect(await codeOf(buyGithub())).toBe("err.plan.active");
  expect(await codeOf(endSubscription(deps, owner, "github"))).toBe("err.subscription.state");
  expect(await trail()).toHaveLength(before);
  payments.hooks.interrupt = (_, when) => {
    if (when === "before") throw new PaymentError("unavailable", "down");
  };
  expect(await codeOf(attachCard(deps, owner, "pm_other"))).toBe("err.payment.unavailable");
  expect(await codeOf(saveCompany(deps, owner, { ...COMPANY, name: "Other" }, { needsCard: true }))).toBe(
    "err.payment.unavailable",
  );
  expect((await trail()).slice(0, -before)).toEqual(["change-company failed"]);
  payments.hooks.interrupt = () => undefined;
  const invalid = { ...COMPANY, tax_details: { type: "eu_vat", value: "invalid" } };
  expect(await codeOf(saveCompany(deps, owner, invalid, { needsCard: true }))).toBe("err.company.tax");
  expect((await trail())[0]).toBe("change-company failed");
});

test("a sync tells open screens what changed, whoever caused it, and nothing when nothing did", async () => {
  const { deps, published, payments, clock } = world;
  await buyGithub();
  expect(published).toContainEqual({ method: "updateDashboardPlatformItemsAmount", platform: "github" });
  published.length = 0;
  await sync();
  expect(published).toEqual([]);
  const { subscription } = payments.subscriptions.get(subscriptionId())!;
  subscription.cancelAt = subscription.periodEnd;
  // No event came: the cron reads each customer once a day.
  clock.at += DAY_MS + MINUTE_MS;
  await reconcilePayments(deps);
  expect(published).toEqual([{ method: "subscription-changed", platform: "github" }]);
});

test("members may have the provider read sixty times in five minutes; more are answered without it", async () => {
  const { deps, owner, payments, clock } = world;
  const reads = () => payments.calls.filter(({ call }) => call === "readCustomer").length;
  const before = reads();
  for (let count = 0; count < 62; count++) await refreshPayments(deps, owner.organisationId);
  expect(reads() - before).toBe(60);
  clock.at += 5 * MINUTE_MS;
  await refreshPayments(deps, owner.organisationId);
  expect(reads() - before).toBe(61);
});

test("a reverse charge ends with the country or the tax id that it was for", async () => {
  const { deps, owner, payments } = world;
  const [customer] = payments.customers.values();
  const save = (over: object) => saveCompany(deps, owner, { ...COMPANY, ...over }, { needsCard: true });
  const reverse = async () => {
    customer!.isReverseCharge = true;
    await sync();
  };
  const german = { country: "DE", tax_details: { type: "eu_vat", value: "DE123456789" } };
  expect(await save(german)).toMatchObject({ isReverseCharge: false, taxIds: [{ state: "pending" }] });
  await reverse();
  expect(await save({ ...german, name: "Meridian Freight" })).toMatchObject({ isReverseCharge: true });
  const other = { ...german, tax_details: { type: "eu_vat", value: "DE987654321" } };
  expect(await save(other)).toMatchObject({ isReverseCharge: false });
  await reverse();
  expect(await save({ ...other, country: "FR" })).toMatchObject({ isReverseCharge: false });
});
