import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { PaymentError } from "#connectors/contract/payment-provider.ts";
import { entitlementsOf, startTrial } from "#core/billing/index.ts";
import { controlDatabase } from "#core/database/ledgers.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { randomIds } from "#core/kernel/ids.ts";
import type { Member } from "#core/organisations/index.ts";
import { codeOf } from "#tests/harness/accounts.ts";
import { type MemoryPayments, memoryPayments } from "#tests/harness/memory-payments.ts";
import { makeOwner } from "#tests/harness/people.ts";
import { buildServices } from "#workers/services.ts";
import {
  attachCard,
  buy,
  cancelAllSubscriptions,
  cancelSubscription,
  checkPromotion,
  endSubscription,
  latestInvoice,
  listPayments,
  payOpenInvoice,
  platformMoney,
  previewPurchase,
  reconcilePayments,
  removeTaxId,
  resumeSubscription,
  saveCompany,
  syncCustomer,
} from "./index.ts";
import { wantSync } from "./projection.store.ts";

const START = Date.UTC(2026, 10, 3, 9);
const COMPANY = {
  name: "Meridian",
  country: "DE",
  city: "Berlin",
  line1: "Am Ufer 1",
  postal_code: "10115",
};

type World = {
  deps: ReturnType<typeof servicesOf>;
  payments: MemoryPayments;
  clock: { at: number; now: () => number };
  owner: Member;
};

function servicesOf(clock: { now: () => number }, payments: MemoryPayments) {
  return {
    ...buildServices(env),
    control: controlDatabase(env),
    clock,
    ids: randomIds,
    payments: payments.provider,
  };
}

async function openWorld(card: string | null = "pm_ok"): Promise<World> {
  const clock = { at: START, now: () => clock.at };
  const payments = memoryPayments(clock);
  const deps = servicesOf(clock, payments);
  const owner = await makeOwner(deps);
  if (card !== null) await attachCard(deps, owner, card);
  await saveCompany(deps, owner, COMPANY, { needsCard: false });
  return { deps, payments, clock, owner };
}

const item = (priceId: string, quantity: number, quote: string | null = null) => ({
  platform: priceId.split(".")[0]!,
  priceId,
  quantity,
  quote,
});
const order = (...items: ReturnType<typeof item>[]) => ({ company: null, items, code: null });

let world: World;
beforeEach(async () => {
  world = await openWorld();
});

const buyGithub = ({ deps, owner } = world) => buy(deps, owner, order(item("github.essential.month", 7)));
const liveOf = ({ payments } = world) =>
  [...payments.subscriptions.values()].filter(
    ({ subscription }) => subscription.state !== "incomplete_expired" && subscription.endedAt === null,
  );

test("a purchase charges the bracket once and grants all of it, on its own platform only", async () => {
  const { deps, owner, payments } = world;
  const [answer] = await buyGithub();
  expect(answer).toMatchObject({ state: "succeeded", clientSecret: null, code: null });
  expect(payments.charges.map(({ cents }) => cents)).toEqual([1_200]);
  expect(await entitlementsOf(deps, owner.organisationId, "github")).toMatchObject({
    plan: "essential",
    isActive: true,
    itemLimit: 10,
  });
  expect(await entitlementsOf(deps, owner.organisationId, "gitlab")).toMatchObject({ plan: "none" });
  expect(await codeOf(buyGithub())).toBe("err.plan.active");
});

