import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { PaymentError } from "#connectors/contract/payment-provider.ts";
import { entitlementsOf } from "#core/billing/index.ts";
import { controlDatabase } from "#core/database/ledgers.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { randomIds } from "#core/kernel/ids.ts";
import type { Member } from "#core/organisations/index.ts";
import { attachCard, buy, saveCompany, syncCustomer } from "#core/payments/index.ts";
import { emptyEverything } from "#tests/harness/empty-bindings.ts";
import { memoryPayments } from "#tests/harness/memory-payments.ts";
import { makeOwner, makePlatform } from "#tests/harness/people.ts";
import { buildServices } from "#workers/services.ts";
import { listRemovedHoldings, queueRemovals, removeLapsed, warnOfRemovals } from "./index.ts";

const START = Date.UTC(2026, 10, 3, 9);
const COMPANY = { name: "Meridian", country: "US", city: "Austin", line1: "1", postal_code: "78701" };
const GITHUB = { platform: "github", priceId: "github.essential.month", quantity: 10, quote: null };

let world: Awaited<ReturnType<typeof open>>;
beforeEach(async () => {
  await emptyEverything();
  world = await open();
});

/** An owner, a payment provider in memory, a clock that the test moves, and the messages that were queued. */
async function open() {
  const clock = { at: START, now: () => clock.at };
  const payments = memoryPayments(clock);
  const queued: JobMessage[] = [];
  const deps = {
    ...buildServices(env),
    control: controlDatabase(env),
    clock,
    ids: randomIds,
    payments: payments.provider,
    queue: { send: async (jobs: readonly JobMessage[]) => void queued.push(...jobs) },
    live: { publish: async () => undefined, disconnect: async () => undefined },
  };
  const owner = await makeOwner(deps);
  return { clock, payments, queued, deps, owner };
}

/** Items with three versions each, in two regions. */
async function plant({ organisationId }: Member, items: number, platform = "github"): Promise<void> {
  for (const [region, part] of [
    ["US", Math.ceil(items / 2)],
    ["DE", Math.floor(items / 2)],
  ] as const) {
    const ledger = env[`LEDGER_${region}`];
    await ledger.batch([
      ledger
        .prepare(
          `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
           INSERT INTO item (id, organisation_id, connection_id, platform, kind, external_id, name, full_name,
             name_folded, visibility, details, status, is_daily, created_at)
           SELECT ?2 || ?3 || ?4 || i, ?2, 'con', ?3, 'repository', ?2 || ?3 || i, 'a', 'a', 'a', 'private', '{}',
             'backuped', 1, 1 FROM n`,
        )
        .bind(part, organisationId, platform, region),
      ledger
        .prepare(
          `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3)
           INSERT INTO snapshot (id, organisation_id, item_id, run_id, taken_at, manifest_id, size_bytes, new_bytes,
             verify_state, expires_at)
           SELECT item.id || i, ?1, item.id, item.id || i, i, 'm', 1, 1, 'verified', 9e15 FROM item, n
           WHERE item.organisation_id = ?1 AND item.platform = ?2`,
        )
        .bind(organisationId, platform),
    ]);
  }
}

/** Items and versions that are left. */
async function left({ organisationId }: Member): Promise<{ items: number; versions: number }> {
  let [items, versions] = [0, 0];
  for (const ledger of [env.LEDGER_US, env.LEDGER_DE]) {
    const count = (table: string) =>
      ledger
        .prepare(`SELECT count(*) AS n FROM ${table} WHERE organisation_id = ?`)
        .bind(organisationId)
        .first<number>("n");
    items += (await count("item")) ?? 0;
    versions += (await count("snapshot")) ?? 0;
  }
  return { items, versions };
}

const mails = async ({ organisationId }: Member) =>
  (
    await env.DB.prepare(
      "SELECT created_at FROM mail_outbox WHERE organisation_id = ? AND message = 'removal-ahead'",
    )
      .bind(organisationId)
      .all<{ created_at: number }>()
  ).results.map((row) => row.created_at);

const removals = async ({ organisationId }: Member) =>
  (
    await env.DB.prepare("SELECT * FROM removal WHERE organisation_id = ? ORDER BY warned_at")
      .bind(organisationId)
      .all<{ id: string; state: string; removal_at: number; items: number; items_left: number }>()
  ).results;

