import { expect, test } from "vitest";
import type { LiveEvent } from "#core/live/events.schema.ts";
import type { Overview, PlatformOverview } from "#core/overview/views.ts";
import { applyOverviewEvent, refetchesOverview } from "./apply-overview-event.ts";

const row = { itemId: "itm_1", name: "api", platform: "github", type: "backup", date: 10 } as const;
const github: PlatformOverview = {
  platform: "github",
  accounts: [],
  counts: { all: 1, fresh: 1, older: 0, never: 0, paused: 0, deleted: 0 },
  kinds: [],
  days: [],
  lastBackup: { name: "api", at: 10 },
  activity: [{ ...row, id: "run_1", status: "running" }],
  todayCount: 0,
};
const overview: Overview = {
  platforms: [github, { ...github, platform: "trello", activity: [] }],
  attention: [],
  stored: { bytes: 0, days: [], regions: [] },
  storage: null,
  now: 10,
};
const status = (change: Partial<Extract<LiveEvent, { method: "item-status" }>>): LiveEvent => ({
  method: "item-status",
  platform: "github",
  id: "itm_1",
  type: "backup",
  status: "success",
  date: 20,
  data_size: 5,
  actionProcess: null,
  runId: "run_1",
  errorText: null,
  ...change,
});

test("the end of a backup changes its row and the last backup, and no other platform", () => {
  const next = applyOverviewEvent(overview, status({}));
  expect(next.platforms[0]).toMatchObject({
    lastBackup: { name: "api", at: 20 },
    activity: [{ id: "run_1", status: "succeeded", date: 20 }],
  });
  expect(next.platforms[1]).toBe(overview.platforms[1]);
  expect(applyOverviewEvent(next, status({}))).toBe(next);
});

test("a new run of a known item goes on top; a failure is no last backup", () => {
  const next = applyOverviewEvent(overview, status({ runId: "run_2", status: "failed" }));
  expect(next.platforms[0]!.activity.map(({ id, status: state }) => [id, state])).toEqual([
    ["run_2", "failed"],
    ["run_1", "running"],
  ]);
  expect(next.platforms[0]!.lastBackup).toBe(github.lastBackup);
});

test("a run of an item that no row names waits for the counts to be read again", () => {
  const event = status({ id: "itm_9", runId: "run_9" });
  expect(applyOverviewEvent(overview, event).platforms[0]!.activity).toBe(github.activity);
  expect(refetchesOverview(event)).toBe(true);
  for (const method of ["subscription-changed", "updateDashboardPlatformItemsAmount"] as const)
    expect(refetchesOverview({ method, platform: "github" })).toBe(true);
  expect(
    refetchesOverview({
      method: "snapshot-verified",
      platform: "github",
      id: "itm_1",
      snapshotId: "s",
      state: "verified",
      at: 1,
    }),
  ).toBe(false);
});
