import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { entitlementsOf, startTrial } from "#core/billing/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import type { Member } from "#core/organisations/index.ts";
import {
  attachCard,
  buy,
  cancelSubscription,
  endSubscription,
  payOpenInvoice,
  previewPurchase,
  reconcilePayments,
  resumeSubscription,
} from "#core/payments/index.ts";
import { type Dice, dice } from "#tests/harness/dice.ts";
import { customerOf, FAILING, type MoneyWorld, openMoneyWorld, VISA } from "#tests/harness/money-world.ts";
import type { OutsideEvent } from "#tests/harness/outside.ts";
import { isDeep, sampleOf, sweep } from "#tests/harness/sample.ts";

/*
 * Events are hints. Whether they arrive in order, late, twice or not at all, organisations that do the same end in the same
 * projection with the same rights: after a day at the latest, when the cron has read everything once.
 */

/** What becomes of the events of one step. Some ways keep events for a later step. */
type Way = (events: readonly OutsideEvent[]) => readonly OutsideEvent[];

const inOrder = (): Way => (events) => events;
const doubled = (): Way => (events) => [...events, ...events.toReversed()];
const dropped = (): Way => () => [];
/** The newest first, and the oldest of each step only after the next step. */
function reversed(): Way {
  let late: OutsideEvent[] = [];
  return ([first, ...rest]) => {
    const arriving = [...rest.toReversed(), ...late];
    late = first ? [first] : [];
    return arriving;
  };
}
/** Each event once, twice, late or not at all, in any order. */
function anyhow(roll: Dice): Way {
  let late: OutsideEvent[] = [];
  return (events) => {
    const fates = events.map((event) => ({ event, fate: roll(4) }));
    const of = (fate: number) => fates.flatMap((each) => (each.fate === fate ? [each.event] : []));
    const arriving = [...late, ...of(0), ...of(1), ...of(1)];
    late = of(2);
    return arriving
      .map((event) => ({ event, at: roll(1_000) }))
      .sort((a, b) => a.at - b.at)
      .map(({ event }) => event);
  };
}

type Account = { member: Member; way: Way };

/** Hands the events since the last call to their organisations, and lets the cron run. */
async function settle(world: MoneyWorld, accounts: readonly Account[]): Promise<void> {
  const events = await world.stripe.takeEvents();
  const customers = await Promise.all(accounts.map(({ member }) => customerOf(member)));
  await Promise.all(
    accounts.map(({ way }, at) =>
      world.deliver(way(events.filter((event) => customerIn(event) === customers[at]))),
    ),
  );
  // The cron reads twenty customers at a time.
  for (let turn = 0; turn <= accounts.length; turn += 20) await reconcilePayments(world.services);
}

function customerIn({ body }: OutsideEvent): string | null {
  const { object } = (
    JSON.parse(body) as { data: { object: { object: string; id: string; customer?: string } } }
  ).data;
  return object.object === "customer" ? object.id : (object.customer ?? null);
}

/** Everything that is known of an organisation's money, without the ids that no other organisation has. */
async function projectionOf({ organisationId }: Member) {
  const read = async (sql: string) =>
    (await env.DB.prepare(sql).bind(organisationId).all<Record<string, unknown>>()).results;
  const subscriptions = await read(
    "SELECT * FROM stripe_subscription WHERE organisation_id = ? ORDER BY created",
  );
  return {
    customer: await read(
      "SELECT country, balance_cents, card_brand, card_last4 FROM billing_customer WHERE organisation_id = ?",
    ),
    subscriptions: subscriptions.map(({ id, organisation_id, item_id, latest_invoice_id, ...row }) => row),
    rights: await read(
      "SELECT platform, plan, quantity, ends_at, trial_ends_at FROM subscription WHERE organisation_id = ? ORDER BY platform",
    ),
  };
}

type Choice = { priceId: string; quantity: number; code?: string };

