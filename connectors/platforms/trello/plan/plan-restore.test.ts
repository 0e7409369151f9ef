import { afterAll, beforeAll, expect, test } from "vitest";
import { expectPlanKept, promisedBy } from "#tests/conformance/expect-plan-kept.ts";
import { asNew } from "#tests/conformance/restore-orders.ts";
import { openBench, type TrelloBench } from "../test-bench.ts";
import { planRestore } from "./plan-restore.ts";

let bench: TrelloBench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.world.stop());

test("a plan equals its restore in what is created, what cannot be, and the number of calls", async () => {
  const board = await bench.world.makeBoard("Planned");
  await bench.world.happen(`/boards/${board.externalId}/edit`, {
    prefs: { voting: "members", background: "lime" },
  });
  const snapshot = await bench.backUp(board);
  const by = bench.session();
  const target = asNew("As planned", { place: bench.placeOf() });
  const plan = await planRestore({ accountName: bench.world.accountName }, snapshot, target);
  const { events } = await bench.restore(snapshot, "As planned", { by });
  expect(plan.isEstimate).toBe(false);
  expectPlanKept(plan, { events, session: by, apiUrl: bench.world.config.TRELLO_API_URL ?? "" });
});

test("a large board is planned from few cards with a small error", async () => {
  const board = await bench.world.makeBoard("Planned large", { content: "empty" });
  const shape = {
    lists: 4,
    labels: 5,
    cards: 900,
    comments: 400,
    checklists: 450,
    attachments: 10,
    attachmentBytes: 9,
  };
  await bench.world.happen(`/boards/${board.externalId}/generate`, shape);
  const snapshot = await bench.backUp(board);
  let reads = 0;
  const counting = {
    ...snapshot,
    readRecord: async (path: string) => {
      reads += 1;
      return await snapshot.readRecord(path);
    },
  };
  const target = asNew("Large");
  const plan = await planRestore({ accountName: bench.world.accountName }, counting, target);
  expect(plan.isEstimate).toBe(true);
  expect(reads).toBeLessThan(100);
  expect(promisedBy(plan)).toMatchObject({
    board: 1,
    list: 4,
    label: 5,
    card: 900,
    comment: 400,
    attachment: 10,
  });
  const checklists = promisedBy(plan).checklist ?? 0;
  expect(Math.abs(checklists - 450)).toBeLessThan(120);
}, 60_000);
