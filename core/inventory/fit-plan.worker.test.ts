import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { controlDatabase } from "#core/database/ledgers.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import { HOUR_MS } from "#core/kernel/clock.ts";
import { itemIdIn, randomIds } from "#core/kernel/ids.ts";
import type { LiveEvent } from "#core/live/events.schema.ts";
import { codeOf } from "#tests/harness/accounts.ts";
import { emptyEverything } from "#tests/harness/empty-bindings.ts";
import { makeOwner, makePlatform } from "#tests/harness/people.ts";
import { buildServices } from "#workers/services.ts";
import { fitPlan, queueFits, removeItems, setDailyBackup } from "./index.ts";

const START = Date.UTC(2026, 10, 3, 9);
const SIZES = { US: 7, DE: 5 } as const;

let world: Awaited<ReturnType<typeof open>>;
beforeEach(async () => {
  await emptyEverything();
  world = await open();
});

/** An owner with twelve items in two regions, protected one after another, alternately. */
async function open() {
  const clock = { at: START, now: () => clock.at };
  const queued: JobMessage[] = [];
  const events: LiveEvent[] = [];
  const deps = {
    ...buildServices(env),
    control: controlDatabase(env),
    clock,
    ids: randomIds,
    queue: { send: async (jobs: readonly JobMessage[]) => void queued.push(...jobs) },
    live: {
      publish: async (_: string, published: readonly LiveEvent[]) => void events.push(...published),
      disconnect: async () => undefined,
    },
  };
  const owner = await makeOwner(deps);
  await makePlatform(deps, owner, { platform: "github", plan: "essential" });
  const us = (await env.DB.prepare("SELECT id FROM connection WHERE organisation_id = ?")
    .bind(owner.organisationId)
    .first<string>("id"))!;
  const de = deps.ids.next("connection");
  await env.DB.prepare(
    `INSERT INTO connection (id, organisation_id, platform, region, external_id, name, account_type, status, details,
       created_at) VALUES (?, ?, 'github', 'DE', 'second', 'hexa', 'User', 'active', '{}', ?)`,
  )
    .bind(de, owner.organisationId, START)
    .run();
  const items: { id: string; region: "US" | "DE" }[] = [];
  for (const region of ["US", "DE"] as const)
    for (let i = 0; i < SIZES[region]; i++) {
      const id = itemIdIn(randomIds, region);
      items.push({ id, region });
      const connectionId = region === "US" ? us : de;
      await env[`LEDGER_${region}`].batch([
        env[`LEDGER_${region}`]
          .prepare(
            `INSERT INTO item (id, organisation_id, connection_id, platform, kind, external_id, name, full_name,
               name_folded, visibility, details, status, is_daily, created_at)
             VALUES (?1, ?2, ?3, 'github', 'repository', ?1, 'a', 'a', 'a', 'private', '{}', 'backuped', 1, ?4)`,
          )
          .bind(id, owner.organisationId, connectionId, i),
        env[`LEDGER_${region}`]
          .prepare(
            `INSERT INTO schedule (item_id, due_at, period_ms, organisation_id, connection_id, platform)
             VALUES (?1, 1, ?4, ?2, ?3, 'github')`,
          )
          .bind(id, owner.organisationId, connectionId, 24 * HOUR_MS),
      ]);
    }
  const daily = async () => {
    const found: string[] = [];
    for (const region of ["US", "DE"] as const) {
      const { results } = await env[`LEDGER_${region}`]
        .prepare(
          `SELECT item.id FROM item JOIN schedule ON schedule.item_id = item.id
           WHERE item.organisation_id = ? AND is_daily = 1`,
        )
        .bind(owner.organisationId)
        .all<{ id: string }>();
      found.push(...results.map(({ id }) => id));
    }
    return found;
  };
  return { clock, queued, events, deps, owner, items, daily };
}

/** The plan includes this many items from now on; then the minute's rule and its jobs run. */
async function include(quantity: number): Promise<void> {
  await env.DB.prepare("UPDATE subscription SET quantity = ? WHERE organisation_id = ?")
    .bind(quantity, world.owner.organisationId)
    .run();
  await minute();
}

