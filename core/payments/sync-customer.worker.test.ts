import { env } from "cloudflare:workers";
import { configureSync, type LogRecord, resetSync } from "@logtape/logtape";
import { expect, test } from "vitest";
import { subscriptionsOf } from "#core/billing/index.ts";
import { controlDatabase } from "#core/database/ledgers.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { memoryPayments } from "#tests/harness/memory-payments.ts";
import { sampleOf } from "#tests/harness/sample.ts";
import { syncCustomer } from "./index.ts";
import {
  insertCustomer,
  readProjection,
  type SubscriptionRow,
  wantSync,
  writeProjection,
} from "./projection.store.ts";

const control = controlDatabase(env);
const SILENT = { publish: async () => undefined, disconnect: async () => undefined };

/** Every order of the steps of several syncs in which each one's own steps stay in order, up to the syncs' names. */
function interleavings(syncs: number, steps: number): number[][] {
  const orders: number[][] = [];
  const left = Array<number>(syncs).fill(steps);
  const walk = (order: number[]) => {
    if (order.length === syncs * steps) orders.push(order);
    for (let each = 0; each < syncs; each++) {
      // The first step of a sync comes after the first step of the one before it: names do not matter.
      const isNamed = left[each]! < steps || each === 0 || left[each - 1]! < steps;
      if (left[each] === 0 || !isNamed) continue;
      left[each]! -= 1;
      walk([...order, each]);
      left[each]! += 1;
    }
  };
  walk([]);
  return orders;
}

async function customer() {
  const organisationId = randomIds.next("organisation");
  await insertCustomer(control, { organisationId, customerId: `cus_${organisationId}` });
  return organisationId;
}

const facts = (balanceCents: number) => ({
  name: null,
  country: null,
  addressJson: null,
  taxIdsJson: "[]",
  isReverseCharge: false,
  balanceCents,
  cardId: null,
  cardBrand: null,
  cardLast4: null,
  cardExpMonth: null,
  cardExpYear: null,
});

/** A subscription, and the right that follows from it, as a reading found them. */
const rowOf = (organisationId: string, quantity: number): SubscriptionRow => ({
  ...{ id: `sub_${organisationId}`, organisationId, platform: "github", itemId: "si_1" },
  ...{ priceKey: "github.pro.month", plan: "pro", period: "month", status: "active", quantity },
  ...{ boughtQuantity: quantity, periodStart: 0, periodEnd: 1, cancelAt: null, isCancelledByDate: false },
  ...{ endedAt: null, collectionMethod: "charge", latestInvoiceId: null, latestInvoiceStatus: null },
  ...{ pastDueSince: null, dueAt: null, nextAttemptAt: null, attempts: 0, pendingJson: null },
  ...{ nextInvoiceCents: null, created: 0, moneyBackAt: null, isDisputed: false },
});
const rightOf = (organisationId: string, quantity: number) => ({
  ...{ id: `right_${organisationId}`, platform: "github", plan: "pro", quantity, endsAt: 1 },
});

test("of three syncs that overlap in any way, an older reading never lands on a newer one", async () => {
  const orders = interleavings(3, 3);
  expect(orders).toHaveLength(280);
  const organisationId = await customer();
  let moment = 0;
  for (const order of sampleOf(orders, 60)) {
    const syncs = [0, 1, 2].map(() => ({ step: 0, version: 0, wanted: 0, reading: 0 }));
    let newest = 0;
    for (const each of order) {
      const sync = syncs[each]!;
      if (sync.step === 0) {
        const { customer: row } = await readProjection(control, organisationId);
        Object.assign(sync, { version: row!.version, wanted: row!.wanted });
      } else if (sync.step === 1) sync.reading = ++moment;
      else {
        const { version, wanted, reading } = sync;
        const written = await writeProjection(control, {
          organisationId,
          version,
          wanted,
          facts: facts(reading),
          rows: [rowOf(organisationId, reading)],
          rights: [rightOf(organisationId, reading)],
          commands: [],
          now: moment,
        });
        if (written.isWritten) {
          expect(reading).toBeGreaterThan(newest);
          newest = reading;
        }
      }
      sync.step += 1;
    }
    const { customer: row, rows } = await readProjection(control, organisationId);
    const [right] = await subscriptionsOf(control, organisationId);
    expect([row?.balanceCents, rows[0]?.quantity, right?.quantity]).toEqual([newest, newest, newest]);
  }
});