const trail = async ({ organisationId }: Member, action = "remove-lapsed") =>
  (
    await env.DB.prepare(
      "SELECT subject, user_id, platform FROM audit_entry WHERE organisation_id = ? AND action = ?",
    )
      .bind(organisationId, action)
      .all()
  ).results;

/** The hourly tick, and the slices that it queues. Returns how many there were. */
async function tick({ deps, queued } = world, batches?: number): Promise<number> {
  await warnOfRemovals(deps);
  await queueRemovals(deps);
  let slices = 0;
  for (let job = queued.shift(); job; job = queued.shift()) {
    if (job.job !== "remove-lapsed") continue;
    slices++;
    await removeLapsed(deps, job.payload, batches);
  }
  return slices;
}

/** Ticks every twelve hours until `until`. */
async function live(until: number): Promise<void> {
  while (world.clock.at < until) {
    world.clock.at = Math.min(until, world.clock.at + 12 * HOUR_MS);
    await tick();
  }
}

/** A trial that ends now, with items. */
async function endTrial(items: number): Promise<void> {
  const { deps, owner, clock } = world;
  await makePlatform(deps, owner, { platform: "github", plan: "trial", endsAt: clock.at });
  await plant(owner, items);
}

/** A subscription whose renewal failed, until Stripe gave it up. Returns its id. */
async function goUnpaid(): Promise<string> {
  const { deps, owner, payments, clock } = world;
  await attachCard(deps, owner, "pm_ok");
  await saveCompany(deps, owner, COMPANY, { needsCard: true });
  await buy(deps, owner, { company: null, items: [GITHUB], code: null });
  await plant(owner, 4);
  const { subscription } = [...payments.subscriptions.values()][0]!;
  clock.at = subscription.periodEnd;
  payments.failRenewal(subscription.id);
  clock.at += 14 * DAY_MS;
  subscription.state = "unpaid";
  await syncCustomer(deps, owner.organisationId);
  return subscription.id;
}

test("the owner is warned fourteen and two days ahead, once each, and everything stays until the day", async () => {
  const { owner } = world;
  await endTrial(4);
  const other = await makeOwner(world.deps);
  await plant(other, 2);
  await live(START + 30 * DAY_MS - 1);
  expect((await mails(owner)).map((at) => (at - START) / DAY_MS)).toEqual([16, 28]);
  expect(await left(owner)).toEqual({ items: 4, versions: 12 });
  await live(START + 30 * DAY_MS);
  expect(await left(owner)).toEqual({ items: 0, versions: 0 });
  await live(START + 40 * DAY_MS);
  expect(await mails(owner)).toHaveLength(2);
  expect(await trail(owner)).toEqual([
    { subject: "4 items with 12 versions", user_id: null, platform: "github" },
  ]);
  const warned = { subject: null, user_id: null, platform: "github" };
  expect(await trail(owner, "removal-ahead")).toEqual([warned, warned]);
  expect(await left(other)).toEqual({ items: 2, versions: 6 });
});

test("a removal leaves a record of what went and when, and other platforms keep theirs", async () => {
  const { deps, owner } = world;
  await endTrial(3);
  await makePlatform(deps, owner, { platform: "gitlab", plan: "essential" });
  await plant(owner, 2, "gitlab");
  await live(START + 30 * DAY_MS);
  expect(await left(owner)).toEqual({ items: 2, versions: 6 });
  expect([...(await listRemovedHoldings(deps, owner.organisationId))]).toEqual([
    ["github", { at: START + 30 * DAY_MS, items: 3, versions: 9 }],
  ]);
});

test("a warning that comes late postpones the removal, so that the announced days remain", async () => {
  const { owner, clock } = world;
  await endTrial(2);
  clock.at = START + 45 * DAY_MS;
  await tick();
  expect(await removals(owner)).toMatchObject([{ state: "ahead", removal_at: START + 59 * DAY_MS }]);
  clock.at = START + 58 * DAY_MS;
  await tick();
  expect(await removals(owner)).toMatchObject([{ state: "ahead", removal_at: START + 60 * DAY_MS }]);
  expect(await mails(owner)).toHaveLength(2);
  await live(START + 60 * DAY_MS - 1);
  expect(await left(owner)).toEqual({ items: 2, versions: 6 });
  await live(START + 60 * DAY_MS);
  expect(await left(owner)).toEqual({ items: 0, versions: 0 });
});