test("a purchase of several platforms answers for each, and one that fails leaves the others", async () => {
  const { deps, owner, payments } = world;
  let confirmations = 0;
  payments.hooks.interrupt = (call, when) => {
    if (call === "confirmPayment" && when === "before" && ++confirmations === 2)
      throw new PaymentError("unavailable", "down");
  };
  const wanted = order(item("github.pro.year", 50), item("trello.essential.month", 10));
  const answers = await buy(deps, owner, wanted);
  expect(answers.map(({ state, code }) => [state, code])).toEqual([
    ["succeeded", null],
    ["failed", "err.payment.unavailable"],
  ]);
  expect(payments.charges.map(({ cents }) => cents)).toEqual([46_080]);
  const money = await platformMoney(deps, owner.organisationId, ["github", "trello"]);
  expect(money.get("github")?.bought).toMatchObject({ plan: "pro", period: "year", state: "active" });
  expect(money.get("trello")?.bought).toMatchObject({ state: "incomplete" });
  const [second] = await buy(deps, owner, order(item("trello.essential.month", 10)));
  expect(second).toMatchObject({ state: "succeeded", subscriptionId: answers[1]?.subscriptionId });
});

test("a declined card is answered with a secret, and another card pays the same purchase", async () => {
  world = await openWorld("pm_declined");
  const { deps, owner, payments } = world;
  const [declined] = await buyGithub();
  expect(declined).toMatchObject({ state: "requires_payment_method", message: "Your card was declined." });
  expect(declined?.clientSecret).toMatch(/_secret$/);
  expect(await entitlementsOf(deps, owner.organisationId, "github")).toMatchObject({ plan: "none" });
  await attachCard(deps, owner, "pm_ok");
  const [paid] = await buyGithub();
  expect(paid).toMatchObject({ state: "succeeded", subscriptionId: declined?.subscriptionId });
  expect(payments.charges).toHaveLength(1);
});

test("the same card may be tried again after a decline, and is charged once", async () => {
  world = await openWorld("pm_declined");
  const { payments } = world;
  await buyGithub();
  await buyGithub();
  const keys = payments.calls.filter(({ call }) => call === "confirmPayment").map(({ key }) => key);
  expect(new Set(keys).size).toBe(2);
  expect(payments.charges).toHaveLength(0);
});

test("a payment that the bank must confirm grants nothing until it did", async () => {
  world = await openWorld("pm_3ds");
  const { deps, owner, payments } = world;
  const [asked] = await buyGithub();
  expect(asked?.state).toBe("requires_action");
  expect(await entitlementsOf(deps, owner.organisationId, "github")).toMatchObject({ isActive: false });
  payments.authenticate([...payments.intents.keys()][0]!);
  await syncCustomer(deps, owner.organisationId);
  expect(await entitlementsOf(deps, owner.organisationId, "github")).toMatchObject({ isActive: true });
});

test("two tabs that buy at once get one subscription and one charge", async () => {
  const answers = await Promise.all([buyGithub(), buyGithub()]);
  expect(new Set(answers.flat().map(({ subscriptionId }) => subscriptionId)).size).toBe(1);
  expect(world.payments.charges).toHaveLength(1);
  expect(liveOf()).toHaveLength(1);
});

test("a slow tab buys nothing beside what another tab bought and ended meanwhile", async () => {
  const { deps, owner, payments } = world;
  const meanwhile = (act: () => Promise<unknown>) => {
    let isFirst = true;
    payments.hooks.interrupt = async (call) => {
      if (call !== "taxRate" || !isFirst) return;
      isFirst = false;
      await act();
    };
  };
  meanwhile(() => buyGithub());
  const [slow] = await buyGithub();
  expect([slow?.state, slow?.code]).toEqual(["failed", "err.plan.active"]);
  expect([payments.charges.length, liveOf().length]).toEqual([1, 1]);
  const changeTo = async (priceId: string, quantity: number) => {
    const { quote } = await previewPurchase(deps, owner, {
      ...{ platform: "github", priceId, quantity, period: "month", code: null },
    });
    return () => buy(deps, owner, order(item(priceId, quantity, quote)));
  };
  const [toPro, toFifty] = [
    await changeTo("github.pro.month", 10),
    await changeTo("github.essential.month", 50),
  ];
  meanwhile(toFifty);
  const [late] = await toPro();
  expect([late?.state, late?.code]).toEqual(["failed", "err.payment.quote"]);
  expect(payments.charges).toHaveLength(2);
  expect(liveOf()).toMatchObject([{ subscription: { priceKey: "github.essential.month", quantity: 50 } }]);
});

