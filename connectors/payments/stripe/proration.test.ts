import { expect, test } from "vitest";
import { boughtQuantity, capacityOf, PRICES, type Price } from "#core/billing/index.ts";
import { type Dice, dice } from "#tests/harness/dice.ts";
import { type Account, billOf, monthsAfter } from "#tests/harness/proration.ts";
import { sampleOf, sweep } from "#tests/harness/sample.ts";
import { publishCatalogue } from "./catalogue.ts";
import { openStripe } from "./client.ts";
import { createStripe } from "./index.ts";
import { setClock } from "./simulator/clock.ts";
import { startStripeSimulator } from "./simulator/stripe-simulator.ts";

const DAY = 86_400;
const START = Date.UTC(2027, 0, 1) / 1_000;
/** A price that was shown counts for a quarter of an hour. */
const QUOTE = 900;

test("the documented examples: an upgrade halfway, lines rounded alone, and credits of what was debited", () => {
  const month = { start: Date.UTC(2027, 3, 1) / 1_000, end: Date.UTC(2027, 4, 1) / 1_000 };
  const paid = (cents: number): Account => ({
    period: month,
    debits: [{ ...month, cents }],
    creditCents: 0,
  });
  const plain = { begins: null, basisPoints: 0, percentOff: 0 };
  // docs.stripe.com/billing/subscriptions/prorations: from 10 to 20 USD halfway, -5 + 10 = 5 USD.
  const halfway = month.start + 15 * DAY;
  const upgrade = billOf(paid(1_000), { ...plain, at: halfway, parts: [2_000] });
  expect(upgrade.bill).toMatchObject({ lines: [-500, 1_000], dueCents: 500 });
  // The same page: from 10 to 5 USD after a third of the month, -6.67 + 3.33 = -3.34 USD, which becomes credit.
  const third = billOf(paid(1_000), { ...plain, at: month.start + 10 * DAY, parts: [500] });
  expect(third.bill).toMatchObject({ lines: [-667, 333], totalCents: -334, dueCents: 0 });
  expect(third.after.creditCents).toBe(334);
  // …/billing-mode/compare: a second change gives back what the first one charged, not the price.
  const again = billOf(upgrade.after, { ...plain, at: month.start + 20 * DAY, parts: [1_000] });
  expect(again.bill.lines).toEqual([-667, 333]);
  expect(monthsAfter(Date.UTC(2027, 0, 31, 9) / 1_000, 1)).toBe(Date.UTC(2027, 1, 28, 9) / 1_000);
  expect(monthsAfter(Date.UTC(2027, 0, 31, 9) / 1_000, 2)).toBe(Date.UTC(2027, 2, 31, 9) / 1_000);
});

/** Subscriptions on one simulator, changes of each, and simulators. All of them are 10,000 changes. */
const SUBSCRIPTIONS = 10;
const CHANGES = 10;
const WORLDS = 100;
/** Simulators in a normal run. */
const SAMPLE = 2;

/** Tax rates in hundredths of a percent; Finland's is no whole number. */
const RATES = [0, 1_900, 2_550, 810];
const COUPONS = [0, 0, 25, 33];

async function openShop() {
  const { world, answer, stop } = await startStripeSimulator({ settings: { isHeld: true } });
  const settings = {
    STRIPE_API_URL: "http://stripe.test",
    STRIPE_SECRET_KEY: world.settings.secretKey,
    STRIPE_WEBHOOK_SECRET: world.settings.webhookSecret,
  };
  const deps = {
    clock: { now: () => (world.state.clock.stoppedAt ?? 0) * 1_000 },
    fetch: (url: string | URL | Request, init?: RequestInit) => answer(new Request(url, init)),
  };
  setClock(world, { at: START, isStopped: true });
  const client = openStripe(settings, deps);
  await publishCatalogue(client, PRICES);
  const payments = createStripe(settings, deps);
  const ids = new Map<string, string>();
  for (const { key } of PRICES) ids.set(key, (await payments.findPrices([key])).get(key)!);
  return {
    payments,
    stripe: client.stripe,
    idOf: ({ key }: Price) => ids.get(key)!,
    moveTo: (at: number) => setClock(world, { at, isStopped: true }),
    stop,
  };
}

type Shop = Awaited<ReturnType<typeof openShop>>;
const of = <T>(roll: Dice, list: readonly T[]): T => list[roll(list.length)]!;
const months = ({ period }: Price) => (period === "year" ? 12 : 1);

/** What each part of a price costs for a whole period: a bracket of its own, or the units in each bracket. */
function partsOf({ kind, brackets }: Price, quantity: number): number[] {
  if (kind === "flat")
    return brackets
      .filter(({ to }) => to >= quantity)
      .slice(0, 1)
      .map(({ cents }) => cents);
  return brackets
    .filter(({ from }) => from <= quantity)
    .map(({ from, to, cents }) => (Math.min(quantity, to) - from + 1) * cents);
}

function anyChoice(roll: Dice, platform: string) {
  const price = of(
    roll,
    PRICES.filter((each) => each.platform === platform),
  );
  const { minimum, maximum } = capacityOf(platform)!;
  return { price, quantity: boughtQuantity(price, minimum + roll(maximum - minimum + 1)) };
}

