import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { SUBSCRIPTION_STATES } from "#connectors/contract/payment-provider.ts";
import { publishCatalogue } from "#connectors/payments/stripe/catalogue.ts";
import { openStripe as openClient } from "#connectors/payments/stripe/client.ts";
import { platforms } from "#connectors/registry/platforms.generated.ts";
import { PRICES, startTrial } from "#core/billing/index.ts";
import { TRIAL_MS } from "#core/billing/plans.ts";
import { systemClock } from "#core/kernel/clock.ts";
import { ERROR_CODES } from "#core/kernel/error-codes.ts";
import { answerHolder } from "#tests/harness/hold-answers.ts";
import { signed } from "#tests/harness/money-world.ts";
import { type OutsideStripe, openStripe } from "#tests/harness/outside.ts";
import { makeMember, makeOwner, makePlatform, makeSession } from "#tests/harness/people.ts";
import { PAYMENTS } from "#tests/security/payments-policy.ts";
import { createApi } from "#workers/api/create-api.ts";
import { operations } from "#workers/api/operations.ts";
import { apiPlatformOf } from "#workers/api/platform-endpoints.ts";
import { buildServices } from "#workers/services.ts";

const ORIGIN = "https://app.example.test";
const api = createApi({ core: operations, platforms: platforms.map(apiPlatformOf) });
const hold = answerHolder(async () =>
  (await api.fetch(new Request(`${ORIGIN}/api/openapi.json`), env)).json(),
);
const COMPANY = {
  name: "Meridian",
  country: "DE",
  city: "Berlin",
  line1: "Am Ufer 1",
  postal_code: "10115",
};
const VISA = "4242424242424242";
const DECLINED = "4000000000000341";

let stripe: OutsideStripe;
let bindings: typeof env;
beforeAll(async () => {
  stripe = await openStripe();
  bindings = { ...env, ...stripe.vars };
  const settings = stripe.vars as Parameters<typeof openClient>[0];
  await publishCatalogue(openClient(settings, { clock: systemClock, fetch: (a, b) => fetch(a, b) }), PRICES);
});
afterAll(async () => {
  // The provider refuses what it does not know, such as a parameter of another API version.
  expect(await stripe.refusals()).toEqual([]);
  await stripe.close();
});

async function clientOf(authorization: string) {
  const headers = { Authorization: authorization, "Content-Type": "application/json" };
  return async (method: string, path: string, body?: unknown) => {
    const init: RequestInit = { method, headers };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await api.fetch(new Request(`${ORIGIN}/api/${path}`, init), bindings);
    // biome-ignore lint/suspicious/noExplicitAny: each call has its own result; the expectations say which
    const json = (await response.json()) as any;
    await hold({ method, path: `/api/${path}`, status: response.status, body: json });
    return { status: response.status, json, result: json.result };
  };
}

type Ask = Awaited<ReturnType<typeof clientOf>>;
let ask: Ask;
let owner: Awaited<ReturnType<typeof makeOwner>>;
const s = buildServices(env);
beforeEach(async () => {
  owner = await makeOwner(s);
  ask = await clientOf(await makeSession(s, owner));
});

async function withCard(number = VISA) {
  const id = await stripe.card(number);
  const saved = await ask("POST", "payments/stripe-attach-user-payment-method", { id });
  expect([saved.status, saved.json.message]).toEqual([200, null]);
  return id;
}

const withCardAnswer = async (number: string) =>
  ask("POST", "payments/stripe-attach-user-payment-method", { id: await stripe.card(number) });

const github = { platform: "github", priceId: "github.essential.month", quantity: 10 };
const buy = (items: object[] = [github], more: object = {}) =>
  ask("POST", "payments/stripe-create-subscriptions", { company: COMPANY, items, ...more });

async function deliver(events: { body: string; signature: string }[]) {
  const statuses: number[] = [];
  for (const { body, signature } of events) {
    const context = createExecutionContext();
    const request = new Request(`${ORIGIN}/api/payments/stripe-webhook`, {
      method: "POST",
      body,
      headers: { "Stripe-Signature": signature, "Content-Type": "application/json" },
    });
    statuses.push((await api.fetch(request, bindings, context)).status);
    await waitOnExecutionContext(context);
  }
  return statuses;
}

