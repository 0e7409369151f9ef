import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { dispatchDue } from "#core/backups/index.ts";
import { entitlementsOf } from "#core/billing/index.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { attachCard, buy, cancelSubscription, saveCompany } from "#core/payments/index.ts";
import { queueRemovals, warnOfRemovals } from "#core/removals/index.ts";
import { findFaults } from "#tests/harness/check-vault.ts";
import { listObjectKeys } from "#tests/harness/empty-bindings.ts";
import { backUpNow, listSnapshots } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld } from "#tests/harness/flow-world.ts";
import { memoryPayments } from "#tests/harness/memory-payments.ts";
import { type Act, deliverWaiting, strike, WHOLE_STRIKE_MS } from "#tests/harness/strike.ts";
import type { Services } from "#workers/services.ts";

const COMPANY = { name: "Meridian", country: "US", city: "Austin", line1: "1", postal_code: "78701" };

let world: FlowWorld;
beforeEach(async () => {
  world = await openFlowWorld();
});
afterEach(() => world.close());

const vaultKeys = () => listObjectKeys(env[`VAULT_${world.region}`]);
const inControl = async <T>(sql: string) => (await env.DB.prepare(sql).all<T>()).results;

/** The plan of the platform ends now, and gives its right no longer. */
async function endPlan(plan: "trial" | "pro" = "trial"): Promise<number> {
  const now = world.clock.now();
  await env.DB.prepare("UPDATE subscription SET plan = ?, ends_at = ?").bind(plan, now).run();
  return now;
}

async function hourly(services: Services): Promise<void> {
  await warnOfRemovals(services);
  await queueRemovals(services);
}

/** Moves the clock to a time, and lets the hourly rules and what follows from them run. */
async function at(time: number): Promise<void> {
  world.clock.advance(time - world.clock.now());
  await world.tick(hourly);
  await world.drain();
}

test("[B-113] thirty days after the end of a plan its backups leave lists and storage, and the owner was told twice", async () => {
  const items = [await world.protect("one", "tiny"), await world.protect("two", "tiny")];
  await world.drain();
  await backUpNow(world, items[0]!.id);
  const ended = await endPlan();
  for (const day of [1, 16, 28]) await at(ended + day * DAY_MS + HOUR_MS);
  await at(ended + 30 * DAY_MS - HOUR_MS);
  expect(await listSnapshots(world, items[0]!.id)).toHaveLength(2);
  expect(await findFaults(world)).toEqual([]);
  const subjects = world.mails.map(({ subject }) => subject).filter((text) => text.includes("removed"));
  expect(subjects).toHaveLength(2);
  await at(ended + 30 * DAY_MS + HOUR_MS);
  for (const table of ["item", "snapshot", "manifest", "object_span", "object", "schedule"])
    expect([table, await world.rows(`SELECT * FROM ${table}`)]).toEqual([table, []]);
  expect(await vaultKeys()).toEqual([]);
  expect(await inControl("SELECT state, items, versions, items_left FROM removal")).toEqual([
    { state: "done", items: 2, versions: 3, items_left: 0 },
  ]);
  expect(await inControl("SELECT subject FROM audit_entry WHERE action = 'remove-lapsed'")).toEqual([
    { subject: "2 items with 3 versions" },
  ]);
  // The account stays connected, so whoever comes back chooses what to protect.
  expect(await inControl("SELECT status FROM connection")).toEqual([{ status: "active" }]);
});

test(
  "a removal that crashes at any effect leaves each item whole or gone, and is finished by the next hour",
  async () => {
    await world.protect("crash", "tiny");
    await world.drain();
    const ended = await endPlan();
    for (const day of [16, 28]) await at(ended + day * DAY_MS + HOUR_MS);
    world.clock.advance(ended + 30 * DAY_MS + HOUR_MS - world.clock.now());
    const act: Act = async (services) => {
      await queueRemovals(services);
      await deliverWaiting(world)(services);
    };
    await strike({ name: "removal", world, act }, async (blow) => {
      expect([blow, await findFaults(world)]).toEqual([blow, []]);
      world.clock.advance(HOUR_MS);
      await world.tick(hourly);
      await world.drain();
      expect([blow, await vaultKeys()]).toEqual([blow, []]);
      expect([blow, await world.rows("SELECT id FROM item")]).toEqual([blow, []]);
      const removals = await inControl("SELECT state, items, versions, items_left FROM removal");
      expect([blow, removals]).toEqual([blow, [{ state: "done", items: 1, versions: 1, items_left: 0 }]]);
    });
  },
  WHOLE_STRIKE_MS,
);