/** A customer who buys and changes. Every preview and every invoice is what the calculation says. */
async function live(shop: Shop, seed: number, from: number): Promise<number> {
  const { payments, stripe, moveTo, idOf } = shop;
  const roll = dice(seed);
  for (let warm = 0; warm < 3; warm++) roll(2);
  let now = from + roll(40 * DAY);
  moveTo(now);
  const [basisPoints, percentOff] = [of(roll, RATES), of(roll, COUPONS)];
  const platform = of(roll, ["github", "trello", "jira", "notion"]);
  const customer = await payments.createCustomer(
    { organisationId: `o${seed}`, name: "N", email: "n@m.example" },
    `c${seed}`,
  );
  const card = await stripe.paymentMethods.create({ type: "card", card: { token: "tok_visa" } });
  await payments.attachCard(customer, card.id, `a${seed}`);
  const taxRates = basisPoints ? [await payments.taxRate({ country: "FI", basisPoints, label: "VAT" })] : [];
  let promotionId: string | null = null;
  if (percentOff) {
    const coupon = await stripe.coupons.create({ percent_off: percentOff, duration: "forever" });
    const code = { code: `C${seed}`, promotion: { type: "coupon" as const, coupon: coupon.id } };
    promotionId = (await stripe.promotionCodes.create(code)).id;
  }
  let { price, quantity } = anyChoice(roll, platform);
  let anchor = now;
  let turns = 0;
  const part = { basisPoints, percentOff };
  const nextPeriod = () => ({
    start: monthsAfter(anchor, turns * months(price)),
    end: monthsAfter(anchor, (turns + 1) * months(price)),
  });
  let account: Account = { period: nextPeriod(), debits: [], creditCents: 0 };
  const order = { customerId: customer, priceId: idOf(price), quantity, taxRates, promotionId };

  const first = await payments.preview({ ...order, change: null });
  const bought = billOf(account, {
    at: now,
    parts: partsOf(price, quantity),
    begins: account.period,
    ...part,
  });
  account = bought.after;
  const { subscriptionId, intentId } = await payments.subscribe(
    { ...order, organisationId: `o${seed}`, platform, commandId: `k${seed}` },
    `k${seed}`,
  );
  if (intentId !== null) await payments.confirmPayment(intentId, card.id, `p${seed}`);
  const sold = (await payments.listSubscriptions(customer)).subscriptions[0]!;
  const billed = async () => (await payments.listInvoices(customer, 1))[0]!;
  expect([first.totalCents, first.dueCents]).toEqual([bought.bill.totalCents, bought.bill.dueCents]);
  expect((await billed()).paidCents).toBe(bought.bill.dueCents);

  for (let change = 0; change < CHANGES; change++) {
    if (roll(5) === 0) {
      // The period turns, and its draft is paid an hour later.
      turns += 1;
      now = account.period.end + 2 * 3_600;
      moveTo(now);
      const renewed = billOf(
        { ...account, debits: [] },
        { at: now, parts: partsOf(price, quantity), begins: nextPeriod(), ...part },
      );
      account = renewed.after;
      expect((await billed()).paidCents).toBe(renewed.bill.dueCents);
    }
    const wanted = anyChoice(roll, platform);
    if (wanted.price === price && wanted.quantity === quantity) continue;
    const shownAt = now + roll(Math.max(1, account.period.end - QUOTE - now));
    now = shownAt + roll(QUOTE);
    if (now >= account.period.end) break;
    const isNewPeriod = wanted.price.period !== price.period;
    ({ price, quantity } = wanted);
    if (isNewPeriod) [anchor, turns] = [now, 0];
    const { bill, after } = billOf(account, {
      at: shownAt,
      parts: partsOf(price, quantity),
      begins: isNewPeriod ? nextPeriod() : null,
      ...part,
    });
    const about = { subscriptionId, itemId: sold.itemId, prorationAt: shownAt * 1_000, isNewPeriod };
    moveTo(shownAt);
    const preview = await payments.preview({
      customerId: customer,
      priceId: idOf(price),
      quantity,
      taxRates: [],
      promotionId: null,
      change: about,
    });
    moveTo(now);
    const changed = await payments.changeSubscription(
      { ...about, priceId: idOf(price), quantity },
      `${seed}:${change}`,
    );
    const invoice = await billed();
    const told = `seed ${seed}, change ${change}: ${price.key} × ${quantity}`;
    expect(
      preview.lines.map(({ cents }) => cents),
      told,
    ).toEqual(bill.lines);
    expect(preview, told).toMatchObject({
      taxCents: bill.taxCents,
      totalCents: bill.totalCents,
      dueCents: bill.dueCents,
      creditCents: Math.max(0, Math.min(bill.totalCents, account.creditCents)),
    });
    expect(changed, told).toMatchObject({ isChangePending: false, priceKey: price.key, quantity });
    expect(
      invoice.lines.map(({ cents }) => cents),
      told,
    ).toEqual(bill.lines);
    expect(invoice, told).toMatchObject({
      totalCents: preview.totalCents,
      paidCents: preview.dueCents,
      state: "paid",
    });
    account = after;
  }
  // Otherwise it would renew through the years of those that follow.
  await payments.endSubscription(subscriptionId, `e${seed}`);
  return now;
}

test("whatever is changed, and when, the preview is the invoice, and both are what the documentation says", async () => {
  const worlds = sampleOf(
    Array.from({ length: WORLDS }, (_, index) => index),
    SAMPLE,
  );
  await sweep(async () => {
    for (const world of worlds) {
      const shop = await openShop();
      let now = START;
      for (let each = 0; each < SUBSCRIPTIONS; each++) {
        const seed = 1 + world * SUBSCRIPTIONS + each;
        now = await live(shop, seed, now);
      }
      await shop.stop();
    }
  });
}, 3_600_000);