const ofGithub = async () => (await ask("GET", "payments/get-github-trial-status")).result;

test("[B-118] [B-119] [B-122] [B-124] [B-134] [B-146] [B-228] [B-246] the owner buys, and all is cancelled", async () => {
  expect((await ofGithub()).subscription.type).toBe("no-sub");
  expect(await ofGithub()).toMatchObject({
    stripe_github_subscription_status: null,
    stripe_github_price_id: null,
    stripe_github_next_invoice: null,
  });
  await withCard();
  const { result } = await buy([github, { platform: "trello", priceId: "trello.pro.year", quantity: 50 }]);
  expect(result).toMatchObject([
    { platform: "github", paymentIntentStatus: "succeeded", clientSecret: null },
    { platform: "trello", paymentIntentStatus: "succeeded", clientSecret: null },
  ]);
  const statuses = (await ask("GET", "payments/get-platforms-trial-statuses")).result;
  expect(statuses.github).toMatchObject({
    subscription_type: "essential",
    subscription_period: "month",
    stripe_github_next_invoice: 1_200,
    stripe_github_subscription_status: "active",
    stripe_github_subscription_cancel_at_period_end: false,
    stripe_github_subscription_bank_transfer_requested: false,
    stripe_github_price_id: "github.essential.month",
    stripe_github_repos_quantity: 10,
  });
  expect(statuses.github.subscription).toMatchObject({
    type: "subscription",
    planName: "Essential",
    isAnnual: false,
    cost: 12,
    isPaid: true,
    isCancel: false,
    status: "active",
  });
  expect(statuses.trello.subscription).toMatchObject({ planName: "Pro", isAnnual: true, cost: 384 });
  expect(statuses.gitlab.subscription.type).toBe("no-sub");
  expect(statuses.github.subscription.finishDateInMillisecond).toBe(
    statuses.github.stripe_github_subscription_current_period_end * 1_000,
  );
  const { items } = await stripe.api<{ items: { data: { current_period_end: number }[] } }>(
    "GET",
    `subscriptions/${statuses.github.subscription.id}`,
  );
  expect(statuses.github.stripe_github_subscription_current_period_end).toBe(
    items.data[0]?.current_period_end,
  );
  const all = await ask("GET", "payments/stripe-cancel-all-subscriptions");
  expect(all.result).toHaveLength(2);
  expect((await ofGithub()).stripe_github_subscription_cancel_at_period_end).toBe(true);
  expect((await ofGithub()).subscription.isCancel).toBe(true);
});

test("[B-254] one call cancels every active subscription at the end of its period", async () => {
  await withCard();
  await buy([github, { platform: "trello", priceId: "trello.pro.year", quantity: 50 }]);
  const { result } = await ask("GET", "payments/stripe-cancel-all-subscriptions");
  expect(result).toMatchObject([{ cancel_at_period_end: true }, { cancel_at_period_end: true }]);
  const statuses = (await ask("GET", "payments/get-platforms-trial-statuses")).result;
  for (const platform of ["github", "trello"])
    expect(statuses[platform].subscription).toMatchObject({ status: "active", isCancel: true });
});

test("[B-163] every state of a subscription is told as it is stored", async () => {
  await withCard();
  await buy();
  for (const state of SUBSCRIPTION_STATES) {
    await env.DB.prepare("UPDATE stripe_subscription SET status = ? WHERE organisation_id = ?")
      .bind(state, owner.organisationId)
      .run();
    const { subscription, ...row } = await ofGithub();
    expect([subscription.status, row.stripe_github_subscription_status]).toEqual([state, state]);
  }
  await env.DB.prepare("DELETE FROM stripe_subscription WHERE organisation_id = ?")
    .bind(owner.organisationId)
    .run();
  await env.DB.prepare("UPDATE subscription SET ends_at = 1 WHERE organisation_id = ?")
    .bind(owner.organisationId)
    .run();
  expect((await ofGithub()).subscription.status).toBe("inactive");
});