test("two ticks at once warn once", async () => {
  const { deps, owner, clock } = world;
  await endTrial(1);
  clock.at = START + 17 * DAY_MS;
  await Promise.all([warnOfRemovals(deps), warnOfRemovals(deps), warnOfRemovals(deps)]);
  expect(await removals(owner)).toHaveLength(1);
  clock.at = START + 29 * DAY_MS;
  await Promise.all([warnOfRemovals(deps), warnOfRemovals(deps)]);
  expect(await mails(owner)).toHaveLength(2);
  expect(await trail(owner, "removal-ahead")).toHaveLength(2);
});

test("a large platform goes in slices, and who pays between two of them keeps what is not removed yet", async () => {
  const { deps, owner, clock, queued } = world;
  await endTrial(900);
  await live(START + 29 * DAY_MS);
  clock.at = START + 30 * DAY_MS;
  await queueRemovals(deps);
  const [job] = queued.splice(0);
  if (job?.job !== "remove-lapsed") throw new Error("The removal was not queued.");
  await removeLapsed(deps, job.payload, 1);
  await removeLapsed(deps, job.payload, 1);
  expect(await left(owner)).toEqual({ items: 500, versions: 1_500 });
  await attachCard(deps, owner, "pm_ok");
  await saveCompany(deps, owner, COMPANY, { needsCard: true });
  await buy(deps, owner, { company: null, items: [GITHUB], code: null });
  await removeLapsed(deps, job.payload, 1);
  await live(START + 33 * DAY_MS);
  expect(await left(owner)).toEqual({ items: 500, versions: 1_500 });
  expect(await removals(owner)).toMatchObject([{ state: "stopped", items: 900, items_left: 500 }]);
  expect(await trail(owner)).toMatchObject([{ subject: "400 of 900 items with 1,200 versions" }]);
});

test("a right that comes back between two batches of one slice stops it at the next", async () => {
  const { deps, owner } = world;
  await endTrial(500);
  await live(START + 30 * DAY_MS - 1);
  const publish = async () => {
    await env.DB.prepare("UPDATE subscription SET plan = 'pro', ends_at = NULL").run();
  };
  Object.assign(deps, { live: { ...deps.live, publish } });
  world.clock.at += 1;
  await tick();
  // Two hundred of the first region are the first batch.
  expect(await left(owner)).toEqual({ items: 300, versions: 900 });
  expect(await removals(owner)).toMatchObject([{ state: "stopped", items: 500, items_left: 300 }]);
});

test("an unpaid subscription keeps its right for fourteen days and its backups for thirty, then it is ended and its invoice voided", async () => {
  const { deps, owner, payments, clock } = world;
  const id = await goUnpaid();
  const over = clock.at;
  expect(await entitlementsOf(deps, owner.organisationId, "github", over - 1)).toMatchObject({
    isActive: true,
  });
  expect(await entitlementsOf(deps, owner.organisationId, "github")).toMatchObject({ isActive: false });
  await live(over + 30 * DAY_MS - 1);
  expect(await left(owner)).toEqual({ items: 4, versions: 12 });
  expect(payments.subscriptions.get(id)?.subscription.state).toBe("unpaid");
  await live(over + 30 * DAY_MS);
  expect(await left(owner)).toEqual({ items: 0, versions: 0 });
  expect(payments.subscriptions.get(id)?.subscription.state).toBe("canceled");
  expect([...payments.invoices.values()].map(({ state }) => state)).toEqual(["paid", "void"]);
  // Ending it gave no new time, so nobody is told that there are backups again.
  await syncCustomer(deps, owner.organisationId);
  expect(await entitlementsOf(deps, owner.organisationId, "github")).toMatchObject({ endsAt: over });
  await live(over + 90 * DAY_MS);
  expect(await mails(owner)).toHaveLength(2);
});

test("a payment that we have not heard of stops the removal, because the provider is asked first", async () => {
  const { deps, owner, payments, clock } = world;
  const id = await goUnpaid();
  const over = clock.at;
  await live(over + 29 * DAY_MS);
  const { subscription, invoiceId } = payments.subscriptions.get(id)!;
  await payments.provider.payInvoice(invoiceId!, "pm_ok", "key");
  subscription.periodStart = over;
  subscription.periodEnd = over + 60 * DAY_MS;
  clock.at = over + 31 * DAY_MS;
  await tick();
  expect(await left(owner)).toEqual({ items: 4, versions: 12 });
  expect(await removals(owner)).toMatchObject([{ state: "stopped" }]);
  expect(await entitlementsOf(deps, owner.organisationId, "github")).toMatchObject({ isActive: true });
});