test("another choice ends the open purchase before it begins its own", async () => {
  world = await openWorld("pm_declined");
  const { deps, owner, payments } = world;
  await buyGithub();
  await attachCard(deps, owner, "pm_ok");
  const [answer] = await buy(deps, owner, order(item("github.pro.month", 10)));
  expect(answer?.state).toBe("succeeded");
  expect(payments.charges.map(({ cents }) => cents)).toEqual([2_400]);
  expect(liveOf()).toHaveLength(1);
});

test("a running trial stays through an unpaid purchase, gives way to a paid one, and counts again after it", async () => {
  world = await openWorld("pm_declined");
  const { deps, owner, payments } = world;
  await startTrial(deps, owner.organisationId, "github");
  await buyGithub();
  const rights = () => entitlementsOf(deps, owner.organisationId, "github");
  expect(await rights()).toMatchObject({ plan: "trial", isActive: true });
  await attachCard(deps, owner, "pm_ok");
  await buyGithub();
  expect(await rights()).toMatchObject({ plan: "essential" });
  await payments.provider.endSubscription(liveOf()[0]!.subscription.id, "end");
  await syncCustomer(deps, owner.organisationId);
  expect(await rights()).toMatchObject({ plan: "trial", endsAt: START + 14 * DAY_MS });
});

test("a purchase that died a day ago is found by its command, and never created again", async () => {
  const { deps, owner, payments, clock } = world;
  payments.hooks.interrupt = (call, when) => {
    if (call === "subscribe" && when === "after") throw new Error("the invocation died");
  };
  await buyGithub().catch(() => undefined);
  payments.hooks.interrupt = () => undefined;
  clock.at += 21 * HOUR_MS;
  await buyGithub();
  expect(payments.calls.filter(({ call }) => call === "subscribe")).toHaveLength(1);
  expect(payments.charges).toHaveLength(1);
  expect(await entitlementsOf(deps, owner.organisationId, "github")).toMatchObject({ isActive: true });
});

test("the cron reads what became of a purchase whose answer was lost", async () => {
  const { deps, owner, payments, clock } = world;
  payments.hooks.interrupt = (call, when) => {
    if (call === "confirmPayment" && when === "after") throw new Error("the invocation died");
  };
  await buyGithub().catch(() => undefined);
  payments.hooks.interrupt = () => undefined;
  clock.at += 3 * 60_000;
  await reconcilePayments(deps);
  expect(await entitlementsOf(deps, owner.organisationId, "github")).toMatchObject({ isActive: true });
});

test("customers that cannot be read do not keep the cron from the others, and wait longer each time", async () => {
  const { deps, owner, payments, clock } = world;
  const unread = await Promise.all(Array.from({ length: 25 }, () => makeOwner(deps)));
  for (const each of unread) await saveCompany(deps, each, COMPANY, { needsCard: false });
  for (const [id, { organisationId }] of payments.customers)
    if (organisationId !== owner.organisationId) payments.customers.delete(id);
  for (const { organisationId } of [...unread, owner]) await wantSync(deps.control, organisationId);
  await env.DB.prepare("UPDATE billing_customer SET synced_at = ? WHERE organisation_id = ?")
    .bind(clock.at + 1, owner.organisationId)
    .run();
  const isRead = async () =>
    (await env.DB.prepare(
      "SELECT wanted = synced_wanted AS it FROM billing_customer WHERE organisation_id = ?",
    )
      .bind(owner.organisationId)
      .first<number>("it")) === 1;
  // Twenty at a time; tests before this one left customers that cannot be read either.
  for (let tick = 0; tick < 20 && !(await isRead()); tick++) await reconcilePayments(deps);
  expect(await isRead()).toBe(true);

  const failuresAfter = async (minutes: number) => {
    clock.at += minutes * 60_000;
    for (let tick = 0; tick < 5; tick++) await reconcilePayments(deps);
    const ids = JSON.stringify(unread.map(({ organisationId }) => organisationId));
    const { results } = await env.DB.prepare(
      "SELECT DISTINCT failed_syncs AS failures FROM billing_customer WHERE organisation_id IN (SELECT value FROM json_each(?))",
    )
      .bind(ids)
      .all<{ failures: number }>();
    return results.map(({ failures }) => failures);
  };
  expect(await failuresAfter(0)).toEqual([1]);
  expect(await failuresAfter(10)).toEqual([2]);
  expect(await failuresAfter(10)).toEqual([2]);
  expect(await failuresAfter(10)).toEqual([3]);
});