test("[B-130] [B-162] a trial is not started, active or over, and includes ten items", async () => {
  const stateAfter = async (endsAt: number | null) => {
    const person = await makeOwner(s);
    if (endsAt !== null) {
      const at = { ...s, clock: { now: () => endsAt - TRIAL_MS } };
      await startTrial(at, person.organisationId, "github");
    }
    const asked = await clientOf(await makeSession(s, person));
    const { result } = await asked("GET", "payments/get-platforms-trial-statuses");
    return [result.github.trialStatus, result.github.trialHoursLeft, result.github.planQuantity];
  };
  expect(await stateAfter(null)).toEqual(["not started", 0, 0]);
  expect(await stateAfter(Date.now() + 5 * 3_600_000 - 60_000)).toEqual(["active", 5, 10]);
  expect(await stateAfter(Date.now() - 1)).toEqual(["expired", 0, 10]);
});

test("[B-002] [B-229] [B-253] the owner cancels one subscription, of one platform, and keeps it after all", async () => {
  await withCard();
  await buy();
  const { github: own, ...others } = (await ask("GET", "payments/get-platforms-trial-statuses")).result;
  expect(own.subscription.type).toBe("subscription");
  expect(Object.keys(others)).toContain("gitlab");
  for (const other of Object.values<typeof own>(others)) expect(other.subscription.type).toBe("no-sub");
  const cancelled = await ask("POST", "payments/stripe-cancel-subscription", { platform: "github" });
  expect(cancelled.result).toMatchObject({ platform: "github", cancel_at_period_end: true });
  expect((await ofGithub()).stripe_github_subscription_cancel_at_period_end).toBe(true);
  await ask("POST", "payments/stripe-resume-subscription", { platform: "github" });
  expect((await ofGithub()).stripe_github_subscription_cancel_at_period_end).toBe(false);
});

test("[B-155] [B-230] [B-249] [B-250] [B-268] the owner saves a card, with its id alone and with what the browser says of it", async () => {
  const none = await ask("GET", "payments/get-stripe-default-payment-method");
  expect(none.json).toMatchObject({
    status: "failure",
    message: "No default payment method for this account",
  });
  // What a page about money reads first says the same without an error.
  const account = (await ask("GET", "payments/stripe-get-account")).json;
  expect(account).toMatchObject({ status: "success", result: { paymentMethod: null, company: null } });
  const first = await withCard();
  expect((await ask("GET", "payments/get-stripe-default-payment-method")).result).toMatchObject({
    id: first,
    card: { brand: "visa", last_4: "4242" },
  });
  const second = await stripe.card("5555555555554444");
  const more = { id: second, brand: "amex", last_4: "0000" };
  const saved = await ask("POST", "payments/stripe-attach-user-payment-method", more);
  expect(saved.result).toMatchObject({ id: second, card: { brand: "mastercard", last_4: "4444" } });
});

test("[A-210] [A-224] [A-225] [A-406] [B-231] [B-247] [B-248] [B-143] the owner changes the company details, and removes a tax detail", async () => {
  const early = await ask("PUT", "payments/stripe-update-company", COMPANY);
  expect(early.json).toMatchObject({ message: "First you need to add a payment method." });
  await withCard();
  const whole = { ...COMPANY, state: "BE", line2: "Third floor" };
  const tax = (value: string) => ({ ...whole, tax_details: { type: "eu_vat", value } });
  const saved = await ask("PUT", "payments/stripe-update-company", tax("DE123456789"));
  expect(saved.result).toMatchObject({
    name: "Meridian",
    address: {
      ...{ country: "DE", state: "BE", city: "Berlin" },
      ...{ line1: "Am Ufer 1", line2: "Third floor", postal_code: "10115" },
    },
    tax_details: [{ id: expect.stringMatching(/^txi_/), type: "eu_vat", value: "DE123456789" }],
  });
  const info = await ask("GET", "user/get-user-start-info");
  expect(info.result.company).toEqual(saved.result);
  const customer = await env.DB.prepare(
    "SELECT stripe_customer_id FROM billing_customer WHERE organisation_id = ?",
  )
    .bind(owner.organisationId)
    .first<string>("stripe_customer_id");
  await stripe.api("POST", `customers/${customer}/tax_ids`, { type: "eu_vat", value: "DE111111111" });
  await ask("POST", "payments/get-platforms-trial-statuses");
  const { company } = (await ask("GET", "payments/stripe-get-account")).result;
  expect(company.tax_details).toMatchObject([
    { id: expect.stringMatching(/^txi_/), type: "eu_vat", value: "DE123456789" },
    { id: expect.stringMatching(/^txi_/), type: "eu_vat", value: "DE111111111" },
  ]);
  const replaced = await ask("PUT", "payments/stripe-update-company", tax("DE987654321"));
  const [left] = replaced.result.tax_details;
  expect(replaced.result.tax_details).toMatchObject([{ value: "DE987654321" }]);
  const extra = await ask("PUT", "payments/stripe-update-company", {
    ...COMPANY,
    tax_details: { type: "ch_vat", value: "CHE-123.456.788 MWST" },
  });
  expect(extra.result.tax_details).toMatchObject([{ id: left.id }, { type: "ch_vat" }]);
  const [, second] = extra.result.tax_details;
  const one = await ask("DELETE", "payments/stripe-delete-tax", { tax_id: second.id });
  expect(one.result.tax_details).toMatchObject([{ id: left.id, type: "eu_vat" }]);
  const removed = await ask("DELETE", "payments/stripe-delete-tax", { tax_id: left.id });
  expect(removed.result.tax_details).toEqual([]);
  expect((await ask("DELETE", "payments/stripe-delete-tax", { tax_id: left.id })).status).toBe(404);
});

