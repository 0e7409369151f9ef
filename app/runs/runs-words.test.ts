import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#core/kernel/clock.ts";
import type { CellState, ProviderLimit } from "#core/rounds/views.ts";
import { cellOf, doneRunOf, openRunOf, runsViewOf } from "#tests/harness/run-fixtures.ts";
import { donePageOf } from "./done-page.ts";
import { doneStatus, doneText } from "./done-words.ts";
import { limitView } from "./limit-words.ts";
import { queueReason, queueTimes } from "./queue-words.ts";
import {
  cellPercent,
  cellText,
  type Reading,
  roundSentence,
  roundSummary,
  roundSums,
} from "./round-words.ts";

const NOW = Date.UTC(2026, 10, 20, 14, 29);
const minutes = (count: number) => NOW + count * MINUTE_MS;
const reading: Reading = {
  now: NOW,
  timeZone: "UTC",
  labelOf: (id) => ({ github: "GitHub", jira: "Jira" })[id] ?? id,
};

const states = (list: readonly [CellState, number][]) =>
  list.flatMap(([state, count]) =>
    Array.from({ length: count }, (_, at) =>
      cellOf({ state, itemId: `${state} ${at}`, runId: `${state} ${at}` }),
    ),
  );

const drawn = states([
  ["good", 8],
  ["retried", 1],
  ["failed", 1],
  ["running", 3],
  ["waiting", 1],
  ["queued", 3],
  ["due", 1],
]);
const waits = openRunOf({ progress: { status: "queued", startedAt: NOW - 1, waitingUntil: minutes(12) } });

test("the numbers of the headline and its sentence add up to the items of the round", () => {
  const view = runsViewOf({ cells: drawn });
  const sums = roundSums(view.round.counts);
  expect(sums).toEqual({ ended: 10, running: 4, toCome: 4, failed: 1, waiting: 1, total: 18 });
  expect(sums.ended + sums.running + sums.toCome).toBe(drawn.length);
  expect(roundSummary(view.round)).toBe(
    "8 backed up, 1 after a retry, 1 failed, 3 running, 1 waiting, 4 to come",
  );
});

test("the sentence names whom runs wait for and when the last item is due, and leaves out zeros", () => {
  const view = runsViewOf({ cells: drawn, running: [waits] });
  view.round.lastDueAt = minutes(17);
  expect(roundSentence(view, reading)).toEqual([
    "4 running, one of them waits for GitHub",
    "4 to come, the last at 14:46",
  ]);
  const two = runsViewOf({
    cells: states([
      ["waiting", 2],
      ["queued", 1],
    ]),
    running: [waits, { ...waits, platform: "jira" }],
  });
  expect(roundSentence(two, reading)).toEqual(["2 running, waiting for GitHub and Jira", "1 to come"]);
  const some = runsViewOf({
    cells: states([
      ["running", 1],
      ["waiting", 2],
    ]),
  });
  expect(roundSentence(some, reading)).toEqual(["3 running, 2 of them wait for the provider"]);
  expect(roundSentence(runsViewOf({ cells: states([["good", 2]]) }), reading)).toEqual([]);
});

test("a cell is read as its item and what became of it, and is filled as far as the whole run is", () => {
  const run = openRunOf({ progress: { startedAt: minutes(-6), expectedEndAt: minutes(4) } });
  const text = (state: CellState, over = {}) =>
    cellText(cellOf({ state, at: minutes(-7), ...over }), [run], reading);
  expect(text("good")).toBe("carrier-sync: backed up 14:22");
  expect(text("retried")).toBe("carrier-sync: backed up 14:22, after a retry");
  expect(text("failed", { errorText: "GitHub answered 403." })).toBe(
    "carrier-sync: failed 14:22. GitHub answered 403.",
  );
  expect(text("running")).toBe("carrier-sync: 60 % done, about 4 m left");
  expect(text("running", { runId: "run_9" })).toBe("carrier-sync: running since 14:22");
  expect(cellText(cellOf({ state: "waiting" }), [waits], reading)).toBe(
    "carrier-sync: waits for GitHub until 14:41",
  );
  expect(text("queued")).toBe("carrier-sync: in the queue since 14:22");
  expect(text("due", { at: minutes(16) })).toBe("carrier-sync: due at 14:45");
  expect(cellPercent(cellOf(), [run], NOW)).toBe(60);
  expect(cellPercent(cellOf({ runId: "run_9" }), [run], NOW)).toBeNull();
});

