import { afterAll, beforeAll, expect, test } from "vitest";
import { randomIds } from "#core/kernel/ids.ts";
import { newestSnapshot } from "#tests/harness/flow-steps.ts";
import { PLATFORM } from "#tests/harness/flow-world.ts";
import {
  type Answer,
  type Ids,
  insert,
  openSecurityWorld,
  type SecurityWorld,
} from "#tests/security/security-world.ts";

/** Limits for a restore of several items, over the API. */

let world: SecurityWorld;
beforeAll(async () => {
  world = await openSecurityWorld();
});
afterAll(() => world.close());

const VERSIONS = 160;
const OFFERED = 150;
const MOST_ITEMS = 50;

const ask = (path: string, body: unknown): Promise<Answer> =>
  world.ask("owner", { method: "POST", path: `/api/${path}`, body });
const restore = (items: readonly Ids[]) =>
  ask(`${PLATFORM}/restore-repos`, {
    items: items.map(({ item, snapshot }) => ({ id: item, versionid: snapshot })),
  });
const openRuns = async () =>
  (await world.flow.rows("SELECT id FROM run WHERE kind = 'restore' AND status IN ('queued', 'running')"))
    .length;

type Version = { version: string; date: number };

test("[P-165] [P-392] versions of several items are returned by item id, at most the newest hundred and fifty of each", async () => {
  const { flow, item } = world;
  const one = await world.own("owner", false);
  const [row] = await flow.rows<Record<string, string | number | null>>(
    "SELECT * FROM snapshot WHERE id = ?",
    (await newestSnapshot(flow, item.id)).id,
  );
  const begun = Number(row!.taken_at);
  for (let version = 1; version < VERSIONS; version++) {
    await insert(flow.ledger, "snapshot", {
      ...row!,
      id: randomIds.next("snapshot"),
      run_id: randomIds.next("run"),
      taken_at: begun + version,
    });
  }
  const answer = await ask("user/get-items-versions", {
    platform: PLATFORM,
    ids: [{ id: item.id }, { id: one.item }],
  });
  const result = answer.json?.result as Record<string, Version[]>;
  expect(Object.keys(result).sort()).toEqual([item.id, one.item].sort());
  const dates = result[item.id]!.map(({ date }) => date);
  expect(dates).toEqual(Array.from({ length: OFFERED }, (_, at) => begun + VERSIONS - 1 - at));
  expect(result[one.item]).toMatchObject([{ version: one.snapshot, date: expect.any(Number) }]);
  const elsewhere = { platform: "gitlab", ids: [{ id: item.id }] };
  expect((await ask("user/get-items-versions", elsewhere)).json?.result ?? null).toBeNull();
});

test("[B-021] [P-289] [P-290] on Pro fifty items are restored by one call; with one more the call is refused", async () => {
  const items: Ids[] = [];
  for (let count = 0; count <= MOST_ITEMS; count++) items.push(await world.own("owner", false));
  const before = await openRuns();
  const refused = await restore(items);
  expect([refused.status, refused.json?.code]).toEqual([400, "err.request.invalid"]);
  const many = { platform: PLATFORM, ids: items.map(({ item }) => ({ id: item })) };
  expect((await ask("user/get-items-versions", many)).status).toBe(400);
  expect(await openRuns()).toBe(before);
  expect((await restore(items.slice(0, MOST_ITEMS))).status).toBe(200);
  expect(await openRuns()).toBe(before + MOST_ITEMS);
});

test("[P-306] on the plan Essential one item may be restored at a time, on a trial several", async () => {
  const { flow, members } = world;
  const items = [await world.own("owner", false), await world.own("owner", false)];
  const sell = (plan: string) =>
    flow.services.control.$client
      .prepare("UPDATE subscription SET plan = ? WHERE organisation_id = ? AND platform = ?")
      .bind(plan, members.owner.organisationId, PLATFORM)
      .run();
  await sell("essential");
  const before = await openRuns();
  const refused = await restore(items);
  expect([refused.status, refused.json?.status, refused.json?.code]).toEqual([
    403,
    "failure",
    "err.plan.required",
  ]);
  expect(await openRuns()).toBe(before);
  expect((await restore(items.slice(0, 1))).status).toBe(200);
  expect(await openRuns()).toBe(before + 1);
  await sell("trial");
  const more = [await world.own("owner", false), await world.own("owner", false)];
  expect((await restore(more)).status).toBe(200);
  expect(await openRuns()).toBe(before + 3);
});