test("[B-147] [B-241] [B-242] a coupon is checked on both paths, and lowers the first payment", async () => {
  const paths = ["stripe-get-promotion-code", "stripe-validate-promotion-code"];
  for (const path of paths) {
    const wrong = await ask("GET", `payments/${path}?promotion_code=WRONG`);
    expect(wrong.json).toMatchObject({ result: { status: "invalid" }, message: "Your coupon is invalid" });
  }
  const { id: coupon } = await stripe.api<{ id: string }>("POST", "coupons", {
    percent_off: "50",
    duration: "once",
  });
  const sum = { amount_off: "500", currency: "usd", duration: "once" };
  const { id: fixed } = await stripe.api<{ id: string }>("POST", "coupons", sum);
  for (const [code, of] of [
    ["HALF", coupon],
    ["FIVE", fixed],
  ] as const)
    await stripe.api("POST", "promotion_codes", {
      ...{ "promotion[type]": "coupon", "promotion[coupon]": of, code },
    });
  for (const path of paths) {
    const { result } = await ask("GET", `payments/${path}?promotion_code=HALF`);
    expect(result).toMatchObject({ status: "valid", amountOff: null, percentOff: 50 });
    const five = await ask("GET", `payments/${path}?promotion_code=FIVE`);
    expect(five.result).toMatchObject({ status: "valid", amountOff: 500, currency: "usd", percentOff: null });
  }
  await withCard();
  const bought = await buy([github], { promotion_code: "HALF" });
  expect(bought.json).toMatchObject({ result: [{ paymentIntentStatus: "succeeded" }] });
  const [payment] = (await ask("GET", "payments/stripe-get-user-payments")).result;
  expect(payment.amount_received).toBe(600 + 114);
});

test("[B-149] [B-243] the tax rate follows the country, and is charged", async () => {
  const rate = async (country: string) =>
    (await ask("POST", "payments/stripe-get-tax-rate", { country })).result.rate;
  expect([await rate("DE"), await rate("US")]).toEqual([19, 0]);
  await withCard();
  await buy();
  const [payment] = (await ask("GET", "payments/stripe-get-user-payments")).result;
  expect(payment).toMatchObject({ amount_received: 1_428, tax: 228 });
  expect((await ofGithub()).subscription.cost).toBe(12);
});

