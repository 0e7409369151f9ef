import { env } from "cloudflare:workers";
import { configureSync, type LogRecord, resetSync } from "@logtape/logtape";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSession } from "#core/accounts/index.ts";
import { listHistory } from "#core/backups/index.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { moveOrganisation, settleMoves } from "#core/moves/index.ts";
import { requestRestores } from "#core/restores/index.ts";
import type { Blow } from "#tests/harness/effects.ts";
import { askForBackup } from "#tests/harness/flow-steps.ts";
import { KIND, PLATFORM } from "#tests/harness/flow-world.ts";
import { comparableView } from "#tests/harness/ledger-tables.ts";
import { sampleOf, sweep } from "#tests/harness/sample.ts";
import {
  findFaultsOf,
  finishWork,
  listOwnedTables,
  move,
  openTwoLedgers,
  rowsOf,
  type TwoLedgers,
  worldOf,
} from "#tests/harness/two-ledgers.ts";
import { httpBindings, sendTo } from "#tests/security/security-world.ts";
import { onTick } from "#workers/crons/index.ts";
import { tendLedger } from "#workers/crons/tend-ledger.ts";

type Home = "DE" | "DE_2";

let t: TwoLedgers;
let organisationId: string;
/** Where the organisation is; each test leaves it there. */
let home: Home = "DE";
beforeAll(async () => {
  t = await openTwoLedgers();
  organisationId = t.world.member.organisationId;
});
afterAll(() => t.close());

const away = (): Home => (home === "DE" ? "DE_2" : "DE");
const ledgerOf = (shard: Home) => (shard === "DE" ? t.first : t.second);
const doorsOf = async (shard: Home) =>
  (await ledgerOf(shard).prepare("SELECT state, is_closed FROM moving_organisation").raw()).flat();

/** The ids of the versions that a member sees, newest first. */
async function versions(): Promise<(string | null)[]> {
  const order = { itemId: t.item.id, page: 0, perPage: 50 };
  const { rows } = await listHistory(t.fresh(), t.world.member, order);
  return rows.filter(({ type, snapshotId }) => type === "backup" && snapshotId).map((row) => row.snapshotId!);
}

/** A changed item is backed up, and everything else that waits is done. */
async function backUpChanges(): Promise<void> {
  await t.world.outside.control(`repos/${t.item.fullName}/commits`, { count: 1 });
  t.world.clock.advance(DAY_MS);
  await askForBackup(worldOf(t, ledgerOf(home)), t.item.id);
  await finishWork(t, ledgerOf(home));
}

/** Moves to the other ledger and removes what is left, with a proof of both. */
async function moveAway(): Promise<void> {
  const before = await rowsOf(ledgerOf(home), organisationId);
  await move(t.fresh(), organisationId, away());
  home = away();
  expect(await rowsOf(ledgerOf(home), organisationId)).toEqual(before);
  await removeOldRows();
}

async function removeOldRows(): Promise<void> {
  const early = await move(t.fresh(), organisationId, home);
  expect(early).toMatchObject([{ type: "waits", shard: away() }]);
  t.world.clock.advance(HOUR_MS);
  const removed = await move(t.fresh(), organisationId, home);
  expect(removed).toMatchObject([{ type: "removed", shard: away() }]);
  expect(await rowsOf(ledgerOf(away()), organisationId)).toEqual({});
  expect(await move(t.fresh(), organisationId, home)).toEqual([]);
  expect([await doorsOf(home), await doorsOf(away())]).toEqual([
    ["home", 0],
    ["left", 1],
  ]);
}

test("while its ledger is closed a member reads, and a change is refused as maintenance", async () => {
  const { token } = await createSession(t.world.services, {
    userId: t.world.member.userId,
    isRemembered: false,
  });
  const ask = (method: string, path: string, more: { query?: Record<string, string>; body?: object }) =>
    sendTo(httpBindings(t.world), {
      ...{ method, path: `/api/${PLATFORM}/${path}`, headers: { Authorization: token } },
      ...more,
    });
  await t.first
    .prepare(
      `INSERT INTO moving_organisation (organisation_id, state, is_closed, epoch, since) VALUES (?1, 'frozen', 1, 1, 1)`,
    )
    .bind(organisationId)
    .run();
  const list = await ask("GET", "get-user-github-items", { query: { page: "0", perPage: "10" } });
  expect(list).toMatchObject({ status: 200, json: { totalItemsNumber: 1 } });
  const turn = (isOn: boolean) =>
    ask("PUT", "update-daily-backup-items-statuses", {
      body: { is_daily_backed_up: isOn, reposIds: [t.item.id] },
    });
  const change = await turn(false);
  expect(change).toMatchObject({ status: 503, json: { code: "err.maintenance" } });
  await t.first.prepare("DELETE FROM moving_organisation").run();
  expect([(await turn(false)).status, (await turn(true)).status]).toEqual([200, 200]);
});

