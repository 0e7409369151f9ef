import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { PaymentError } from "#connectors/contract/payment-provider.ts";
import { costCents, entitlementsOf, findPrice } from "#core/billing/index.ts";
import { controlDatabase } from "#core/database/ledgers.ts";
import { HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { codeOf } from "#tests/harness/accounts.ts";
import { emptyEverything } from "#tests/harness/empty-bindings.ts";
import { memoryPayments } from "#tests/harness/memory-payments.ts";
import { makeOwner, makePlatform } from "#tests/harness/people.ts";
import { isDeep, sweepSeed } from "#tests/harness/sample.ts";
import { buildServices } from "#workers/services.ts";
import {
  attachCard,
  buy,
  cancelSubscription,
  previewPurchase,
  recalculateSubscriptions,
  reconcilePayments,
  resumeSubscription,
  saveCompany,
  syncCustomer,
} from "./index.ts";

const START = Date.UTC(2026, 10, 3, 9);
const COMPANY = { name: "Meridian", country: "US", city: "Austin", line1: "1", postal_code: "78701" };
const PRICE = findPrice("jira.essential.month")!;
const EARLY = 90 * MINUTE_MS;
const LATE = 30 * MINUTE_MS;

/** Each provider is a test's own, so no test finds another's subscriptions. */
beforeEach(emptyEverything);

type World = Awaited<ReturnType<typeof open>>;

/** An owner who pays for a hundred users of a site. */
async function open(bought = 100) {
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
  const { organisationId } = owner;
  await makePlatform(deps, owner, { platform: "jira", plan: null });
  await attachCard(deps, owner, "pm_ok");
  await saveCompany(deps, owner, COMPANY, { needsCard: true });
  const item = { platform: "jira", priceId: PRICE.key, quantity: bought, quote: null };
  await buy(deps, owner, { company: null, items: [item], code: null });
  const [stored] = [...payments.subscriptions.values()];
  const { subscription } = stored!;
  return {
    clock,
    payments,
    deps,
    owner,
    subscription,
    /** The site has so many users; null = nobody could count them. */
    count: (seats: number | null) =>
      env.DB.prepare("UPDATE connection SET seats = ? WHERE organisation_id = ?")
        .bind(seats, organisationId)
        .run(),
    tick: () => recalculateSubscriptions(deps),
    before: (ms: number) => {
      clock.at = subscription.periodEnd - ms;
    },
    /** The period turns at the provider, and we learn of it. */
    renew: async () => {
      clock.at = subscription.periodEnd;
      payments.renew(subscription.id);
      await syncCustomer(deps, organisationId);
    },
    charged: () => payments.charges.map(({ cents }) => cents),
    told: async () => {
      const { results } = await env.DB.prepare(
        `SELECT user_name AS userName, platform, subject, outcome FROM audit_entry
         WHERE organisation_id = ? AND action = 'recalculate-subscription' ORDER BY created_at`,
      )
        .bind(organisationId)
        .all<{ userName: string; platform: string; subject: string; outcome: string }>();
      return results;
    },
    locks: async () =>
      env.DB.prepare(
        "SELECT count(*) AS n FROM billing_command WHERE organisation_id = ? AND state IN ('open', 'waiting')",
      )
        .bind(organisationId)
        .first<number>("n"),
  };
}

const sets = ({ payments }: World) => payments.calls.filter(({ call }) => call === "setQuantity").length;

test.each([
  ["up", 130, 130],
  ["down", 40, 40],
  ["to nobody, which is one", 0, 1],
  ["beyond what is sold, which is on request", 2_340, 2_000],
])(
  "the quantity follows the number of users %s, is charged once at the renewal, and not before",
  async (_, seats, paid) => {
    const world = await open();
    const { deps, owner, subscription, charged } = world;
    await world.count(seats);
    world.before(EARLY);
    await world.tick();
    expect([sets(world), subscription.quantity]).toEqual([0, 100]);
    world.before(LATE);
    await world.tick();
    await world.tick();
    expect([sets(world), subscription.quantity]).toEqual([1, paid]);
    expect(charged()).toEqual([25_000]);
    const right = () => entitlementsOf(deps, owner.organisationId, "jira");
    expect(await right()).toMatchObject({ isActive: true, quantity: 100, itemLimit: 1_000_000 });
    await world.renew();
    await world.tick();
    expect(charged()).toEqual([25_000, costCents(PRICE, paid)]);
    expect(await right()).toMatchObject({ isActive: true, quantity: paid });
    expect(await world.told()).toMatchObject([
      { userName: "Holdfast", platform: "jira", subject: `${PRICE.key} × 100 → ${paid}`, outcome: "success" },
    ]);
  },
);

test.each([
  ["the users are as many as are paid for", async (world: World) => void (await world.count(100))],
  ["nobody could count the users", async (world: World) => void (await world.count(null))],
  [
    "one of two sites was never counted",
    async ({ count, deps, owner }: World) => {
      await count(130);
      await makePlatform(deps, owner, { platform: "jira", plan: null });
    },
  ],
  [
    "it was cancelled",
    async ({ count, deps, owner }: World) => {
      await count(130);
      await cancelSubscription(deps, owner, "jira");
    },
  ],
])("nothing is recalculated when %s", async (_, arrange) => {
  const world = await open();
  await arrange(world);
  world.before(LATE);
  await world.tick();
  expect([sets(world), world.subscription.quantity, await world.told()]).toEqual([0, 100, []]);
});

test.each(["before", "after"] as const)(
  "an isolate that dies %s the provider acted leaves a command that is finished once",
  async (moment) => {
    const world = await open();
    await world.count(130);
    world.before(LATE);
    let isDead = false;
    world.payments.hooks.interrupt = (call, when) => {
      if (isDead || call !== "setQuantity" || when !== moment) return;
      isDead = true;
      throw new PaymentError("unavailable", "the connection was closed");
    };
    await world.tick();
    expect([await world.locks(), await world.told()]).toEqual([1, []]);
    const { deps, owner } = world;
    const input = {
      platform: "jira",
      priceId: PRICE.key,
      quantity: 150,
      period: "month",
      code: null,
    } as const;
    const { quote } = await previewPurchase(deps, owner, input);
    const change = { platform: "jira", priceId: PRICE.key, quantity: 150, quote };
    const [answer] = await buy(deps, owner, { company: null, items: [change], code: null });
    expect(answer).toMatchObject({ state: "failed", code: "err.payment.busy" });
    await world.tick();
    expect(await world.locks()).toBe(1);
    world.clock.at += 2 * MINUTE_MS;
    await reconcilePayments(deps);
    await world.tick();
    expect([await world.locks(), world.subscription.quantity]).toEqual([0, 130]);
    expect(await world.told()).toHaveLength(1);
    await world.renew();
    expect(world.charged()).toEqual([25_000, costCents(PRICE, 130)]);
  },
);

test("a command that died is not sent in the next period, and tells what became of it", async () => {
  const world = await open();
  await world.count(130);
  world.before(LATE);
  world.payments.hooks.interrupt = (call, when) => {
    if (call === "setQuantity" && when === "before") throw new PaymentError("unavailable", "down");
  };
  await world.tick();
  await world.renew();
  world.payments.hooks.interrupt = () => undefined;
  await world.count(100);
  const asked = sets(world);
  await world.tick();
  expect([sets(world), world.subscription.quantity, await world.locks()]).toEqual([asked, 100, 0]);
  expect(await world.told()).toMatchObject([{ outcome: "failed" }]);
  expect(world.charged()).toEqual([25_000, 25_000]);
});

test("one that the provider refuses is told, and tried again after ten minutes", async () => {
  const world = await open();
  await world.count(130);
  world.before(LATE);
  let refusals = 1;
  world.payments.hooks.interrupt = (call, when) => {
    if (call === "setQuantity" && when === "before" && refusals-- > 0)
      throw new PaymentError("refused", "Not now.");
  };
  await world.tick();
  world.clock.at += 9 * MINUTE_MS;
  await world.tick();
  expect(world.subscription.quantity).toBe(100);
  world.clock.at += MINUTE_MS;
  await world.tick();
  expect(world.subscription.quantity).toBe(130);
  expect((await world.told()).map(({ outcome }) => outcome).sort()).toEqual(["failed", "success"]);
});

test("an owner's change and the recalculation do not charge twice, whichever comes first", async () => {
  for (const isChangeFirst of [true, false]) {
    await emptyEverything();
    const world = await open();
    const { deps, owner } = world;
    await world.count(130);
    world.before(LATE);
    const input = {
      platform: "jira",
      priceId: PRICE.key,
      quantity: 110,
      period: "month",
      code: null,
    } as const;
    const { quote } = await previewPurchase(deps, owner, input);
    const item = { platform: "jira", priceId: PRICE.key, quantity: 110, quote };
    const change = () => buy(deps, owner, { company: null, items: [item], code: null });
    if (isChangeFirst) {
      await change();
      await world.tick();
    } else {
      await world.tick();
      // What it was previewed from is not what runs any more.
      expect(await codeOf(change())).toBe("err.payment.quote");
    }
    expect(world.subscription.quantity).toBe(130);
    await world.renew();
    expect(world.charged().at(-1)).toBe(costCents(PRICE, 130));
  }
});

type Step =
  | { does: "count"; seats: number | null }
  | { does: "wait"; ms: number }
  | { does: "tick"; dies: "before" | "after" | null }
  | { does: "cancel" | "resume" | "sync" | "renew" };

const step = fc.oneof(
  fc.record({
    does: fc.constant("count" as const),
    seats: fc.option(fc.integer({ min: 0, max: 2_500 }), { freq: 6 }),
  }),
  fc.record({
    does: fc.constant("wait" as const),
    ms: fc.constantFrom(MINUTE_MS, 5 * MINUTE_MS, HOUR_MS / 2),
  }),
  fc.record({
    does: fc.constant("tick" as const),
    dies: fc.constantFrom(null, null, null, "before" as const, "after" as const),
  }),
  fc.record({
    does: fc.constantFrom("cancel" as const, "resume" as const, "sync" as const, "renew" as const),
  }),
);

/**
 * In any order of counts, ticks, deaths, cancellations and syncs: each period is charged once, at the brackets of its
 * quantity; and a quantity that differs from what was paid was counted in the last hour of its period.
 */
test("each renewal charges the brackets of the users once, in any history", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      await emptyEverything();
      const world = await open();
      const { deps, owner, clock, subscription, payments } = world;
      const counted = new Set<number>([100]);
      let periods = 1;
      world.before(70 * MINUTE_MS);
      for (const each of steps as Step[]) {
        if (subscription.endedAt !== null) break;
        switch (each.does) {
          case "count":
            await world.count(each.seats);
            if (each.seats !== null) counted.add(Math.min(2_000, Math.max(1, each.seats)));
            break;
          case "wait":
            clock.at = Math.min(clock.at + each.ms, subscription.periodEnd - 1);
            break;
          case "tick": {
            payments.hooks.interrupt = (call, when) => {
              if (call === "setQuantity" && when === each.dies) throw new PaymentError("unavailable", "dead");
            };
            const quantity = subscription.quantity;
            await world.tick();
            payments.hooks.interrupt = () => undefined;
            if (subscription.quantity !== quantity)
              expect(subscription.periodEnd - clock.at).toBeLessThanOrEqual(HOUR_MS);
            break;
          }
          case "cancel":
            await cancelSubscription(deps, owner, "jira").catch(() => undefined);
            break;
          case "resume":
            await resumeSubscription(deps, owner, "jira").catch(() => undefined);
            break;
          case "sync":
            await syncCustomer(deps, owner.organisationId);
            break;
          case "renew":
            if (subscription.cancelAt === null) periods += 1;
            await world.renew();
            if (subscription.endedAt === null) world.before(70 * MINUTE_MS);
        }
        expect(counted).toContain(subscription.quantity);
      }
      const renewals = [...payments.invoices.values()].filter(({ isRenewal }) => isRenewal);
      expect(payments.charges).toHaveLength(periods);
      expect(renewals).toHaveLength(periods - 1);
      const sums = new Set([...counted].map((quantity) => costCents(PRICE, quantity)));
      for (const { cents } of payments.charges) expect(sums).toContain(cents);
      if (subscription.endedAt !== null) return;
      // Whatever happened, quiet ticks in the next hour before a renewal bring the number of users of that day.
      if (subscription.cancelAt !== null) await resumeSubscription(deps, owner, "jira");
      await world.renew();
      await world.count(777);
      for (const ms of [40, 25, 12, 1]) {
        world.before(ms * MINUTE_MS);
        await world.tick();
      }
      await world.renew();
      expect([subscription.quantity, world.charged().at(-1), await world.locks()]).toEqual([
        777,
        costCents(PRICE, 777),
        0,
      ]);
    }),
    { numRuns: isDeep() ? 200 : 5, seed: sweepSeed() },
  );
}, 120_000);