/** Looks at the price and buys; what is charged is what was shown. Returns how the payment stands. */
async function order(
  world: MoneyWorld,
  member: Member,
  { priceId, quantity, code = undefined }: Choice,
): Promise<string> {
  const [platform = "", , period] = priceId.split(".");
  const choice = { platform, priceId, quantity };
  const before = await world.stateOf(member);
  const shown = await previewPurchase(world.services, member, {
    ...choice,
    period: period === "year" ? "year" : "month",
    code: code ?? null,
  });
  const [answer] = await buy(world.services, member, {
    company: null,
    items: [{ ...choice, quote: shown.quote }],
    code: shown.kind === "new" ? (code ?? null) : null,
  });
  const { chargedCents } = await world.stateOf(member);
  const charged = chargedCents - before.chargedCents;
  expect(charged).toBe(answer!.state === "succeeded" ? shown.preview.dueCents : 0);
  return answer!.code ?? answer!.state;
}

const at = (year: number, month: number, day: number, hour = 9) => Date.UTC(year, month - 1, day, hour);
/** A renewal may be paid that long after the period's end, and a failed one that long after its invoice. */
const SLACK_MS = 72 * HOUR_MS;
const PAST_DUE_MS = 14 * DAY_MS;

type Step = {
  at: number;
  does: string;
  act?: (world: MoneyWorld, member: Member) => Promise<unknown>;
  /** Of GitHub, a day later. */
  is: {
    plan: string;
    quantity: number;
    isActive: boolean;
    endsAt: number;
    status: string | null;
    chargedCents: number;
  };
};

/** Prices are those of the catalogue with 19 % VAT: 12.00, half of it with the coupon; 460.80 a year. */
const YEARS: readonly Step[] = [
  {
    at: at(2027, 1, 15),
    does: "a trial begins",
    act: ({ services }, member) => startTrial(services, member.organisationId, "github"),
    is: {
      plan: "trial",
      quantity: 10,
      isActive: true,
      endsAt: at(2027, 1, 29),
      status: null,
      chargedCents: 0,
    },
  },
  {
    at: at(2027, 1, 20),
    does: "Essential is bought by the month, with a coupon for three months",
    act: (world, member) =>
      order(world, member, { priceId: "github.essential.month", quantity: 10, code: "HALF3" }),
    is: essential(at(2027, 2, 20), 714),
  },
  { at: at(2027, 2, 21), does: "it renews at half price", is: essential(at(2027, 3, 20), 1_428) },
  { at: at(2027, 3, 21), does: "it renews at half price again", is: essential(at(2027, 4, 20), 2_142) },
  { at: at(2027, 4, 21), does: "the coupon has ended", is: essential(at(2027, 5, 20), 3_570) },
  {
    at: at(2027, 5, 5),
    // Half of the month comes back: 460.80 + 87.55 - 6.00 - 1.14.
    does: "in the middle of the month, Pro is chosen by the year",
    act: (world, member) => order(world, member, { priceId: "github.pro.year", quantity: 50 }),
    is: pro(at(2028, 5, 5) + SLACK_MS, 3_570 + 54_121),
  },
  {
    at: at(2028, 5, 3),
    does: "the card is replaced by one that fails",
    act: async ({ services, stripe }, member) => attachCard(services, member, await stripe.card(FAILING)),
    is: pro(at(2028, 5, 5) + SLACK_MS, 57_691),
  },
  {
    at: at(2028, 5, 6),
    does: "the renewal has failed",
    is: pro(at(2028, 5, 5, 10) + PAST_DUE_MS, 57_691, "past_due"),
  },
  {
    at: at(2028, 5, 10),
    does: "retries have failed",
    is: pro(at(2028, 5, 5, 10) + PAST_DUE_MS, 57_691, "past_due"),
  },
  {
    at: at(2028, 5, 12),
    does: "another card pays",
    act: async ({ services, stripe }, member) => {
      await attachCard(services, member, await stripe.card(VISA));
      await payOpenInvoice(services, member, "github");
    },
    is: pro(at(2029, 5, 5) + SLACK_MS, 57_691 + 54_835),
  },
  {
    at: at(2028, 8, 1),
    does: "Essential is chosen, and the difference is credited",
    act: (world, member) => order(world, member, { priceId: "github.essential.year", quantity: 10 }),
    is: essential(at(2029, 5, 5), 112_526),
  },
  {
    at: at(2029, 1, 10),
    does: "it is cancelled",
    act: ({ services }, member) => cancelSubscription(services, member, "github"),
    is: { ...essential(at(2029, 5, 5), 112_526), endsAt: at(2029, 5, 5) },
  },
  {
    at: at(2029, 5, 6),
    does: "it has ended",
    is: {
      ...essential(at(2029, 5, 5), 112_526),
      endsAt: at(2029, 5, 5),
      isActive: false,
      status: "canceled",
    },
  },
  {
    at: at(2029, 7, 1),
    does: "the customer comes back, and the credit pays",
    act: (world, member) => order(world, member, { priceId: "github.essential.month", quantity: 10 }),
    is: essential(at(2029, 8, 1), 112_526),
  },
  { at: at(2029, 12, 2), does: "it has renewed five times", is: essential(at(2030, 1, 1), 112_526) },
];