test("a change needs the quote of this very change, and costs what was shown", async () => {
  const { deps, owner, payments, clock } = world;
  await buyGithub();
  const wanted = { platform: "github", priceId: "github.essential.month", quantity: 50 };
  const shown = await previewPurchase(deps, owner, { ...wanted, period: "month", code: null });
  expect(shown).toMatchObject({ kind: "change", preview: { dueCents: 1_200 }, recurringCents: 2_400 });
  expect(await codeOf(buy(deps, owner, order({ ...wanted, quantity: 100, quote: shown.quote })))).toBe(
    "err.payment.quote",
  );
  clock.at += 15 * 60_000;
  expect(await codeOf(buy(deps, owner, order({ ...wanted, quote: shown.quote })))).toBe("err.payment.quote");
  const { quote } = await previewPurchase(deps, owner, { ...wanted, period: "month", code: null });
  const [answer] = await buy(deps, owner, order({ ...wanted, quote }));
  expect(answer).toMatchObject({ state: "succeeded", isPending: false });
  expect(payments.charges.map(({ cents }) => cents)).toEqual([1_200, 1_200]);
  expect(await entitlementsOf(deps, owner.organisationId, "github")).toMatchObject({ itemLimit: 50 });
  const same = previewPurchase(deps, owner, { ...wanted, period: "month", code: null });
  expect(await codeOf(same)).toBe("err.plan.active");
});

test("a change that is not paid keeps the old plan, and another choice drops it", async () => {
  const { deps, owner, payments } = world;
  await buyGithub();
  await attachCard(deps, owner, "pm_declined");
  const change = async (quantity: number) => {
    const wanted = { platform: "github", priceId: "github.essential.month", quantity };
    const { quote } = await previewPurchase(deps, owner, { ...wanted, period: "month", code: null });
    return (await buy(deps, owner, order({ ...wanted, quote })))[0]!;
  };
  expect(await change(50)).toMatchObject({ state: "requires_payment_method", isPending: true });
  expect(await entitlementsOf(deps, owner.organisationId, "github")).toMatchObject({ itemLimit: 10 });
  await attachCard(deps, owner, "pm_ok");
  expect(await change(100)).toMatchObject({ state: "succeeded" });
  expect(payments.charges.map(({ cents }) => cents)).toEqual([1_200, 3_800]);
  expect(await entitlementsOf(deps, owner.organisationId, "github")).toMatchObject({ itemLimit: 100 });
});

test("cancelling keeps the right until the paid period ends, and can be taken back", async () => {
  const { deps, owner } = world;
  await buyGithub();
  const endsAt = await cancelSubscription(deps, owner, "github");
  expect(endsAt).toBe(Date.UTC(2026, 11, 3, 9));
  expect(await entitlementsOf(deps, owner.organisationId, "github")).toMatchObject({
    isActive: true,
    endsAt,
  });
  expect(await codeOf(cancelSubscription(deps, owner, "github"))).toBe("err.subscription.state");
  await resumeSubscription(deps, owner, "github");
  expect(await codeOf(resumeSubscription(deps, owner, "github"))).toBe("err.subscription.state");
  const money = await platformMoney(deps, owner.organisationId, ["github"]);
  expect(money.get("github")?.bought?.isCancelling).toBe(false);
});