test("[A-205] [B-150] [B-151] [B-152] [B-153] [B-154] [B-251] [B-252] the payment history and the latest invoice", async () => {
  await withCard();
  const before = (await ask("GET", "user/get-user-start-info")).result.paymentHistory;
  await buy();
  const after = (await ask("GET", "user/get-user-start-info")).result.paymentHistory;
  expect([before, after]).toMatchObject([[], [{ platform: "github", status: "active", quantity: 10 }]]);
  const history = (await ask("GET", "payments/stripe-get-user-payments")).result;
  expect(history).toMatchObject([
    {
      created: expect.any(Number),
      amount_received: 1_428,
      amount_captured: 1_428,
      currency: "usd",
      paid: true,
      status: "succeeded",
      last4: "4242",
      receipt_url: expect.stringMatching(/^http/),
      invoice_pdf: expect.stringMatching(/^http/),
      invoice_id: expect.stringMatching(/^in_/),
      product_id: "holdfast_github_essential",
      platform: "github",
    },
  ]);
  // Seconds of the provider's clock, which is that of this machine.
  expect(Math.abs(history[0].created - Date.now() / 1000)).toBeLessThan(3_600);
  for (const url of [history[0].receipt_url, history[0].invoice_pdf]) {
    const opened = await fetch(url);
    await opened.body?.cancel();
    expect([url, opened.status]).toEqual([url, 200]);
  }
  expect((await ask("GET", "payments/stripe-get-user-payments?platform=trello")).result).toEqual([]);
  const { id } = (await ofGithub()).subscription;
  const latest = await ask("GET", `payments/stripe-subscription-latest-invoice/${id}`);
  expect(latest.result).toMatchObject({ id: history[0].invoice_id, status: "paid", total: 1_428 });
});

test("[B-244] [B-245] the preview shows the remaining balance, and the change costs what it showed", async () => {
  await withCard();
  await buy();
  const wanted = { ...github, quantity: 50 };
  const { result } = await ask("POST", "payments/stripe-preview-price-update", {
    ...wanted,
    period: "month",
  });
  expect(result).toMatchObject({ kind: "change", recurring: 2_400, remainingBalance: 0, taxRate: 19 });
  const changed = await buy([{ ...wanted, quote: result.quote }]);
  expect(changed.result).toMatchObject([{ paymentIntentStatus: "succeeded" }]);
  const [payment] = (await ask("GET", "payments/stripe-get-user-payments")).result;
  expect(payment.amount_received).toBe(result.amountDue);
  expect((await ofGithub()).planQuantity).toBe(50);
  const bad = await ask("POST", "payments/stripe-preview-price-update", {
    ...wanted,
    priceId: "github.gold.month",
    period: "month",
  });
  expect(Object.keys(bad.json).sort()).toEqual(["code", "message", "result", "status"]);
  expect(bad.json.code).toBe("err.plan.unknown");
});

test("[B-244] the preview takes the customer's credit off, and so does the change", async () => {
  await withCard();
  await buy();
  const customer = await env.DB.prepare(
    "SELECT stripe_customer_id FROM billing_customer WHERE organisation_id = ?",
  )
    .bind(owner.organisationId)
    .first<string>("stripe_customer_id");
  // A negative balance is credit.
  await stripe.api("POST", `customers/${customer}/balance_transactions`, { amount: "-300", currency: "usd" });
  const wanted = { ...github, quantity: 50 };
  const { result } = await ask("POST", "payments/stripe-preview-price-update", {
    ...wanted,
    period: "month",
  });
  expect(result).toMatchObject({ kind: "change", remainingBalance: 300, amountDue: result.total - 300 });
  await buy([{ ...wanted, quote: result.quote }]);
  const [payment] = (await ask("GET", "payments/stripe-get-user-payments")).result;
  expect(payment.amount_received).toBe(result.amountDue);
});

test("[B-284] a refused preview and a refused backup of everything carry a code that has a meaning", async () => {
  await withCard();
  await buy();
  const refused = [
    await ask("POST", "payments/stripe-preview-price-update", { ...github, period: "month" }),
    await ask("GET", "github/backup-all-repos-now?placeId=plc_none"),
  ];
  for (const { status, json } of refused) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(json.status).not.toBe("success");
    expect(ERROR_CODES).toHaveProperty([json.code]);
    expect(json.message).toMatch(/\w/);
  }
  expect(refused[0]?.json).toMatchObject({
    code: "err.plan.active",
    message: "You trying to subscribe to already active plan",
  });
});

test("a card that is declined, then one that works, pays the same purchase through the returned secret", async () => {
  await withCard(DECLINED);
  const { result } = await buy();
  expect(result[0]).toMatchObject({ paymentIntentStatus: "requires_payment_method" });
  expect(result[0].message).toMatch(/declined/);
  await withCard();
  const again = await buy();
  expect(again.result[0]).toMatchObject({
    paymentIntentStatus: "succeeded",
    subscriptionId: result[0].subscriptionId,
  });
});