function essential(periodEnd: number, chargedCents: number): Step["is"] {
  const right = { plan: "essential", quantity: 10, isActive: true, status: "active" };
  return { ...right, endsAt: periodEnd + SLACK_MS, chargedCents };
}
function pro(endsAt: number, chargedCents: number, status = "active"): Step["is"] {
  return { plan: "pro", quantity: 50, isActive: true, endsAt, status, chargedCents };
}

test("three years of a customer are the same, step by step, with events in order, reversed, doubled and lost", async () => {
  const world = await openMoneyWorld(at(2027, 1, 15));
  const half = { percent_off: "50", duration: "repeating", duration_in_months: "3" };
  const { id: coupon } = await world.stripe.api<{ id: string }>("POST", "coupons", half);
  const code = { code: "HALF3", "promotion[type]": "coupon", "promotion[coupon]": coupon };
  await world.stripe.api("POST", "promotion_codes", code);
  const ways = [inOrder(), reversed(), doubled(), dropped()];
  const accounts = await Promise.all(ways.map(async (way) => ({ member: await world.owner(), way })));
  for (const step of YEARS) {
    await world.moveTo(step.at);
    await settle(world, accounts);
    if (step.act) await Promise.all(accounts.map(({ member }) => step.act!(world, member)));
    await world.moveTo(step.at + 25 * HOUR_MS);
    await settle(world, accounts);
    const ends = await Promise.all(accounts.map(({ member }) => projectionOf(member)));
    for (const end of ends) expect([step.does, end]).toEqual([step.does, ends[0]]);
    for (const { member } of accounts) {
      const { plan, itemLimit, isActive, endsAt } = await entitlementsOf(
        world.services,
        member.organisationId,
        "github",
      );
      const { chargedCents, wronglyCharged } = await world.stateOf(member);
      const status = ends[0]!.subscriptions.at(-1)?.status ?? null;
      const is = { plan, quantity: itemLimit, isActive, endsAt, status, chargedCents };
      expect([step.does, is, wronglyCharged]).toEqual([step.does, step.is, []]);
    }
  }
  expect(await world.stripe.refusals()).toEqual([]);
  await world.stripe.close();
}, 600_000);

