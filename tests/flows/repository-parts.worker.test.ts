import { afterAll, beforeAll, expect, test } from "vitest";
import { partPathOf } from "#connectors/contract/part-path.ts";
import { openForReading, restorableParts } from "#core/browsing/index.ts";
import type { ItemView } from "#core/inventory/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { getRestore, listRestoreTargets, planRestore, requestRestore } from "#core/restores/index.ts";
import { findUnfinished } from "#tests/harness/check-vault.ts";
import { newestSnapshot } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld } from "#tests/harness/flow-world.ts";
import { deliverWaiting, strike, WHOLE_STRIKE_MS } from "#tests/harness/strike.ts";

/** One issue, all labels, or a file of a repository, restored by itself into a repository that exists. */

const ISSUE = "issues/000000000001/issue.json";
const LABELS = partPathOf({ type: "all", kind: "label" });
const file = (path: string, tree = "git") => partPathOf({ type: "file", tree, ref: "refs/heads/main", path });

let world: FlowWorld;
let item: ItemView;
let other: ItemView;
let snapshotId: string;
beforeAll(async () => {
  world = await openFlowWorld();
  item = await world.protect("ledger", "tiny");
  other = await world.protect("neighbour", "tiny");
  await world.outside.control(`repos/${item.fullName}/generate`, { issues: 1, commentsPerIssue: 2 });
  await world.outside.control(`repos/${item.fullName}/files`, { files: [text("src/crane.ts", "lift()")] });
  await world.drain();
  snapshotId = (await newestSnapshot(world, item.id)).id;
  await world.outside.control(`repos/${item.fullName}/files`, { files: [], deleted: ["src/crane.ts"] });
});
afterAll(() => world.close());

const text = (path: string, content: string) => ({ path, base64: btoa(content) });
const wish = (part: string, into = item) => ({
  ...{ itemId: item.id, snapshotId, part, into: { externalId: into.externalId } },
  ...{ name: null, place: null, emails: [] },
});
/** What GitHub has created since the last question, by the ends of the addresses. */
async function created(): Promise<{ issues: number; comments: number }> {
  const made = (await world.outside.requests()).filter(
    ({ method, status }) => method === "POST" && status === 201,
  );
  await world.outside.forgetRequests();
  const count = (end: RegExp) => made.filter(({ path }) => end.test(path)).length;
  return { issues: count(/\/issues$/), comments: count(/\/issues\/\d+\/comments$/) };
}
const branches = async () =>
  (
    await world.outside.git(item.externalId, [
      "for-each-ref",
      "--format=%(refname:short)",
      "refs/heads/holdfast",
    ])
  )
    .split("\n")
    .filter((name) => name !== "");

test("parts of a repository can be restored by themselves, those of a wiki and missing ones cannot", async () => {
  const open = await openForReading(world.services, world.member, { itemId: item.id, snapshotId });
  const paths = [
    ISSUE,
    LABELS,
    file("src/crane.ts"),
    file("src"),
    file("none.ts"),
    file("src", "wiki"),
    "repository.json",
  ];
  expect(await restorableParts(open, paths)).toEqual({
    [ISSUE]: { kind: "issue", one: "issue" },
    [LABELS]: { kind: "label", one: "label set" },
    [file("src/crane.ts")]: { kind: "file", one: "file" },
    [file("src")]: { kind: "folder", one: "folder" },
  });
});

test("a part goes into the repositories of the item's place, its own one first", async () => {
  const targets = await listRestoreTargets(world.services, world.member, {
    itemId: item.id,
    name: null,
    page: 0,
  });
  expect(targets.items[0]).toMatchObject({ externalId: item.externalId, isSource: true });
  expect(targets.items.map(({ externalId }) => externalId)).toContain(other.externalId);
  expect(targets.items.filter(({ isSource }) => isSource)).toHaveLength(1);
  const order = { ...wish(ISSUE), placeId: null, answers: {} };
  const plan = await planRestore(world.services, world.member, order);
  expect(plan.creates.map(({ kind, count }) => [kind, count])).toEqual([
    ["issue", 1],
    ["comment", 2],
  ]);
  expect(plan.changed.map(({ what }) => what)).toContain("Notifications");
  const anew = requestRestore(world.services, world.member, { ...wish(ISSUE), into: null });
  await expect(anew).rejects.toThrow("It can only be added to something that exists.");
  const wiki = requestRestore(world.services, world.member, wish(file("Home.md", "wiki")));
  await expect(wiki).rejects.toThrow(new AppError("err.not.found"));
});

test(
  "an issue and its comments are added once, even after a crash at any effect",
  async () => {
    const { runId } = await requestRestore(world.services, world.member, wish(ISSUE));
    await created();
    await strike({ name: "restore of an issue", world, act: deliverWaiting(world) }, async (blow) => {
      const [run] = await world.rows("SELECT status FROM run WHERE id = ?", runId);
      expect([blow, run]).toEqual([blow, { status: "succeeded" }]);
      expect([blow, await created()]).toEqual([blow, { issues: 1, comments: 2 }]);
      expect([blow, await findUnfinished(world)]).toEqual([blow, []]);
    });
    const { report } = await getRestore(world.services, world.member, { itemId: item.id, runId });
    expect(report.restored).toEqual({ issue: 1, comment: 2 });
  },
  WHOLE_STRIKE_MS,
);

test(
  "a file comes back on one branch, even after a crash at any effect, and the default branch stays",
  async () => {
    const tip = await world.outside.git(item.externalId, ["rev-parse", "main"]);
    const { runId } = await requestRestore(world.services, world.member, wish(file("src/crane.ts")));
    let restored = 0;
    await strike({ name: "restore of a file", world, act: deliverWaiting(world) }, async (blow) => {
      // Branches of earlier blows stay at GitHub.
      restored += 1;
      const [run] = await world.rows("SELECT status FROM run WHERE id = ?", runId);
      expect([blow, run]).toEqual([blow, { status: "succeeded" }]);
      const made = await branches();
      expect([blow, made.length]).toEqual([blow, restored]);
      for (const name of made)
        expect(await world.outside.git(item.externalId, ["show", `${name}:src/crane.ts`])).toBe("lift()");
    });
    expect(await world.outside.git(item.externalId, ["rev-parse", "main"])).toBe(tip);
  },
  WHOLE_STRIKE_MS,
);
