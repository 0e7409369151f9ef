import { afterAll, beforeAll, expect, test } from "vitest";
import { listAllConnections } from "#core/connections/index.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import type { Member } from "#core/organisations/index.ts";
import { listRuns } from "#core/rounds/index.ts";
import { askForBackup } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";

// Each test continues where the one before it ended.

let world: FlowWorld;
let itemId: string;
beforeAll(async () => {
  world = await openFlowWorld();
  // Begins in the morning, so that no test passes midnight by itself.
  world.clock.advance(DAY_MS - (world.clock.now() % DAY_MS) + 6 * HOUR_MS);
  ({ id: itemId } = await world.protect("plans", "tiny"));
});
afterAll(() => world.close());

const NEWEST = { page: 0, perPage: 10 };
const runsFor = (member: Member, done = NEWEST) => listRuns(world.services, member, done);

const sumOf = ({ round }: Awaited<ReturnType<typeof runsFor>>) =>
  Object.values(round.counts).reduce((all, one) => all + one, 0);

test("a first backup waits in the queue, and ends as an item of the round that is done", async () => {
  const before = await runsFor(world.member);
  expect(before.queue).toMatchObject([{ itemId, isFirst: true, isOwn: true, retry: null }]);
  expect([before.queueTotal, before.round.counts.queued, sumOf(before)]).toEqual([1, 1, 1]);
  await world.drain();
  const after = await runsFor(world.member);
  expect([after.queue, after.running, after.queueTotal]).toEqual([[], [], 0]);
  expect([after.round.counts.good, sumOf(after)]).toEqual([1, 1]);
  expect(after.done).toMatchObject([{ itemId, name: "plans", kind: "backup", isFailed: false, skipped: 0 }]);
  expect(after.done[0]?.newBytes).toBeGreaterThan(0);
  expect(after.nextDueAt).toBeGreaterThan(after.readAt);
});

test("the limits of the provider are what its responses told last", async () => {
  const { services, member } = world;
  const { externalId } = (await listAllConnections(services, member))[0]!;
  const resetAt = services.clock.now() + HOUR_MS;
  const limits = { resource: "core", remaining: 4_321, resetAt, retryAt: null, size: 5_000 };
  await services.budgets.report(`${PLATFORM}:${externalId}`, limits, services.clock.now());
  const [limit] = (await runsFor(member)).limits;
  expect(limit).toMatchObject({ platform: PLATFORM, account: null, pausedUntil: null });
  expect(limit?.quotas).toEqual([{ name: "core", left: 4_321, of: 5_000, opensAt: resetAt, perMs: null }]);
});

test("a new day is a new round: what is due is to come, and yesterday's runs are gone", async () => {
  world.clock.advance(DAY_MS);
  await world.rows("UPDATE schedule SET due_at = ?", (await runsFor(world.member)).readAt + 1);
  const due = await runsFor(world.member);
  expect([due.done, due.doneTotal]).toEqual([[], 0]);
  expect(due.round.counts).toMatchObject({ good: 0, due: 1 });
  expect(due.due).toMatchObject([{ itemId, state: "due", runId: null }]);
  await askForBackup(world, itemId);
  const asked = await runsFor(world.member);
  expect([asked.round.counts.queued, asked.due, sumOf(asked)]).toEqual([1, [], 1]);
  expect(asked.queue).toMatchObject([{ isFirst: false, isOwn: true, trigger: "user" }]);
  await world.drain();
});

test("an earlier page of a longer day is empty when there is none", async () => {
  const { done, doneTotal } = await runsFor(world.member, { page: 3, perPage: 10 });
  expect([done, doneTotal]).toEqual([[], 0]);
});

test("a member without a role on the platform, and another organisation, see nothing", async () => {
  const nothing = { running: [], queue: [], due: [], done: [], doneTotal: 0, limits: [], nextDueAt: null };
  const colleague: Member = { ...world.member, userId: "usr_colleague", role: "member", platformRoles: {} };
  const seen = await runsFor(colleague);
  expect(seen).toMatchObject(nothing);
  expect(sumOf(seen)).toBe(0);
  const reader: Member = { ...colleague, platformRoles: { [PLATFORM]: "user" } };
  expect((await runsFor(reader)).done).toHaveLength(1);
  const foreign = await runsFor(await world.stranger());
  expect(foreign).toMatchObject(nothing);
  expect(sumOf(foreign)).toBe(0);
});