test("[B-146] a card that the bank must confirm waits, and the polled call sees the payment", async () => {
  await withCard("4000002760003184");
  const { result } = await buy();
  expect(result[0]).toMatchObject({ paymentIntentStatus: "requires_action" });
  expect(result[0].clientSecret).toMatch(/_secret_/);
  expect((await ofGithub()).subscription_status).toBe("incomplete");
});

test("a confirmation that failed can be tried again with the same card", async () => {
  await withCard("4000002760003184");
  const end = async (secret: string, isPassed: boolean) =>
    stripe.control("challenges", { intent: secret.split("_secret_")[0], isPassed });
  const first = (await buy()).result[0];
  await end(first.clientSecret, false);
  const second = (await buy()).result[0];
  expect(second).toMatchObject({
    paymentIntentStatus: "requires_action",
    subscriptionId: first.subscriptionId,
  });
  await end(second.clientSecret, true);
  expect((await ask("POST", "payments/get-github-trial-status")).result.subscription_status).toBe("active");
});

test("[B-239] the POST form of the state asks the provider first", async () => {
  await withCard();
  await buy();
  const { id } = (await ofGithub()).subscription;
  await stripe.api("POST", `subscriptions/${id}`, { cancel_at_period_end: "true" });
  expect((await ofGithub()).subscription.isCancel).toBe(false);
  const polled = await ask("POST", "payments/get-github-trial-status");
  expect(polled.result.subscription.isCancel).toBe(true);
  expect((await ofGithub()).subscription.isCancel).toBe(true);
});

test("[B-233] one call returns trial and subscription of all five platforms", async () => {
  const hour = 3_600_000;
  await makePlatform(s, owner, { platform: "gitlab", plan: "trial", endsAt: Date.now() + hour });
  await makePlatform(s, owner, { platform: "trello", plan: "trial", endsAt: Date.now() - hour });
  await withCard();
  await buy([github, { platform: "notion", priceId: "notion.pro.year", quantity: 3 }]);
  const { result } = await ask("GET", "payments/get-platforms-trial-statuses");
  const states = Object.entries<Record<string, unknown> & { subscription: Record<string, unknown> }>(
    result,
  ).map(([platform, row]) => [platform, row.trialStatus, row.subscription_type, row.subscription.type]);
  expect(states.sort()).toEqual([
    ["github", "expired", "essential", "subscription"],
    ["gitlab", "active", null, "trial"],
    ["jira", "not started", null, "no-sub"],
    ["notion", "expired", "pro_plan", "subscription"],
    ["trello", "expired", null, "trial"],
  ]);
  expect(result.notion).toMatchObject({
    stripe_notion_price_id: "notion.pro.year",
    stripe_notion_subscription_status: "active",
    planQuantity: 3,
  });
  expect(result.gitlab).toMatchObject({ trialHoursLeft: 1, planQuantity: 10 });
});

test("[B-234] [B-235] [B-236] the states of platforms, together and each", async () => {
  await makePlatform(s, owner, { platform: "gitlab", plan: "trial", endsAt: Date.now() + 3_600_000 });
  const all = (await ask("GET", "payments/get-platforms-trial-statuses")).result;
  for (const platform of ["github", "gitlab", "trello"])
    expect((await ask("GET", `payments/get-${platform}-trial-status`)).result).toEqual(all[platform]);
  expect(all.gitlab).toMatchObject({ trialStatus: "active", trialHoursLeft: 1 });
  expect(all.gitlab.subscription).toMatchObject({ type: "trial", name: "Trial", periodHours: 4 });
});

test("[B-260] the billing portal has an address for customers only", async () => {
  expect((await ask("POST", "payments/stripe-create-portal-session")).json.code).toBe("err.payment.customer");
  await withCard();
  expect((await ask("POST", "payments/stripe-create-portal-session")).result.url).toMatch(/^http/);
});

