import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { acknowledgeAlarms, listItemAlarms, setAlarmLimits, watchStaleness } from "#core/alarms/index.ts";
import { compareFileOf, compareRefOf, compareVersions } from "#core/comparisons/index.ts";
import { getItem, removeItems } from "#core/inventory/index.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { expire } from "#core/upkeep/index.ts";
import { backUpNow, listSnapshots } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld } from "#tests/harness/flow-world.ts";

let world: FlowWorld;
beforeEach(async () => {
  world = await openFlowWorld();
});
afterEach(() => world.close());

const alarmsOf = (itemId: string) => listItemAlarms(world.services, world.member, { itemId });
const mails = async () =>
  (await env.DB.prepare("SELECT occasion FROM mail_outbox WHERE occasion LIKE 'alarm:%'").all()).results
    .length;

async function ask<T>(url: string, method: string, body: object, token?: string): Promise<T> {
  const headers = {
    "content-type": "application/json",
    "user-agent": "test",
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

test("a rewritten default branch raises one alarm and keeps the previous version until it is acknowledged", async () => {
  const item = await world.protect("rewritten", "tiny");
  await world.drain();
  await world.outside.control(`repos/${item.fullName}/commits`, { count: 2 });
  await backUpNow(world, item.id);
  await world.drain();
  expect(await alarmsOf(item.id)).toEqual([]);
  await world.outside.control(`repos/${item.fullName}/force-push`, { back: 1 });
  await backUpNow(world, item.id);
  await world.drain();
  const [alarm, ...others] = await alarmsOf(item.id);
  const [newest, before, oldest] = await listSnapshots(world, item.id);
  expect(others).toEqual([]);
  expect(alarm).toMatchObject({
    kind: "history-rewrite",
    snapshotId: newest!.id,
    keptSnapshotId: before!.id,
  });
  expect(alarm!.message).toMatch(/^The history of \S+ was rewritten: 1 commit is no longer on it\.$/);
  expect(await mails()).toBe(1);

  const order = { itemId: item.id, beforeId: before!.id, afterId: newest!.id };
  const compared = await compareVersions(world.services, world.member, order);
  const files = compared.views.find(({ id }) => id === "git");
  invariant(files?.kind === "files", "the repository has files");
  const ref = files.tree.refs.find(({ isDefault }) => isDefault)!;
  expect(ref).toMatchObject({
    change: "changed",
    isRewritten: true,
    lost: { count: 1 },
    gained: { count: 1 },
  });
  const tips = await compareRefOf(world.services, world.member, { ...order, tree: "git", ref: ref.name });
  expect([tips.lost.length, tips.gained.length]).toEqual([1, 1]);
  const [changed] = tips.files.filter(({ change }) => change === "changed");
  const place = { ...order, tree: "git", ref: ref.name };
  const file = await compareFileOf(world.services, world.member, { ...place, path: changed!.path });
  expect(file).toMatchObject({ change: "changed", body: { type: "text", difference: { isCut: false } } });
  await expect(
    compareFileOf(world.services, world.member, { ...place, path: "../../etc/passwd" }),
  ).rejects.toMatchObject({ code: "err.not.found" });

  world.clock.advance(1_000 * DAY_MS);
  await expire(world.services, world.region);
  const kept = (await listSnapshots(world, item.id)).map(({ id }) => id);
  expect(kept).toEqual([newest!.id, before!.id]);
  expect(kept).not.toContain(oldest!.id);
  expect(await acknowledgeAlarms(world.services, world.member, { itemId: item.id })).toEqual({
    acknowledged: 1,
  });
  expect(await alarmsOf(item.id)).toEqual([]);
  await expire(world.services, world.region);
  expect((await listSnapshots(world, item.id)).map(({ id }) => id)).toEqual([newest!.id]);
});

test("an item that lost half of its issues shows an alarm until it is acknowledged; deleting the item deletes its alarms", async () => {
  const item = await world.protect("shrinking", "tiny");
  await world.outside.control(`repos/${item.fullName}/generate`, { issues: 20 });
  await world.drain();
  await world.outside.control(`repos/${item.fullName}/issues/delete`, { count: 9 });
  await backUpNow(world, item.id);
  expect(await alarmsOf(item.id)).toEqual([]);
  await world.outside.control(`repos/${item.fullName}/generate`, { issues: 9, seed: 2 });
  await backUpNow(world, item.id);
  await world.outside.control(`repos/${item.fullName}/issues/delete`, { count: 10 });
  await backUpNow(world, item.id);
  const [alarm, ...others] = await alarmsOf(item.id);
  expect(others).toEqual([]);
  expect(alarm).toMatchObject({ kind: "mass-deletion", message: "10 of 20 issues are gone." });
  expect(await mails()).toBe(1);
  const compared = await compareVersions(world.services, world.member, {
    itemId: item.id,
    beforeId: alarm!.keptSnapshotId!,
    afterId: alarm!.snapshotId,
  });
  expect(compared.views.find(({ id }) => id === "issues")).toMatchObject({
    kind: "thread",
    parts: { removed: 10, added: 0 },
  });

  const row = () => getItem(world.services, world.member, { itemId: item.id });
  expect((await row()).alarm).toBe(alarm!.message);
  world.events.length = 0;
  await acknowledgeAlarms(world.services, world.member, { itemId: item.id });
  expect((await row()).alarm).toBeNull();
  expect(world.events).toContainEqual(expect.objectContaining({ method: "items-changed", ids: [item.id] }));

  const rows = () => world.rows("SELECT id FROM alarm WHERE item_id = ?", item.id);
  expect(await rows()).toHaveLength(1);
  await removeItems(world.services, world.member, {
    platform: item.platform,
    kind: item.kind,
    itemIds: [item.id],
  });
  await world.drain();
  expect(await rows()).toEqual([]);
});

test("a much smaller version raises a size alarm even if nothing is missing", async () => {
  const item = await world.protect("heavy", "tiny");
  const { token } = await ask<{ token: string }>(`${world.outside.webUrl}/__sim/github/token`, "POST", {
    login: item.fullName.split("/")[0],
  });
  const issues = `${world.outside.apiUrl}/repos/${item.fullName}/issues`;
  const numbers: number[] = [];
  for (let at = 0; at < 18; at++) {
    const order = { title: `Long ${at}`, body: "0123456789".repeat(6_200) };
    numbers.push((await ask<{ number: number }>(issues, "POST", order, token)).number);
  }
  await world.drain();
  await backUpNow(world, item.id);
  // GitHub dates changes to the second, and this world's clock is ahead of it: in the same second they would not show.
  await new Promise((next) => setTimeout(next, 1_000 - (Date.now() % 1_000)));
  for (const number of numbers.slice(4)) await ask(`${issues}/${number}`, "PATCH", { body: "short" }, token);
  await backUpNow(world, item.id);
  const [alarm, ...others] = await alarmsOf(item.id);
  expect(others).toEqual([]);
  expect(alarm).toMatchObject({ kind: "size-cliff" });
  expect(alarm!.message).toMatch(/^The version is 7\d % smaller than the one before\.$/);
  expect(await mails()).toBe(1);
});

test("a missing backup is reported once per incident, which ends with the next good version", async () => {
  const item = await world.protect("silent", "tiny");
  await world.drain();
  await world.tick(watchStaleness);
  expect(await alarmsOf(item.id)).toEqual([]);
  world.clock.advance(27 * HOUR_MS);
  await world.tick(watchStaleness);
  await world.tick(watchStaleness);
  expect((await alarmsOf(item.id)).map(({ kind }) => kind)).toEqual(["stale"]);
  // The row shows staleness as the age of its last version, not as an alarm about its content.
  expect((await getItem(world.services, world.member, { itemId: item.id })).alarm).toBeNull();
  expect(await mails()).toBe(1);
  await world.outside.control(`repos/${item.fullName}/commits`, { count: 1 });
  await backUpNow(world, item.id);
  await world.drain();
  expect(await alarmsOf(item.id)).toEqual([]);
});

test("an item that never had a version is overdue since it was added, until its first version", async () => {
  const item = await world.protect("never", "tiny");
  await world.outside.fault({ match: { path: "^/api/" }, action: { kind: "answer", status: 403 } });
  await world.drain();
  world.clock.advance(25 * HOUR_MS);
  await world.tick(watchStaleness);
  expect(await alarmsOf(item.id)).toEqual([]);
  world.clock.advance(2 * HOUR_MS);
  await world.tick(watchStaleness);
  await world.tick(watchStaleness);
  expect(await alarmsOf(item.id)).toMatchObject([
    { kind: "stale", message: "No version yet, 27 hours after it was added." },
  ]);
  expect(await mails()).toBe(1);
  await world.outside.clearFaults();
  await backUpNow(world, item.id);
  expect(await alarmsOf(item.id)).toEqual([]);
});

test("items of ended plans raise no alarm, and any number of them does not block the check", async () => {
  const item = await world.protect("paid", "tiny");
  await world.drain();
  // Another organisation's plan has ended: more items than one query lists, all of them stale for longer than this one.
  for (const into of [
    `item (id, organisation_id, connection_id, platform, kind, external_id, name, full_name, name_folded, visibility,
       details, status, is_daily, last_backup_at, last_snapshot_id, created_at)
     SELECT 'itm_' || i, 'org_ended', 'con_ended', 'github', 'repository', i, i, i, i, 'private', '{}', 'backuped', 1,
       i, 'snp_' || i, 1 FROM n`,
    `schedule (item_id, due_at, period_ms, organisation_id, connection_id, platform)
     SELECT 'itm_' || i, 9e15, 1, 'org_ended', 'con_ended', 'github' FROM n`,
  ]) {
    await world.rows(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2100) INSERT INTO ${into}`,
    );
  }
  world.clock.advance(27 * HOUR_MS);
  await world.tick(watchStaleness);
  const told = await world.rows<{ item_id: string }>("SELECT item_id FROM alarm WHERE kind = 'stale'");
  expect(told).toEqual([{ item_id: item.id }]);
});

test("hundreds of deleted tags among thousands raise an alarm, and an item's own limits replace the default", async () => {
  const item = await world.protect("builds", "many-refs");
  await world.drain();
  const names = (
    await world.outside.git(item.externalId, ["for-each-ref", "--format=%(refname)", "refs/tags/build/"])
  )
    .split("\n")
    .filter((name) => name !== "");
  const remove = (from: number, to: number) =>
    world.outside.git(item.externalId, [
      "tag",
      "-d",
      ...names.slice(from, to).map((name) => name.slice("refs/tags/".length)),
    ]);
  await remove(0, 499);
  await backUpNow(world, item.id);
  expect(await alarmsOf(item.id)).toEqual([]);
  await remove(499, 999);
  await backUpNow(world, item.id);
  const [alarm] = await alarmsOf(item.id);
  expect(alarm).toMatchObject({ kind: "mass-deletion" });
  expect(alarm!.message).toMatch(/^500 of 4,\d{3} branches and tags are gone\.$/);

  await acknowledgeAlarms(world.services, world.member, { itemId: item.id });
  const own = { itemId: item.id, lostPercent: 100, lostCount: 2 };
  expect(await setAlarmLimits(world.services, world.member, own)).toEqual({ lostPercent: 100, lostCount: 2 });
  await remove(999, 1_001);
  await backUpNow(world, item.id);
  expect((await alarmsOf(item.id))[0]!.message).toMatch(/^2 of /);
  await acknowledgeAlarms(world.services, world.member, { itemId: item.id });
  const none = { itemId: item.id, lostPercent: null, lostCount: null };
  expect(await setAlarmLimits(world.services, world.member, none)).toEqual({
    lostPercent: 50,
    lostCount: 500,
  });
  await remove(1_001, 1_003);
  await backUpNow(world, item.id);
  expect(await alarmsOf(item.id)).toEqual([]);
});