async function minute(): Promise<number> {
  await queueFits(world.deps);
  const jobs = world.queued.splice(0).flatMap((job) => (job.job === "fit-plan" ? [job] : []));
  for (const { payload } of jobs) await fitPlan(world.deps, payload);
  return jobs.length;
}

/** The n-th item of a region, in the order of protection. */
const nth = (region: "US" | "DE", n: number) => world.items.filter((each) => each.region === region)[n]!.id;

const choose = (itemIds: string[], isDaily: boolean) =>
  setDailyBackup(world.deps, world.owner, {
    platform: "github",
    items: [{ kind: "repository", itemIds }],
    isDaily,
  });

const trail = async () =>
  (
    await env.DB.prepare(
      `SELECT action, subject FROM audit_entry WHERE organisation_id = ? AND user_id IS NULL ORDER BY rowid`,
    )
      .bind(world.owner.organisationId)
      .all<{ action: string; subject: string }>()
  ).results.map(({ action, subject }) => `${action} ${subject}`);

test("with a smaller plan the items that were protected last pause in every region, and nothing is deleted", async () => {
  await include(12);
  expect(await world.daily()).toHaveLength(12);
  await include(10);
  const daily = await world.daily();
  expect(daily).toHaveLength(10);
  expect(daily).not.toContain(nth("US", 6));
  expect(daily).not.toContain(nth("US", 5));
  expect(await trail()).toEqual(["pause-beyond-plan 2 items"]);
  expect(world.events.flatMap((event) => (event.method === "items-changed" ? event.ids : [])).sort()).toEqual(
    [nth("US", 5), nth("US", 6)].sort(),
  );
  for (const [region, size] of Object.entries(SIZES)) {
    const ledger = region === "US" ? env.LEDGER_US : env.LEDGER_DE;
    const count = await ledger
      .prepare("SELECT count(*) AS n FROM item WHERE organisation_id = ?")
      .bind(world.owner.organisationId)
      .first<number>("n");
    expect(count).toBe(size);
  }
  expect(await minute()).toBe(0);
});

test("the owner chooses which items go on, on any plan, within the number that the plan includes", async () => {
  await include(10);
  const last = nth("US", 6);
  expect(await codeOf(choose([last], true))).toBe("err.item.limit");
  await choose([nth("US", 0)], false);
  await choose([last], true);
  expect(await world.daily()).toContain(last);
  expect(await world.daily()).toHaveLength(10);
  // A choice is not undone, and a larger plan resumes only what the plan had paused.
  await env.DB.prepare("UPDATE subscription SET fitted_quantity = NULL").run();
  await minute();
  expect(await world.daily()).toContain(last);
  await include(50);
  const daily = await world.daily();
  expect(daily).toHaveLength(11);
  expect(daily).not.toContain(nth("US", 0));
  expect(await trail()).toEqual(["pause-beyond-plan 2 items", "resume-within-plan 1 item"]);
});

test("within its number, Essential does not include the switches", async () => {
  await include(12);
  expect(await codeOf(choose([nth("US", 0)], false))).toBe("err.plan.required");
});

test("an item that is deleted makes room for one that the plan had paused", async () => {
  await include(10);
  await removeItems(world.deps, world.owner, {
    platform: "github",
    kind: "repository",
    itemIds: [nth("DE", 0)],
  });
  expect(await minute()).toBe(1);
  const daily = await world.daily();
  expect(daily).toHaveLength(10);
  expect(daily).toContain(nth("US", 5));
});

test("where a plan counts people, no item pauses", async () => {
  for (const ledger of [env.LEDGER_US, env.LEDGER_DE])
    for (const table of ["item", "item_count"])
      await ledger.prepare(`UPDATE ${table} SET platform = 'jira'`).run();
  await env.DB.prepare("UPDATE subscription SET platform = 'jira'").run();
  await include(1);
  expect(await world.daily()).toHaveLength(12);
  expect(await minute()).toBe(0);
});

test("two fits at once pause no more than one does", async () => {
  await env.DB.prepare("UPDATE subscription SET quantity = 3").run();
  const scope = { organisationId: world.owner.organisationId, platform: "github" };
  await Promise.all([fitPlan(world.deps, scope), fitPlan(world.deps, scope)]);
  expect(await world.daily()).toHaveLength(3);
});
