import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dispatchDue } from "#core/backups/index.ts";
import { entitlementsOf } from "#core/billing/index.ts";
import type { ItemView } from "#core/inventory/index.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { attachCard, buy, cancelSubscription, saveCompany } from "#core/payments/index.ts";
import { listSnapshots } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { memoryPayments } from "#tests/harness/memory-payments.ts";

const COMPANY = {
  name: "Meridian",
  country: "DE",
  city: "Berlin",
  line1: "Am Ufer 1",
  postal_code: "10115",
};

let world: FlowWorld;
let item: ItemView;
beforeAll(async () => {
  world = await openFlowWorld();
  item = await world.protect("ledger", "tiny");
  await world.drain();
});
afterAll(() => world.close());

/** Moves the clock and runs the schedule. Returns how many backups it queued, after carrying them out. */
async function backupsAfter(ms: number): Promise<number> {
  world.clock.advance(ms);
  await world.tick(dispatchDue);
  const queued = world.queue.letters.filter(({ body }) => body.job === "back-up-item").length;
  await world.drain();
  return queued;
}
const versions = async () => (await listSnapshots(world, item.id)).length;

/**
 * Three days after the end of a plan. At the first due time a run fails and tells why in the history; it makes no version,
 * and afterwards nothing is queued.
 */
async function expectStopped(): Promise<void> {
  const before = await versions();
  const queued = [];
  for (let day = 0; day < 4; day++) queued.push(await backupsAfter(DAY_MS));
  expect(queued.slice(2)).toEqual([0, 0]);
  expect(await versions()).toBe(before);
  const [last] = await world.rows<{ status: string; error_code: string }>(
    "SELECT status, error_code FROM run WHERE kind = 'backup' ORDER BY created_at DESC LIMIT 1",
  );
  expect(last).toEqual({ status: "failed", error_code: "err.plan.required" });
}

test("[B-001] once a trial is over and nothing was bought, backups of the platform stop", async () => {
  const endsAt = world.clock.now() + 2 * DAY_MS;
  await env.DB.prepare("UPDATE subscription SET plan = 'trial', ends_at = ?1, trial_ends_at = ?1")
    .bind(endsAt)
    .run();
  expect(await backupsAfter(DAY_MS + HOUR_MS)).toBe(1);
  await expectStopped();
});

test("[B-175] a cancelled subscription backs up until the end of the paid period, and no longer", async () => {
  const { clock, member } = world;
  const payments = memoryPayments(clock);
  const s = { ...world.services, payments: payments.provider };
  await attachCard(s, member, "pm_ok");
  await saveCompany(s, member, COMPANY, { needsCard: false });
  const wanted = { platform: PLATFORM, priceId: "github.essential.month", quantity: 10, quote: null };
  const bought = await buy(s, member, { company: null, items: [wanted], code: null });
  expect(bought).toMatchObject([{ state: "succeeded" }]);
  const endsAt = (await cancelSubscription(s, member, PLATFORM))!;
  expect(await entitlementsOf(s, member.organisationId, PLATFORM)).toMatchObject({ isActive: true, endsAt });
  const before = await versions();
  expect(await backupsAfter(DAY_MS + HOUR_MS)).toBe(1);
  expect(await backupsAfter(endsAt - HOUR_MS - clock.now())).toBe(1);
  expect(await versions()).toBe(before + 2);
  await expectStopped();
});