test("a queued run says why it is there", () => {
  const reason = (over: Parameters<typeof openRunOf>[0]) => queueReason(openRunOf(over), reading);
  expect(reason({ isFirst: true, trigger: "user" })).toBe("first backup");
  expect(reason({ trigger: "user", isOwn: true, createdAt: minutes(-5) })).toBe("asked by you 14:24");
  expect(reason({ trigger: "user", createdAt: minutes(-5) })).toBe("asked for 14:24");
  expect(reason({ retry: { next: 2, most: 4 } })).toBe("retry 2 of 4");
  expect(reason({})).toBe("on schedule");
  expect(reason({ trigger: "system" })).toBe("follows another backup");
  expect(reason({ progress: { kind: "export" } })).toBe("ZIP");
  expect(reason({ progress: { kind: "restore" } })).toBe("restore");
});

test("the queue shows only times that are known", () => {
  const waiting = (name: string, over = {}) => openRunOf({ name, waitsTurn: true, ...over });
  const works = (expectedEndAt: number | null) => openRunOf({ progress: { startedAt: NOW, expectedEndAt } });
  const times = (running: Parameters<typeof queueTimes>[1]) =>
    queueTimes(
      [waiting("label-printer"), waiting("api-gateway"), waiting("other", { connectionId: "con_2" })],
      running,
      reading,
    ).map(({ text }) => text);
  expect(times([works(minutes(2)), works(minutes(9))])).toEqual([
    "next, about 14:31",
    "after label-printer",
    "next",
  ]);
  expect(times([works(minutes(2)), works(null)])).toEqual(["next", "after label-printer", "next"]);
  const retry = openRunOf({ progress: { status: "queued", waitingUntil: minutes(11) } });
  expect(queueTimes([retry, openRunOf()], [], reading)).toEqual([
    { text: "not before 14:40", isEstimate: false },
    { text: "starts now", isEstimate: false },
  ]);
});

test("an ended run says what it did; a success stays one with notes, and what is missing makes it incomplete", () => {
  const said = (over: Parameters<typeof doneRunOf>[0]) => [
    doneStatus(doneRunOf(over)),
    doneText(doneRunOf(over)),
  ];
  expect(said({})).toEqual(["success", "1.1\u00a0MB new"]);
  expect(said({ newBytes: 0 })).toEqual(["success", "nothing new"]);
  expect(said({ skipped: 2 })).toEqual(["notes", "1.1\u00a0MB new, 2 skipped"]);
  expect(said({ isFailed: true, errorText: "GitHub answered 403." })).toEqual([
    "failed",
    "GitHub answered 403.",
  ]);
  expect(said({ isFailed: true })).toEqual(["failed", "It ended without giving a reason."]);
  expect(said({ kind: "export", newBytes: null })).toEqual(["success", "ZIP is ready"]);
  const restore = { kind: "restore", newBytes: null } as const;
  expect(said({ ...restore, outcome: { missing: 0, notes: 3 } })).toEqual(["notes", "restored, 3 notes"]);
  expect(said({ ...restore, outcome: { missing: 1, notes: 0 } })).toEqual([
    "incomplete",
    "restored, 1 thing is missing",
  ]);
  expect(said(restore)).toEqual(["success", "restored"]);
});

test("a limit shows the tightest quota, and a pause before all", () => {
  const quota = (over: Partial<ProviderLimit["quotas"][number]> = {}) => ({
    name: "core",
    left: 4_000,
    of: 5_000,
    opensAt: minutes(12),
    perMs: null,
    ...over,
  });
  const view = (pausedUntil: number | null, ...quotas: ProviderLimit["quotas"]) =>
    limitView({ platform: "github", connectionId: "con_1", account: null, pausedUntil, quotas }, reading);
  const usual = { opens: "full again 14:41", percent: 20, isFull: false, text: "1,000 of 5,000 calls used" };
  expect(view(null, quota())).toEqual(usual);
  expect(view(null, quota({ name: "search", left: 30, of: 30 }), quota())).toEqual(usual);
  expect(view(null, quota({ left: 0 }))).toEqual({
    opens: "opens 14:41",
    percent: 100,
    isFull: true,
    text: "5,000 of 5,000 calls used",
  });
  expect(view(minutes(2), quota()).opens).toBe("opens 14:31");
  expect(view(minutes(2))).toMatchObject({ percent: 100, text: "The provider asks us to wait." });
  expect(view(null, quota({ of: null }))).toMatchObject({ percent: null, text: "4,000 calls left" });
  const sliding = (perMs: number) => view(null, quota({ opensAt: null, perMs })).opens;
  expect([MINUTE_MS, HOUR_MS, 10 * SECOND_MS].map(sliding)).toEqual([
    "each minute",
    "each hour",
    "every 10 s",
  ]);
  expect(view(null, quota({ opensAt: minutes(-1) })).text).toBe("");
});

test("the address lists the newest ended runs, or a page of all", () => {
  const page = (search: string) => donePageOf(new URLSearchParams(search));
  expect(page("")).toEqual({ page: 0, perPage: 10 });
  expect(page("done=2")).toEqual({ page: 2, perPage: 50 });
  expect([page("done=-1").page, page("done=x").page, page("done=1000").page]).toEqual([0, 0, 0]);
});