test("cancelling all cancels each, and one that fails does not stop the others", async () => {
  const { deps, owner, payments } = world;
  await buy(deps, owner, order(item("github.pro.month", 10), item("trello.essential.month", 10)));
  let failures = 1;
  payments.hooks.interrupt = (call, when) => {
    if (call === "setCancelling" && when === "before" && failures-- > 0) {
      throw new PaymentError("unavailable", "down");
    }
  };
  const first = await cancelAllSubscriptions(deps, owner);
  expect(first.map(({ message }) => message === null).sort()).toEqual([false, true]);
  expect(await cancelAllSubscriptions(deps, owner)).toHaveLength(1);
  expect(liveOf().every(({ subscription }) => subscription.cancelAt !== null)).toBe(true);
});

test("a failed renewal keeps the right for fourteen days, refuses changes, and is paid with the current card", async () => {
  const { deps, owner, payments, clock } = world;
  await buyGithub();
  clock.at = Date.UTC(2026, 11, 3, 10);
  payments.failRenewal(liveOf()[0]!.subscription.id);
  await syncCustomer(deps, owner.organisationId);
  const rights = () => entitlementsOf(deps, owner.organisationId, "github");
  expect(await rights()).toMatchObject({ isActive: true, endsAt: clock.at + 14 * DAY_MS });
  const wanted = { platform: "github", priceId: "github.pro.month", quantity: 10 };
  expect(await codeOf(previewPurchase(deps, owner, { ...wanted, period: "month", code: null }))).toBe(
    "err.payment.due",
  );
  expect(await payOpenInvoice(deps, owner, "github")).toMatchObject({ state: "succeeded" });
  expect(await rights()).toMatchObject({ endsAt: Date.UTC(2027, 0, 3, 9) + 72 * HOUR_MS });
  expect(await codeOf(payOpenInvoice(deps, owner, "github"))).toBe("err.not.found");
});

test("ending a failed subscription voids what it owes", async () => {
  const { deps, owner, payments, clock } = world;
  await buyGithub();
  expect(await codeOf(endSubscription(deps, owner, "github"))).toBe("err.subscription.state");
  clock.at = Date.UTC(2026, 11, 3, 10);
  payments.failRenewal(liveOf()[0]!.subscription.id);
  await syncCustomer(deps, owner.organisationId);
  await endSubscription(deps, owner, "github");
  expect([...payments.invoices.values()].map(({ state }) => state)).toEqual(["paid", "void"]);
  expect(await entitlementsOf(deps, owner.organisationId, "github")).toMatchObject({
    isActive: false,
    endsAt: clock.at,
  });
});

test("what belongs to another customer is answered as missing", async () => {
  const { deps, owner, payments } = world;
  const stranger = await makeOwner(deps);
  await attachCard(deps, stranger, "pm_stranger");
  await buyGithub();
  expect(await codeOf(attachCard(deps, owner, "pm_stranger"))).toBe("err.not.found");
  expect(await codeOf(attachCard(deps, owner, "pm_missing"))).toBe("err.not.found");
  const id = liveOf()[0]!.subscription.id;
  expect((await latestInvoice(deps, owner, id)).invoice.state).toBe("paid");
  expect(await codeOf(latestInvoice(deps, stranger, id))).toBe("err.not.found");
  await saveCompany(
    deps,
    owner,
    { ...COMPANY, tax_details: { type: "eu_vat", value: "DE123456789" } },
    { needsCard: true },
  );
  const taxId = [...payments.customers.values()].flatMap(({ taxIds }) => taxIds)[0]!.id;
  expect(await codeOf(removeTaxId(deps, stranger, taxId))).toBe("err.not.found");
  expect((await removeTaxId(deps, owner, taxId))?.taxIds).toEqual([]);
  expect(await listPayments(deps, stranger, null)).toEqual([]);
  expect(await listPayments(deps, owner, null)).toMatchObject([
    { amount_received: 1_200, paid: true, platform: "github", last4: "4242" },
  ]);
});