test("who does not pay loses the right for good, and comes back by paying for the period that runs alone", async () => {
  const world = await openMoneyWorld(at(2027, 1, 15));
  const { services, stripe } = world;
  const member = await world.owner();
  await order(world, member, { priceId: "github.essential.month", quantity: 10 });
  await attachCard(services, member, await stripe.card(FAILING));
  const read = async (moment: number) => {
    await world.moveTo(moment);
    await reconcilePayments(services);
    const { isActive, endsAt } = await entitlementsOf(services, member.organisationId, "github");
    return { isActive, endsAt };
  };
  const lost = at(2027, 2, 15, 10) + PAST_DUE_MS;
  expect(await read(at(2027, 2, 20))).toEqual({ isActive: true, endsAt: lost });
  expect(await read(at(2027, 3, 3))).toEqual({ isActive: false, endsAt: lost });
  // Another period has begun, whose invoice nobody collects.
  expect(await read(at(2027, 3, 20))).toEqual({ isActive: false, endsAt: lost });
  // A try that fails gives no right either.
  expect((await payOpenInvoice(services, member, "github")).state).not.toBe("succeeded");
  expect(await read(at(2027, 3, 20, 9) + HOUR_MS / 2)).toEqual({ isActive: false, endsAt: lost });
  await attachCard(services, member, await stripe.card(VISA));
  expect(await payOpenInvoice(services, member, "github")).toMatchObject({ state: "succeeded" });
  expect(await read(at(2027, 3, 20, 10))).toEqual({ isActive: true, endsAt: at(2027, 4, 15) + SLACK_MS });
  expect(await world.stateOf(member)).toMatchObject({
    chargedCents: 2 * 1_428,
    openInvoices: 0,
    wronglyCharged: [],
  });
  await stripe.close();
}, 600_000);

const HISTORIES = 1_000;
/** Histories in a normal run. */
const SAMPLE = 2;
/** Histories on one clock. */
const TOGETHER = 20;
const STEPS = 10;
const PRICES = ["essential", "pro"].flatMap((plan) =>
  ["month", "year"].map((period) => `github.${plan}.${period}`),
);
const QUANTITIES = [10, 50, 100, 250, 500, 1_000];
const of = <T>(roll: Dice, list: readonly T[]): T => list[roll(list.length)]!;

type Act = { name: string; act: (world: MoneyWorld, member: Member) => Promise<unknown> };

const GITHUB = "github";
const ACTS = {
  cancel: ({ services }, member) => cancelSubscription(services, member, GITHUB),
  keep: ({ services }, member) => resumeSubscription(services, member, GITHUB),
  end: ({ services }, member) => endSubscription(services, member, GITHUB),
  pay: ({ services }, member) => payOpenInvoice(services, member, GITHUB),
  wait: async () => undefined,
  "good card": async ({ services, stripe }, member) => attachCard(services, member, await stripe.card(VISA)),
  "bad card": async ({ services, stripe }, member) =>
    attachCard(services, member, await stripe.card(FAILING)),
  "good card, pay": async (world, member) => {
    await ACTS["good card"]!(world, member);
    await ACTS.pay!(world, member);
  },
  "cancel in the portal": async ({ services, stripe }, member) => {
    const { subscriptions } = await services.payments.listSubscriptions((await customerOf(member)) ?? "");
    const live = subscriptions.find(({ state, cancelAt }) => state === "active" && cancelAt === null);
    if (live) await stripe.control("cancel-in-portal", { subscription: live.id });
  },
} satisfies Record<string, Act["act"]> as Record<string, Act["act"]>;

/** What people, support or a bank may well do in a state; now and then something else. */
const FITTING: Readonly<Record<string, readonly string[]>> = {
  active: ["order", "order", "bad card", "bad card", "wait", "cancel", "cancel in the portal"],
  cancelling: ["keep", "keep", "order", "wait"],
  past_due: ["wait", "wait", "wait", "good card, pay", "end", "pay"],
  unpaid: ["wait", "good card, pay", "good card, pay", "end", "order"],
  none: ["order", "order", "good card", "good card"],
};
const ANYTHING = ["order", ...Object.keys(ACTS)];