test("a payment in the moment in which the subscription is ended stops the removal", async () => {
  const { owner, payments, clock } = world;
  const id = await goUnpaid();
  const over = clock.at;
  await live(over + 29 * DAY_MS);
  const { invoiceId } = payments.subscriptions.get(id)!;
  payments.hooks.interrupt = async (call, when) => {
    if (call !== "endSubscription" || when !== "after") return;
    payments.hooks.interrupt = () => undefined;
    const [intentId] = payments.invoices.get(invoiceId!)!.intentIds;
    payments.authenticate(intentId!);
  };
  clock.at = over + 31 * DAY_MS;
  await tick();
  expect(await left(owner)).toEqual({ items: 4, versions: 12 });
  expect(await removals(owner)).toMatchObject([{ state: "stopped" }]);
});

test("without an answer of the payment provider nothing is removed, and the next tick tries again", async () => {
  const { owner, payments, clock } = world;
  await goUnpaid();
  const over = clock.at;
  await live(over + 29 * DAY_MS);
  payments.hooks.interrupt = () => {
    throw new PaymentError("unavailable", "down");
  };
  clock.at = over + 30 * DAY_MS;
  await expect(tick()).rejects.toThrow("down");
  expect(await left(owner)).toEqual({ items: 4, versions: 12 });
  payments.hooks.interrupt = () => undefined;
  await tick();
  expect(await left(owner)).toEqual({ items: 0, versions: 0 });
});

test("a subscription that should have been renewed, and one that is paused, hold the removal up", async () => {
  const { owner, payments, clock } = world;
  const id = await goUnpaid();
  const over = clock.at;
  await live(over + 29 * DAY_MS);
  const { subscription } = payments.subscriptions.get(id)!;
  clock.at = over + 31 * DAY_MS;
  // Nothing else gave a right any more, and the provider says that this one did not end.
  for (const state of ["paused", "active"] as const) {
    Object.assign(subscription, { state, periodEnd: over - 20 * DAY_MS });
    await env.DB.prepare("UPDATE removal SET state = 'running'").run();
    await tick();
    expect([state, await left(owner)]).toEqual([state, { items: 4, versions: 12 }]);
  }
});

test("a removal whose invocation dies after any call of the provider ends as it should", async () => {
  const { owner, payments, clock } = world;
  const id = await goUnpaid();
  const over = clock.at;
  await live(over + 29 * DAY_MS);
  clock.at = over + 30 * DAY_MS;
  const steps: string[] = [];
  // Dies after every single call once: each call that went through is not the last one again.
  payments.hooks.interrupt = (call, when) => {
    const step = `${call} ${when}`;
    if (steps.includes(step)) return;
    steps.push(step);
    throw new PaymentError("unavailable", "died");
  };
  for (let tries = 0; tries < 30; tries++) {
    world.queued.length = 0;
    await tick().catch(() => undefined);
  }
  expect(steps).toContain("endSubscription after");
  expect(steps).toContain("voidInvoice after");
  expect(await left(owner)).toEqual({ items: 0, versions: 0 });
  expect(payments.subscriptions.get(id)?.subscription.state).toBe("canceled");
  expect([...payments.invoices.values()].map(({ state }) => state)).toEqual(["paid", "void"]);
  expect(await trail(owner)).toHaveLength(1);
});

test("where a marketplace sells, the licence alone decides, and no warning offers the checkout", async () => {
  const { owner, deps } = world;
  await endTrial(2);
  Object.assign(deps, { settings: { ...deps.settings, RESTRICTED_MODE: "on" } });
  await live(START + 28 * DAY_MS);
  expect(await mails(owner)).toHaveLength(2);
  expect(world.payments.calls).toEqual([]);
  // The licence is renewed.
  await env.DB.prepare("UPDATE subscription SET plan = 'pro', ends_at = ?")
    .bind(START + 365 * DAY_MS)
    .run();
  await live(START + 33 * DAY_MS);
  expect(await left(owner)).toEqual({ items: 2, versions: 6 });
  expect(await removals(owner)).toMatchObject([{ state: "stopped" }]);
});