test("an address outside the checkout needs a card first, and an invalid tax id says so", async () => {
  world = await openWorld(null);
  const { deps, owner } = world;
  expect(await codeOf(saveCompany(deps, owner, COMPANY, { needsCard: true }))).toBe(
    "err.payment.method.missing",
  );
  const invalid = { ...COMPANY, tax_details: { type: "eu_vat", value: "invalid" } };
  expect(await codeOf(saveCompany(deps, owner, invalid, { needsCard: false }))).toBe("err.company.tax");
  expect(await codeOf(buyGithub())).toBe("err.payment.method.missing");
});

test("a tax id that could not be removed goes when the company is saved again, and each write has its command", async () => {
  const { deps, owner } = world;
  const taxed = (value: string) => ({ ...COMPANY, tax_details: { type: "eu_vat", value } });
  const save = (value: string, services = deps) =>
    saveCompany(services, owner, taxed(value), { needsCard: false });
  const valuesOf = ({ taxIds }: { taxIds: readonly { value: string }[] }) => taxIds.map(({ value }) => value);
  await save("DE123456789");
  const failing = new Proxy(deps.payments, {
    get: (target, name) =>
      name === "removeTaxId"
        ? () => Promise.reject(new PaymentError("unavailable", "no answer"))
        : target[name as "readCustomer"],
  });
  expect(await codeOf(save("DE987654321", { ...deps, payments: failing }))).toBe("err.payment.unavailable");
  expect(valuesOf(await save("DE987654321"))).toEqual(["DE987654321"]);
  const commands = await env.DB.prepare(
    "SELECT kind, state FROM billing_command WHERE organisation_id = ? AND kind LIKE '%tax-id' ORDER BY rowid",
  )
    .bind(owner.organisationId)
    .all();
  expect(commands.results).toEqual([
    { kind: "tax-id", state: "done" },
    { kind: "tax-id", state: "done" },
    { kind: "remove-tax-id", state: "open" },
    { kind: "remove-tax-id", state: "done" },
  ]);
});

test("an organisation may try ten cards an hour", async () => {
  const { deps, owner, clock } = world;
  for (let i = 0; i < 9; i++) await attachCard(deps, owner, `pm_try${i}`);
  expect(await codeOf(attachCard(deps, owner, "pm_more"))).toBe("err.attempts.limit");
  clock.at += HOUR_MS;
  expect((await attachCard(deps, owner, "pm_more")).id).toBe("pm_more");
});

test("an organisation may guess twenty codes an hour, and a code that is valid is no guess", async () => {
  const { deps, owner, payments, clock } = world;
  payments.promotions.set("REAL", {
    ...{ id: "promo_2", code: "REAL", amountOffCents: null, percentOff: 10, currency: null },
    ...{ customerId: null, isFirstTimeOnly: false, minimumCents: null, platforms: null },
  });
  for (let turn = 0; turn < 25; turn++) expect(await checkPromotion(deps, owner, "REAL")).not.toBeNull();
  for (let turn = 0; turn < 20; turn++) expect(await checkPromotion(deps, owner, `TRY${turn}`)).toBeNull();
  expect(await codeOf(checkPromotion(deps, owner, "TRY20"))).toBe("err.attempts.limit");
  expect(await codeOf(checkPromotion(deps, owner, "REAL"))).toBe("err.attempts.limit");
  clock.at += HOUR_MS;
  expect(await checkPromotion(deps, owner, "REAL")).not.toBeNull();
});