/** From adding an item to its first due time, which its id decides: a short wait, a usual one and nearly the longest. */
test.each([0.2, 0.8, 1.12])(
  "a plan that ended before the first due time, %f periods ahead, is the reason of one run",
  async (periods) => {
    await world.protect("stops", "tiny");
    await world.drain();
    const ended = await endPlan();
    await world.ledger.prepare("UPDATE schedule SET due_at = ? + ? * period_ms").bind(ended, periods).run();
    for (let hour = 0; hour < 80; hour++) {
      world.clock.advance(HOUR_MS);
      await world.tick(dispatchDue);
      await world.drain();
    }
    expect(await world.rows("SELECT status FROM run WHERE trigger = 'schedule'")).toEqual([
      { status: "failed" },
    ]);
  },
);

test("[B-001] after a trial without a subscription no backup is made: one run says why, and then none is queued", async () => {
  const item = await world.protect("stops", "tiny");
  await world.drain();
  const ended = await endPlan();
  const asked = async () => {
    await world.tick(dispatchDue);
    return world.queue.letters.length;
  };
  const [schedule] = await world.rows<{ due_at: number }>("SELECT due_at FROM schedule");
  world.clock.advance(schedule!.due_at - world.clock.now());
  await asked();
  await world.drain();
  expect(
    await world.rows(
      "SELECT status, error_text AS text FROM run WHERE trigger = 'schedule' AND kind = 'backup'",
    ),
  ).toEqual([{ status: "failed", text: "Backups are paused: the trial or subscription has ended." }]);
  for (let day = 0; day < 5; day++) {
    world.clock.advance(DAY_MS);
    expect([day, await asked()]).toEqual([day, 0]);
  }
  expect((await listSnapshots(world, item.id)).every(({ taken_at }) => taken_at < ended)).toBe(true);
  // With a subscription they go on.
  await env.DB.prepare("UPDATE subscription SET plan = 'essential', ends_at = NULL").run();
  world.clock.advance(DAY_MS);
  expect(await asked()).toBe(1);
});

test("[B-018] a Pro item gets a job after 12 hours and an Essential one does not; a change of plan counts from the next time on", async () => {
  await world.protect("period", "tiny");
  await world.drain();
  const due = async () => (await world.rows<{ due_at: number }>("SELECT due_at FROM schedule"))[0]!.due_at;
  /** Lets the item's next time come, and returns how long after it the following one is. */
  const period = async () => {
    const before = await due();
    world.clock.advance(before - world.clock.now());
    expect(await world.tick(dispatchDue)).toMatchObject({ done: 1 });
    await world.drain();
    return (await due()) - before;
  };
  /** Whether a job comes within 12 hours after the one that just ran. */
  const hasJobAfterHalfADay = async () => {
    world.clock.advance(12 * HOUR_MS);
    return (await dispatchDue(world.services, world.region)).done === 1;
  };
  expect(await period()).toBe(12 * HOUR_MS);
  expect(await hasJobAfterHalfADay()).toBe(true);
  await world.drain();
  await env.DB.prepare("UPDATE subscription SET plan = 'essential'").run();
  expect(await period()).toBe(24 * HOUR_MS);
  expect(await hasJobAfterHalfADay()).toBe(false);
  await env.DB.prepare("UPDATE subscription SET plan = 'pro'").run();
  expect(await period()).toBe(12 * HOUR_MS);
  expect(await hasJobAfterHalfADay()).toBe(true);
});

test("[B-175] a cancelled subscription is backed up to the end of what is paid, and not afterwards", async () => {
  const payments = memoryPayments(world.clock);
  Object.assign(world.services, { payments: payments.provider });
  const item = await world.protect("paid", "tiny");
  await world.drain();
  const { services, member } = world;
  await attachCard(services, member, "pm_ok");
  await saveCompany(services, member, COMPANY, { needsCard: true });
  const order = { platform: "github", priceId: "github.essential.month", quantity: 10, quote: null };
  await buy(services, member, { company: null, items: [order], code: null });
  const endsAt = (await cancelSubscription(services, member, "github"))!;
  expect(endsAt).toBeGreaterThan(world.clock.now() + 27 * DAY_MS);
  /** The versions that a day of scheduled backups made, by the time when their reading began. */
  const dayFrom = async (time: number) => {
    world.clock.advance(time - world.clock.now());
    await world.tick(dispatchDue);
    await world.drain();
    const made = (await listSnapshots(world, item.id)).map(({ taken_at }) => taken_at);
    return made.filter((at) => at >= time);
  };
  expect(await dayFrom(endsAt - 49 * HOUR_MS)).toHaveLength(1);
  expect(await dayFrom(endsAt - 24 * HOUR_MS)).toHaveLength(1);
  for (const day of [1, 2, 3]) expect([day, await dayFrom(endsAt + day * DAY_MS)]).toEqual([day, []]);
  expect(await entitlementsOf(services, member.organisationId, "github")).toMatchObject({
    isActive: false,
    endsAt,
  });
});