test("syncs at once, with events in between, end in what the provider says", async () => {
  const payments = memoryPayments({ now: () => 1 });
  const customerId = await payments.provider.createCustomer(
    { organisationId: "o", name: "n", email: "e" },
    "key",
  );
  const organisationId = randomIds.next("organisation");
  await insertCustomer(control, { organisationId, customerId });
  const deps = { control, clock: { now: () => 1 }, payments: payments.provider, live: SILENT };
  for (let round = 1; round <= 20; round++) {
    payments.hooks.interrupt = async (call, when) => {
      if (call !== "readCustomer") return;
      // The provider changes while it is read; every change sends an event.
      if (when === "after" && payments.customers.get(customerId)!.creditCents < round * 3) {
        payments.customers.get(customerId)!.creditCents += 1;
        await wantSync(control, organisationId);
      }
    };
    const outcomes = await Promise.all([1, 2, 3].map(() => syncCustomer(deps, organisationId)));
    payments.hooks.interrupt = () => undefined;
    const { customer: row } = await readProjection(control, organisationId);
    // Whatever was not read in time is still wanted, so the cron reads it.
    if (row!.balanceCents !== payments.customers.get(customerId)!.creditCents) {
      expect(row!.wanted).toBeGreaterThan(row!.syncedWanted);
      expect(outcomes).toContain("later");
      expect(await syncCustomer(deps, organisationId)).toBe("synced");
    }
    const after = (await readProjection(control, organisationId)).customer!;
    expect(after.balanceCents).toBe(payments.customers.get(customerId)!.creditCents);
  }
});

/** A customer who bought Pro of GitHub. */
async function buyPro(clock: { now: () => number }) {
  const payments = memoryPayments(clock);
  const customerId = await payments.provider.createCustomer(
    { organisationId: "o", name: "n", email: "e" },
    "key",
  );
  const organisationId = randomIds.next("organisation");
  await insertCustomer(control, { organisationId, customerId });
  const deps = { control, clock, payments: payments.provider, live: SILENT };
  const bought = await payments.provider.subscribe(
    {
      customerId,
      priceId: "price_github.pro.month",
      quantity: 10,
      taxRates: [],
      promotionId: null,
      organisationId,
      platform: "github",
      commandId: "cmd_1",
    },
    "cmd_1",
  );
  await payments.provider.confirmPayment(bought.intentId!, "pm_ok", "confirm");
  await syncCustomer(deps, organisationId);
  return { payments, organisationId, deps, bought };
}

test("a subscription that is past due after all retries is reported, because the retry policy must be another", async () => {
  const records: LogRecord[] = [];
  configureSync({
    reset: true,
    sinks: { kept: (record) => records.push(record) },
    loggers: [{ category: "holdfast", lowestLevel: "error", sinks: ["kept"] }],
  });
  const clock = { at: Date.UTC(2026, 10, 3), now: () => clock.at };
  const { payments, organisationId, deps, bought } = await buyPro(clock);
  clock.at = payments.subscriptions.get(bought.subscriptionId)!.subscription.periodEnd;
  payments.failRenewal(bought.subscriptionId);
  clock.at += 16 * DAY_MS;
  await syncCustomer(deps, organisationId);
  expect(records).toEqual([]);
  clock.at += 1;
  await syncCustomer(deps, organisationId);
  expect(records.map(({ properties }) => properties)).toEqual([{ id: bought.subscriptionId }]);
  resetSync();
});

test("a subscription in an unknown form keeps its last known state and its right", async () => {
  const { payments, organisationId, deps, bought } = await buyPro({ now: () => 1 });
  const before = await readProjection(control, organisationId);
  expect(before.rows).toMatchObject([{ status: "active", plan: "pro" }]);
  const blind = {
    ...deps,
    payments: new Proxy(payments.provider, {
      get: (target, name) =>
        name === "listSubscriptions"
          ? async () => ({
              subscriptions: [],
              unreadable: [{ id: bought.subscriptionId, reason: "status dormant" }],
            })
          : target[name as "readCustomer"],
    }),
  };
  expect(await syncCustomer(blind, organisationId)).toBe("unclear");
  expect((await readProjection(control, organisationId)).rows).toEqual(before.rows);
});