test("events in any order, doubled or lost end in the same state; forged and old ones change nothing", async () => {
  await withCard();
  await stripe.takeEvents();
  await buy();
  const { id } = (await ofGithub()).subscription;
  await stripe.api("POST", `subscriptions/${id}`, { cancel_at_period_end: "true" });
  const events = await stripe.takeEvents();
  expect(events.length).toBeGreaterThan(3);
  const shuffled = [...events.toReversed(), ...events];
  expect(new Set(await deliver(shuffled))).toEqual(new Set([200]));
  expect((await ofGithub()).subscription.isCancel).toBe(true);
  const wanted = async () =>
    env.DB.prepare("SELECT wanted FROM billing_customer WHERE organisation_id = ?")
      .bind(owner.organisationId)
      .first<number>("wanted");
  const before = await wanted();
  const [event] = events;
  const forged = [
    { ...event!, signature: event!.signature.replace(/v1=./, "v1=0") },
    { ...event!, body: event!.body.replace("evt_", "evt_x") },
    { ...event!, signature: event!.signature.replace(/t=\d+/, "t=1") },
    // The provider's own, six minutes old; and of now, by somebody who does not know the secret.
    { ...event!, signature: await signed(stripe.vars, event!.body, Date.now() - 360_000) },
    {
      ...event!,
      signature: await signed({ STRIPE_WEBHOOK_SECRET: "whsec_guessed" }, event!.body, Date.now()),
    },
  ];
  for (const each of forged) {
    // One in sixteen signatures begins with the digit that is put there.
    if (each.signature === event!.signature && each.body === event!.body) continue;
    expect(await deliver([each])).toEqual([400]);
  }
  expect(await deliver([event!])).toEqual([200]);
  expect(await wanted()).toBe(before);
});

test("a refund, a dispute and a credit note from outside reach the state, the history and the invoice", async () => {
  await withCard();
  await buy();
  await stripe.takeEvents();
  const { id, rightEnds } = (await ofGithub()).subscription;
  const [paid] = (await ask("GET", "payments/stripe-get-user-payments")).result;
  const [charge] = (await stripe.api<{ data: { id: string; amount: number }[] }>("GET", "charges?limit=1"))
    .data;
  await stripe.api("POST", "credit_notes", {
    ...{ invoice: paid.invoice_id, amount: "428", refund_amount: "228", credit_amount: "200" },
  });
  const dispute = await stripe.control<{ id: string }>("disputes", { charge: charge!.id });
  const deliverAll = async () => {
    const events = await stripe.takeEvents();
    expect(new Set(await deliver(events))).toEqual(new Set([200]));
  };
  await deliverAll();
  expect((await ofGithub()).subscription).toMatchObject({ isDisputed: true, moneyBack: null, rightEnds });
  const lines = (await ask("GET", "payments/stripe-get-user-payments")).result;
  expect(lines.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
    ...["credit_note", "dispute", "payment", "refund"],
  ]);
  const latest = (await ask("GET", `payments/stripe-subscription-latest-invoice/${id}`)).result;
  expect(latest.corrections).toContainEqual({
    ...{ kind: "credit_note", status: "done", amount: 428, created: expect.any(Number) },
    ...{ number: expect.stringMatching(/-CN-01$/), pdf: expect.stringMatching(/^http/) },
  });
  const refused = await ask("POST", "payments/stripe-preview-price-update", {
    ...{ ...github, quantity: 50, period: "month" },
  });
  expect([refused.status, refused.json.code]).toEqual([409, "err.payment.disputed"]);
  await stripe.control("disputes/close", { dispute: dispute.id, outcome: "lost" });
  // The event of a dispute names no customer; the state follows all the same.
  await deliverAll();
  const after = (await ofGithub()).subscription;
  expect(after).toMatchObject({ status: "active", isPaid: false, isDisputed: false });
  expect(after.rightEnds).toBe(after.moneyBack);
  await ask("POST", "payments/stripe-end-subscription", { platform: "github" });
  expect((await ofGithub()).subscription.status).toBe("canceled");
});