test("a cancelled subscription begins no period of another length, which its end would cut off", async () => {
  const { deps, owner, payments } = world;
  await buyGithub();
  await cancelSubscription(deps, owner, "github");
  const preview = (priceId: string, period: "month" | "year") =>
    previewPurchase(deps, owner, { platform: "github", priceId, quantity: 50, period, code: null });
  expect(await codeOf(preview("github.essential.year", "year"))).toBe("err.subscription.state");
  expect(await preview("github.essential.month", "month")).toMatchObject({ kind: "change" });
  expect(payments.charges).toHaveLength(1);
});

test("an open purchase goes on only at the price that was shown: with another tax it is another one", async () => {
  world = await openWorld("pm_declined");
  const { deps, owner, payments } = world;
  const [declined] = await buyGithub();
  await attachCard(deps, owner, "pm_ok");
  await saveCompany(deps, owner, { ...COMPANY, country: "US" }, { needsCard: true });
  const [paid] = await buyGithub();
  expect(paid?.state).toBe("succeeded");
  expect(paid?.subscriptionId).not.toBe(declined?.subscriptionId);
  expect([payments.charges.length, liveOf().length]).toEqual([1, 1]);
});

test("an amount off is given once, to the dearest platform, and a percentage to each", async () => {
  const { deps, owner, payments } = world;
  const shared = {
    currency: "usd",
    customerId: null,
    isFirstTimeOnly: false,
    minimumCents: null,
    platforms: null,
  };
  payments.promotions.set("TEN", {
    id: "promo_1",
    code: "TEN",
    amountOffCents: 500,
    percentOff: null,
    ...shared,
  });
  const both = [item("github.essential.month", 10), item("trello.essential.month", 10)];
  expect(await codeOf(buy(deps, owner, { company: null, items: both, code: "NONE" }))).toBe(
    "err.coupon.invalid",
  );
  await buy(deps, owner, { company: null, items: both, code: "TEN" });
  expect(payments.charges.map(({ cents }) => cents)).toEqual([700, 1_000]);
});

test("a customer that a crash left unknown is found again after its key's life, and requests at once create one", async () => {
  const { clock, payments, deps } = await openWorld();
  const owner = await makeOwner(deps);
  const before = payments.customers.size;
  payments.hooks.interrupt = (call, when) => {
    if (call === "createCustomer" && when === "after") throw new PaymentError("unavailable", "lost");
  };
  expect(await codeOf(saveCompany(deps, owner, COMPANY, { needsCard: false }))).toBe(
    "err.payment.unavailable",
  );
  payments.hooks.interrupt = () => undefined;
  clock.at += 21 * HOUR_MS;
  await saveCompany(deps, owner, COMPANY, { needsCard: false });
  expect(payments.customers.size).toBe(before + 1);

  const other = await makeOwner(deps);
  payments.hooks.interrupt = (call, when) => {
    if (call === "createCustomer" && when === "before") throw new PaymentError("unavailable", "down");
  };
  expect(await codeOf(saveCompany(deps, other, COMPANY, { needsCard: false }))).toBe(
    "err.payment.unavailable",
  );
  clock.at += 21 * HOUR_MS;
  // Both find no customer. The second one goes on only when the first one has renewed the key and begins to create.
  const until = async (isTrue: () => boolean) => {
    while (!isTrue()) await new Promise((done) => setTimeout(done, 2));
  };
  let [looked, created] = [0, 0];
  payments.hooks.interrupt = async (call, when) => {
    if (call === "createCustomer" && when === "before") created += 1;
    if (call !== "findCustomers" || when !== "after") return;
    looked += 1;
    const isSecond = looked === 2;
    await until(() => looked === 2 && (!isSecond || created === 1));
  };
  clock.now = () => {
    clock.at += 1;
    return clock.at;
  };
  await Promise.all([1, 2].map(() => saveCompany(deps, other, COMPANY, { needsCard: false })));
  expect([looked, payments.customers.size]).toEqual([2, before + 2]);
});