async function anyAct(roll: Dice, member: Member): Promise<Act> {
  const row = (await projectionOf(member)).subscriptions.at(-1);
  const state = row?.status === "active" && row.cancel_at !== null ? "cancelling" : String(row?.status);
  const name = of(roll, roll(6) === 0 ? ANYTHING : (FITTING[state] ?? FITTING.none!));
  const choice = { priceId: of(roll, PRICES), quantity: of(roll, QUANTITIES) };
  const act = ACTS[name];
  if (act) return { name: `${state}: ${name}`, act };
  return {
    name: `${state}: order ${choice.priceId} × ${choice.quantity}`,
    act: (world, who) => order(world, who, choice),
  };
}

/** What an act came to; the code of a refusal. */
async function tried(act: () => Promise<unknown>): Promise<string> {
  try {
    const answer = await act();
    return typeof answer === "string" ? answer : "done";
  } catch (cause) {
    if (cause instanceof AppError) return cause.code;
    throw cause;
  }
}

/** Lets two organisations live the history of each seed: one gets its events in order, the other anyhow. */
async function live(seeds: readonly number[]): Promise<void> {
  const world = await openMoneyWorld(at(2027, 1, 31));
  const pace = dice(seeds[0]!);
  const lives = await Promise.all(
    seeds.map(async (seed) => {
      const roll = dice(seed);
      const pair: Account[] = [];
      for (const way of [inOrder(), anyhow(dice(seed + 1))]) {
        const member = await world.owner();
        if (seed % 2) await startTrial(world.services, member.organisationId, "github");
        pair.push({ member, way });
      }
      return { seed, roll, pair, story: [] as string[] };
    }),
  );
  const everyone = lives.flatMap(({ pair }) => pair);
  for (let step = 0; step < STEPS; step++) {
    await world.moveTo(world.clock.at + (3 + pace(40)) * DAY_MS + pace(86_400) * 1_000);
    await settle(world, everyone);
    await Promise.all(
      lives.map(async ({ roll, pair, story }) => {
        const { name, act } = await anyAct(roll, pair[0]!.member);
        const answers = await Promise.all(pair.map(({ member }) => tried(() => act(world, member))));
        story.push(`${new Date(world.clock.at).toISOString()} ${name}: ${answers.join(" / ")}`);
      }),
    );
    await world.moveTo(world.clock.at + 25 * HOUR_MS);
    await settle(world, everyone);
    await Promise.all(
      lives.map(async ({ seed, pair, story }) => {
        const told = `history ${seed}\n${story.join("\n")}`;
        const [one, other] = await Promise.all(pair.map(({ member }) => projectionOf(member)));
        expect(one, told).toEqual(other);
        const states = await Promise.all(pair.map(({ member }) => world.stateOf(member)));
        for (const state of states) {
          expect(state.wronglyCharged, told).toEqual([]);
          expect(state.live.length, told).toBeLessThan(2);
          expect(state.rights, told).toEqual(state.live);
          expect(state.chargedCents, told).toBe(states[0]!.chargedCents);
        }
      }),
    );
  }
  // Nobody can read these customers any more; the cron would try them in later histories.
  const ids = JSON.stringify(everyone.map(({ member }) => member.organisationId));
  await env.DB.prepare(
    "DELETE FROM billing_customer WHERE organisation_id IN (SELECT value FROM json_each(?))",
  )
    .bind(ids)
    .run();
  await world.stripe.close();
}

test(
  "in any history, nobody has a right without a subscription, is charged beyond an invoice, or depends on events",
  async () => {
    const all = Array.from({ length: HISTORIES }, (_, index) => index + 1);
    const seeds = sampleOf(all, SAMPLE);
    console.log(`Histories ${seeds.length > 10 ? `1 … ${HISTORIES}` : seeds.join(", ")}`);
    await sweep(async () => {
      for (let from = 0; from < seeds.length; from += TOGETHER) {
        const some = seeds.slice(from, from + TOGETHER);
        await live(some);
        console.log(`Right up to history ${some.at(-1)}`);
      }
    });
  },
  isDeep() ? 10_800_000 : 600_000,
);