test("an organisation moves with every row, works at the target, and leaves nothing but the rows of others", async () => {
  const before = await rowsOf(t.first, organisationId);
  expect(Object.keys(before)).toEqual((await listOwnedTables(t.first)).map(comparableView));
  const seen = await versions();
  expect(seen.length).toBeGreaterThan(1);
  const copiesInStorage = async () => (await t.s3.bucket(t.bucketName)).objects.map(({ key }) => key).sort();
  const copies = await copiesInStorage();
  const others = await rowsOf(t.first, t.strangerId);

  const events = await move(t.fresh(), organisationId, "DE_2");
  expect(events.map(({ type }) => type)).toEqual(["copied", "copied", "moved"]);
  home = "DE_2";
  expect(await rowsOf(t.second, organisationId)).toEqual(before);
  expect(await versions()).toEqual(seen);
  await removeOldRows();
  expect(await rowsOf(t.first, t.strangerId)).toEqual(others);
  expect(await copiesInStorage()).toEqual(copies);

  await backUpChanges();
  expect((await versions()).slice(1)).toEqual(seen);
  expect(await findFaultsOf(t, t.second)).toEqual([]);
  expect(await rowsOf(t.first, organisationId)).toEqual({});
  await moveAway();
});

test("a closed organisation is left out by every duty, and loses nothing by it", async () => {
  const until = moveOrganisation(t.fresh(), { organisationId, target: away() });
  // The open pass, and the first pass after closing.
  for (let pass = 0; pass < 2; pass++) expect((await until.next()).value).toMatchObject({ type: "copied" });
  expect([await doorsOf(home), await doorsOf(away())]).toEqual([
    ["frozen", 1],
    ["arriving", 1],
  ]);
  const both = async () => [await rowsOf(t.first, organisationId), await rowsOf(t.second, organisationId)];
  const before = await both();
  expect(await versions()).not.toEqual([]);
  // Everything is due, and everything has expired.
  const services = t.fresh();
  const later = { ...services, clock: { now: () => t.world.clock.now() + 400 * DAY_MS } };
  const duties = [
    "schedule",
    "requests",
    "sweep",
    "copies",
    "expire",
    "prune",
    "check-again",
    "repack",
    "silence",
  ];
  const errors = await errorsOf(async () => {
    for (const duty of [...duties, "forget-runs"])
      for (const shard of ["DE", "DE_2"])
        await tendLedger(later, { duty, region: "DE", shard, since: 0 } as Parameters<typeof tendLedger>[1]);
  });
  expect(errors.filter((error) => !error.includes("has fallen behind"))).toEqual([]);
  expect(await both()).toEqual(before);
  for (let step = await until.next(); !step.done; ) step = await until.next();
  home = away();
  await removeOldRows();
});

/** The errors that are logged meanwhile: a duty does not throw. */
async function errorsOf(act: () => Promise<void>): Promise<string[]> {
  const records: LogRecord[] = [];
  configureSync({
    reset: true,
    sinks: { memory: (record) => records.push(record) },
    loggers: [{ category: [], lowestLevel: "error", sinks: ["memory"] }],
  });
  try {
    await act();
  } finally {
    resetSync();
  }
  return records.map(({ message, properties }) => `${message.join("")} ${String(properties.cause ?? "")}`);
}

test("a backup under way when the ledger closes makes its version at the target, once", async () => {
  await finishWork(t, ledgerOf(home));
  await t.world.outside.control(`repos/${t.item.fullName}/commits`, { count: 1 });
  const seen = await versions();
  await askForBackup(worldOf(t, ledgerOf(home)), t.item.id);
  const isolate = t.world.bear(null);
  const { fetch } = isolate.services;
  let moved: Promise<unknown> | undefined;
  // The isolate remembers the source; the whole move happens at its first request.
  isolate.services.fetch = async (url, init) => {
    moved ??= move(t.fresh(), organisationId, away());
    await moved;
    return fetch(url, init);
  };
  await t.world.deliver(t.world.queue.take(t.world.clock.now())!, isolate);
  expect(moved).toBeDefined();
  const frozen = await rowsOf(ledgerOf(home), organisationId);
  expect(await rowsOf(ledgerOf(away()), organisationId)).toMatchObject({ snapshot: frozen.snapshot });
  home = away();
  await finishWork(t, ledgerOf(home));
  expect(await rowsOf(ledgerOf(away()), organisationId)).toEqual(frozen);
  const after = await versions();
  expect([after.length, after.slice(1)]).toEqual([seen.length + 1, seen]);
  expect(await findFaultsOf(t, ledgerOf(home))).toEqual([]);
  await removeOldRows();
});

test("a command that dies at any step is taken up, undone or finished, whatever is done in between", async () => {
  // A whole move counts its steps.
  const calm = t.world.bear(null);
  await move(calm.services, organisationId, away());
  home = away();
  await removeOldRows();
  const { log } = calm.life;
  const isPage = (name: string) => /^batch of [45]: INSERT INTO moving_organisation/.test(name);
  const steps = log.map(({ name }, at) => ({ at, isPage: isPage(name) }));
  expect(steps.filter((step) => step.isPage).length).toBeGreaterThanOrEqual(40);
  const decisive = steps.filter((step) => !step.isPage).map(({ at }) => at);
  expect(decisive.length).toBeGreaterThanOrEqual(8);
  const pages = steps.filter((step) => step.isPage).map(({ at }) => at);
  await sweep(async () => {
    for (const [turn, at] of [...decisive, ...sampleOf(pages, 4)].entries())
      await survive({ at, how: turn % 4 === 3 ? "fail-after" : "kill-after" }, turn);
  });
  expect(outcomes).toEqual(new Set(["done", "refused"]));
});