test("a tax id has its state, and a reverse charge is on the preview and on the invoice", async () => {
  await withCard();
  const company = { ...COMPANY, tax_details: { type: "eu_vat", value: "DE000000000" } };
  const saved = await ask("PUT", "payments/stripe-update-company", company);
  expect(saved.result).toMatchObject({ reverse_charge: false, tax_details: [{ status: "verified" }] });
  const [customer] = (await stripe.api<{ data: { id: string }[] }>("GET", "customers?limit=1")).data;
  await stripe.takeEvents();
  await stripe.api("POST", `customers/${customer!.id}`, { tax_exempt: "reverse" });
  await deliver(await stripe.takeEvents());
  expect((await ask("GET", "payments/stripe-get-account")).result.company.reverse_charge).toBe(true);
  const preview = await ask("POST", "payments/stripe-preview-price-update", { ...github, period: "month" });
  expect(preview.result).toMatchObject({ reverseCharge: true, tax: 0, taxRate: 0, amountDue: 1_200 });
  await buy([github], { company: undefined });
  const { id } = (await ofGithub()).subscription;
  const latest = await ask("GET", `payments/stripe-subscription-latest-invoice/${id}`);
  expect(latest.result).toMatchObject({ reverse_charge: true, tax: 0, total: 1_200 });
});

test("a new card pays at once what a failed renewal owes", async () => {
  await withCard();
  await buy();
  const { id } = (await ofGithub()).subscription;
  const [customer] = (await stripe.api<{ data: { id: string }[] }>("GET", "customers?limit=1")).data;
  expect((await withCardAnswer(DECLINED)).result.paid).toEqual([]);
  await stripe.setClock(Math.floor(Date.now() / 1000) + 32 * 86_400);
  await ask("POST", "payments/get-github-trial-status");
  expect((await ofGithub()).subscription.status).toBe("past_due");
  const { result } = await withCardAnswer(VISA);
  expect(result.paid).toMatchObject([
    { platform: "github", subscriptionId: id, paymentIntentStatus: "succeeded" },
  ]);
  expect((await ofGithub()).subscription.status).toBe("active");
  const open = await stripe.api<{ data: unknown[] }>("GET", `invoices?customer=${customer!.id}&status=open`);
  expect(open.data).toEqual([]);
});

const OWNERS = Object.entries(PAYMENTS).filter(([, { may }]) => may === "owner");

test("[B-005] no member but the owner may make any call about money, and none learns of the company", async () => {
  await withCard();
  await buy();
  const member = await makeMember(s, owner, { github: "admin" });
  const asked = await clientOf(await makeSession(s, member));
  expect(OWNERS.length).toBeGreaterThan(15);
  for (const [route, { send }] of OWNERS) {
    const [method = "", path = ""] = route.split(" ");
    const { body, query = {}, path: own = path } = send?.({} as never) ?? {};
    const answer = await asked(method, `${own.slice("/api/".length)}?${new URLSearchParams(query)}`, body);
    expect([route, answer.status, answer.json.code]).toEqual([route, 403, "err.role.forbidden"]);
  }
  const info = (await asked("GET", "user/get-user-start-info")).result;
  expect([info.company, info.paymentHistory]).toEqual([null, []]);
});

test("no call about money takes the data of a card, and no log and no table holds them", async () => {
  const number = "4929123412341234";
  const lines: string[] = [];
  for (const method of ["debug", "log", "info", "warn", "error"] as const)
    vi.spyOn(console, method).mockImplementation((...parts) => void lines.push(parts.map(String).join(" ")));
  await withCard();
  const data = { number, cvc: "737", exp_month: 12, exp_year: 2039 };
  for (const [route, { send }] of OWNERS) {
    const [method = "", path = ""] = route.split(" ");
    if (method === "GET" || path.includes(":")) continue;
    const body = (send?.({} as never).body ?? {}) as object;
    for (const more of [data, { card: data }, { id: number }, { payment_method: { card: data } }]) {
      const answer = await ask(method, path.slice("/api/".length), { ...body, ...more });
      expect([route, answer.status, answer.json.code]).toEqual([route, 400, "err.request.invalid"]);
      expect(JSON.stringify(answer.json)).not.toContain(number);
    }
  }
  expect((await buy([{ ...github, number }])).status).toBe(400);
  vi.restoreAllMocks();
  expect(lines.join("\n")).not.toContain(number);
  for (const table of ["billing_command", "billing_customer", "audit_entry", "verification"]) {
    const { results } = await env.DB.prepare(`SELECT * FROM ${table}`).all();
    expect([table, JSON.stringify(results).includes(number)]).toEqual([table, false]);
  }
});