/** What became of the requests between a death and the end of its move. */
const outcomes = new Set<"done" | "refused">();

/** Strikes a move, does something, ends the move in one of two ways, and checks that nothing was lost. */
async function survive(blow: Blow, turn: number): Promise<void> {
  const target = away();
  const seen = await versions();
  const isolate = t.world.bear(blow);
  await Promise.race([
    move(isolate.services, organisationId, target).catch(() => undefined),
    isolate.life.death,
  ]);
  const label = `${blow.how} at ${blow.at}, turn ${turn}`;
  expect([label, await versions()]).toEqual([label, seen]);
  // Refused while the ledger is closed, and done otherwise.
  await t.world.outside.control(`repos/${t.item.fullName}/commits`, { count: 1 });
  const inBetween =
    turn % 2 === 0
      ? askForBackup(worldOf(t, ledgerOf(home)), t.item.id)
      : requestRestores(t.fresh(), t.world.member, {
          platform: PLATFORM,
          kind: KIND,
          items: [{ itemId: t.item.id, snapshotId: seen[0]!, name: `again-${turn}`, place: null }],
          placeId: null,
          emails: [],
        });
  const outcome = await inBetween.then(
    () => "done",
    (cause) => String(cause),
  );
  expect([label, outcome]).toEqual([label, expect.stringMatching(/^done$|moving to another ledger/)]);
  outcomes.add(outcome === "done" ? "done" : "refused");
  if (turn % 3 === 0) await deliverSome();
  if (turn % 3 !== 1) {
    t.world.clock.advance(16 * MINUTE_MS);
    await settleMoves(t.fresh());
    const doors = [await doorsOf("DE"), await doorsOf("DE_2")];
    expect([label, doors.filter(([, isClosed]) => isClosed === 0).length]).toEqual([label, 1]);
  }
  const stored = ledgerOf(home);
  const events = await move(t.fresh(), organisationId, target);
  if (events.some(({ type }) => type === "copied"))
    expect([label, await rowsOf(ledgerOf(target), organisationId)]).toEqual([
      label,
      await rowsOf(stored, organisationId),
    ]);
  home = target;
  expect([label, await doorsOf(home)]).toEqual([label, ["home", 0]]);
  await finishWork(t, ledgerOf(home));
  expect([label, (await versions()).slice(-seen.length)]).toEqual([label, seen]);
  expect([label, await findFaultsOf(t, ledgerOf(home))]).toEqual([label, []]);
  t.world.clock.advance(HOUR_MS);
  await move(t.fresh(), organisationId, home);
  expect([label, await rowsOf(ledgerOf(away()), organisationId)]).toEqual([label, {}]);
  const [state] = (await env.DB.prepare("SELECT state FROM ledger_move").raw()).flat();
  expect([label, state]).toEqual([label, "done"]);
}

async function deliverSome(): Promise<void> {
  for (let letter = t.world.queue.take(t.world.clock.now()); letter; ) {
    await t.world.deliver(letter);
    letter = t.world.queue.take(t.world.clock.now());
  }
}

test("two commands at once: the later one moves, and the earlier one says that it has lost the move", async () => {
  const earlier = moveOrganisation(t.fresh(), { organisationId, target: away() });
  await earlier.next();
  await move(t.fresh(), organisationId, away());
  await expect(earlier.next()).rejects.toThrow(/Another command/);
  home = away();
  await removeOldRows();
});

test("a silent command is undone after 15 minutes by the clock, and not before; what it wakes up to is refused", async () => {
  const silent = moveOrganisation(t.fresh(), { organisationId, target: away() });
  await silent.next();
  await silent.next();
  t.world.clock.advance(14 * MINUTE_MS);
  await onTick(t.fresh(), "* * * * *");
  expect(await doorsOf(home)).toEqual(["frozen", 1]);
  t.world.clock.advance(2 * MINUTE_MS);
  await onTick(t.fresh(), "* * * * *");
  expect([await doorsOf(home), await doorsOf(away())]).toEqual([
    ["home", 0],
    ["left", 1],
  ]);
  await expect(silent.next()).rejects.toThrow(/undone/);
  await backUpChanges();
  // The copy that was left is taken up again.
  await moveAway();
});

test("a command refuses what it does not know", async () => {
  const target = away();
  const before = await doorsOf(home);
  await expect(move(t.fresh(), "org_unknown", target)).rejects.toThrow("There is no organisation");
  await env.DB.prepare("UPDATE ledger_shard SET since = ?1").bind(t.world.clock.now()).run();
  await expect(move(t.fresh(), organisationId, target)).rejects.toThrow("measured for an hour");
  expect(await doorsOf(home)).toEqual(before);
});
