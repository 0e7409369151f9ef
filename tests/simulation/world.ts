import { unzipSync } from "fflate";
import { HOUR_DUTIES, MINUTE_DUTIES } from "#core/jobs/index.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import type { Member } from "#core/organisations/index.ts";
import { type Dice, dice } from "#tests/harness/dice.ts";
import { openCallCounts } from "./call-counts.ts";
import type { Complaints } from "./complaints.ts";
import { type DeployedWorker, deployWorker } from "./deployed-worker.ts";
import { type AskedRestore, GONE_AFTER_MS, type Judge, openJudge, type Protected } from "./invariants.ts";
import { hireOperator, type Operator } from "./operator.ts";
import { CALLBACK, openPlatform, type Platform } from "./platform.ts";
import { REGION } from "./region-ledgers.ts";
import type { Scheduler } from "./scheduler.ts";
import { openWeather, type Weather } from "./weather.ts";

/** Which world to simulate. */
export type Order = { seed: number; days: number; items: number };

/** Where the project and the product's bundle are. */
export type Places = { root: string; bundle: string };

/** What became of a world. */
export type Outcome = {
  order: Order;
  /** Broken promises with the day on which they were seen. Empty = all were kept. */
  faults: string[];
  /** Equal for two simulations of the same seed. */
  digest: string;
  versions: number;
  /** How often the organisation moved to another ledger. */
  moves: number;
  calls: number;
  events: number;
};

/** Days in which nothing goes wrong or changes, at the end: enough for two marks of prune. */
const QUIET_DAYS = 4;
const MOST_LINKS = 20;
const MINUTE_CRON = "* * * * *";
const HOUR_CRON = "17 * * * *";
/** Versions older than this are made to look as old as the plan keeps them, now and then. */
const AGED_AFTER_MS = 2 * DAY_MS;
const PLAN_KEEPS_MS = 90 * DAY_MS;
/** Longer than the verdict of a check stands. */
const VERDICT_AGE_MS = 8 * DAY_MS;
/** Who gets an e-mail about the end of a restore. */
const RECIPIENT = "ola@meridian.example";

type World = {
  roll: Dice;
  scheduler: Scheduler;
  weather: Weather;
  platform: Platform;
  worker: DeployedWorker;
  member: Member;
  items: Protected[];
  erased: Set<string>;
  /** What people have asked for, and perhaps not been told: it may be done long after its invocation has died. */
  asked: { erasures: Set<string>; removals: Set<Protected>; pauses: Set<Protected> };
  restores: AskedRestore[];
  zips: { url: string; snapshotId: string }[];
  judge: Judge;
  operator: Operator;
  faults: string[];
  acts: number;
};

type Globals = { scheduler: Scheduler; note: (line: string) => void; complaints: Complaints };

/** Lives through a world until its end or the first day with a broken promise. The result is a function of the order. */
export async function liveThrough(
  order: Order,
  places: Places,
  { scheduler, note, complaints }: Globals,
): Promise<Omit<Outcome, "digest" | "events">> {
  const roll = dice(order.seed * 7_919 + 17);
  const platform = openPlatform(scheduler.now);
  try {
    const calls = openCallCounts();
    const weather = openWeather(dice(order.seed * 104_729 + 5), scheduler.now);
    const worker = await deployWorker({ ...places, roll, scheduler, weather, platform, calls, note });
    const member = await scheduler.runWhile(settleIn(worker, platform));
    const items: Protected[] = [];
    const [erased, restores] = [new Set<string>(), [] as AskedRestore[]];
    const { organisationId } = member;
    const judged = {
      ...{ worker, platform, calls, complaints, organisationId, items, erased, restores },
      now: scheduler.now,
    };
    const judge = openJudge(judged);
    const faults: string[] = [];
    worker.onCommit((by) => {
      if (faults.length === 0) faults.push(...judge.lookAtStep(by));
    });
    const say = (fault: string) => void faults.push(fault);
    const operator = hireOperator({ roll, scheduler, worker, organisationId, say });
    const world: World = {
      ...{ roll, scheduler, weather, platform, worker, member, items, erased, restores, judge, operator },
      ...{ zips: [], faults, acts: 0 },
      asked: { erasures: new Set(), removals: new Set(), pauses: new Set() },
    };
    await protect(world, order.items);
    for (let day = 1; day <= order.days && world.faults.length === 0; day++) await liveDay(world, day);
    if (world.faults.length === 0) await rest(world, order.days);
    const [versions, moves] = [judge.seen(), judge.moves()];
    return { order, faults: world.faults.slice(0, 20), versions, moves, calls: calls.total() };
  } finally {
    platform.close();
  }
}

/** Signs up, connects the account at the platform, and takes the plan Pro. */
async function settleIn(worker: DeployedWorker, platform: Platform): Promise<Member> {
  const member = await worker.invoke("sign-up", async (product, services) => {
    const person = { name: "Nora", familyName: "Lindqvist", email: "nora@meridian.example" };
    const { userId } = await product.createPerson(services, person);
    return (await product.createSession(services, { userId, isRemembered: false })).member;
  });
  await connect(worker, platform, member!);
  // The clock measures the ledgers, so that an organisation can move.
  worker.tick(HOUR_CRON);
  worker.control.run("UPDATE subscription SET plan = 'pro', quantity = 1000, ends_at = NULL");
  return member!;
}

async function connect(worker: DeployedWorker, platform: Platform, member: Member): Promise<void> {
  const order = { platform: "trello", redirectUri: CALLBACK };
  await worker.invoke("connect", async (product, services) => {
    const { url } = await product.beginAuthorisation(services, member, { ...order, region: "DE" });
    const back = (await platform.consent(url)).searchParams;
    const answer = { ...order, state: back.get("state")!, code: back.get("code")! };
    await product.completeAuthorisation(services, member, answer);
  });
}

/**
 * A refresh token works once. Where its answer is lost, the connection is, and its owner, who gets an e-mail, connects
 * again.
 */
async function reconnect(world: World): Promise<void> {
  const { worker, platform, member, scheduler } = world;
  const isLost = () => worker.control.rows("SELECT 1 FROM connection WHERE status <> 'active'").length > 0;
  if (isLost() && !worker.isLossExplained()) say(world, 0, ["the connection was lost without a lost answer"]);
  for (let attempt = 0; attempt < 3 && isLost(); attempt++)
    await scheduler.runWhile(connect(worker, platform, member).catch(() => undefined));
}

/** People make boards and protect them. */
async function protect(world: World, count: number): Promise<void> {
  const { platform, worker, member, scheduler } = world;
  const boards = Array.from({ length: count }, () => platform.addBoard(`Board ${++world.acts}`));
  for (let at = 0; at < boards.length; at += 20) {
    const externals = boards.slice(at, at + 20).map((externalId) => ({ externalId }));
    const order = { platform: "trello", kind: "board", placeId: null, externals };
    await scheduler.runWhile(
      worker
        .invoke("add", (product, services) => product.addItems(services, member, order))
        .catch(() => undefined),
    );
  }
  noteAnswers(world);
}

/** Takes note of what has been done that people asked for. Also of an answer that was lost, the rows tell. */
function noteAnswers({ worker, items, erased, asked }: World): void {
  const rows = worker.ledger.rows<{ id: string; external_id: string; is_daily: number }>(
    "SELECT id, external_id, is_daily FROM item",
  );
  for (const { id, external_id: boardId } of rows)
    if (!items.some(({ itemId }) => itemId === id))
      items.push({ itemId: id, boardId, isRemoved: false, isPaused: false });
  const rowOf = ({ itemId }: Protected) => rows.find(({ id }) => id === itemId);
  for (const item of asked.removals) item.isRemoved = rowOf(item) === undefined;
  for (const item of asked.pauses) item.isPaused = rowOf(item)?.is_daily !== 1;
  for (const id of asked.erasures) if (isErased(worker, id)) erased.add(id);
}

/** Whether a version has been erased. One whose erasure died at its mark stays, and may expire. */
const isErased = ({ ledger }: World["worker"], snapshotId: string): boolean =>
  ledger.rows("SELECT 1 FROM run WHERE snapshot_id = ? AND erased_at IS NOT NULL", snapshotId).length > 0;

/** One day: the platform changes, crons tick, people do things, the weather is what it is. */
async function liveDay(world: World, day: number): Promise<void> {
  const { roll, weather, items, platform } = world;
  weather.turn();
  for (let hour = 0; hour < 24; hour++) {
    for (const { boardId, isRemoved } of items)
      if (!isRemoved && roll(30) === 0) platform.change(boardId, roll);
    await liveHour(world, () => meddle(world));
    if (roll(24 * 4) === 0) await world.worker.deploy(roll(2) === 0);
    if (roll(6) === 0) await reconnect(world);
    world.operator.attend();
    for (let acts = 0; acts < 2; acts++) await act(world);
    if (roll(24) === 0) age(world);
    if (roll(12) === 0) ageUnneeded(world);
    await liveWithMove(world);
    noteAnswers(world);
    say(world, day, await world.judge.look());
    if (world.faults.length > 0) return;
  }
  if (roll(3) === 0) ageVerdicts(world);
  say(world, day, await world.judge.lookDeep());
}

/** What comes between the slices of runs: a move begins, or people change a board that is being read. */
function meddle({ roll, items, platform, worker, operator }: World): void {
  operator.attend();
  const read = worker.ledger.rows<{ item_id: string }>(
    "SELECT item_id FROM run WHERE kind = 'backup' AND status IN ('queued', 'running')",
  );
  for (const { item_id: id } of read) {
    const item = items.find(({ itemId }) => itemId === id);
    if (item && roll(4) === 0) platform.change(item.boardId, roll);
  }
}

/** While a command moves the organisation, people and crons do not wait. */
async function liveWithMove(world: World): Promise<void> {
  const { roll, scheduler, operator } = world;
  for (let acts = 0; acts < 8 && operator.isAtWork(); acts++) {
    await scheduler.runUntil(scheduler.now() + roll(MINUTE_MS / 2));
    tick(world, MINUTE_CRON);
    await act(world);
  }
}

/**
 * An hour of crons. Some ticks are skipped, as they may be.
 *
 * @param meddle Called now and then while runs are open.
 */
async function liveHour(world: World, meddle = () => {}): Promise<void> {
  const { roll, scheduler, worker } = world;
  const end = scheduler.now() + HOUR_MS;
  if (roll(2) > 0) tick(world, HOUR_CRON);
  while (scheduler.now() < end) {
    if (roll(8) > 0) tick(world, MINUTE_CRON);
    if (roll(3) === 0) {
      await scheduler.runUntil(scheduler.now() + roll(MINUTE_MS / 2));
      if (hasOpenRuns(worker)) meddle();
    }
    // A sweep finds lost runs; without open ones a tick has little to do.
    const minutes = hasOpenRuns(worker) ? 3 + roll(20) : 30 + roll(40);
    await scheduler.runUntil(Math.min(end, scheduler.now() + minutes * MINUTE_MS));
  }
}

/**
 * Most of a cron line is about people and money, of which there is little here: mostly the ledgers' duties run. An open move
 * needs the clock.
 */
function tick({ roll, worker }: World, cron: string): void {
  if (roll(8) === 0 || hasOpenMove(worker)) worker.tick(cron);
  else worker.tickLedgers(cron === HOUR_CRON ? HOUR_DUTIES : MINUTE_DUTIES);
}

const hasOpenMove = ({ control }: DeployedWorker) =>
  control.rows("SELECT 1 FROM ledger_move WHERE state <> 'done'").length > 0;

const hasOpenRuns = ({ ledger }: DeployedWorker) =>
  ledger.rows("SELECT 1 FROM run WHERE status IN ('queued', 'running') LIMIT 1").length > 0;

/** People do one thing or another, or nothing. Now and then two of them do something with one item at the same time. */
async function act(world: World): Promise<void> {
  const { roll, items, scheduler, platform } = world;
  const item = items[roll(items.length)];
  if (!item || item.isRemoved) return;
  switch (roll(18)) {
    case 0:
      if (roll(3) === 0) await protect(world, 1);
      return;
    case 1:
      if (roll(6) === 0) platform.removeBoard(item.boardId);
      return;
    case 2:
      say(world, 0, await download(world));
      return;
    default: {
      const acts = [chooseAct(world, item), ...(roll(4) === 0 ? [chooseAct(world, item)] : [])];
      await scheduler.runWhile(Promise.all(acts.map((each) => each?.())));
      noteAnswers(world);
    }
  }
}

/** What somebody does with an item. Null = nothing. */
function chooseAct(world: World, item: Protected): (() => Promise<unknown>) | null {
  const { roll, items, worker, member, asked } = world;
  const { itemId } = item;
  const versions = worker.ledger.rows<{ id: string }>(
    "SELECT id FROM snapshot WHERE item_id = ? ORDER BY taken_at",
    itemId,
  );
  const version = versions[roll(Math.max(1, versions.length))];
  const session = sessionOf(world);
  const send = <T>(name: string, act: Parameters<typeof worker.invoke<T>>[1]) =>
    worker.invoke<T>(name, act, session).catch(() => undefined);
  const zip = async (snapshotId: string) => {
    const answer = await send("zip", (p, s) =>
      p.requestZip(s, member, { platform: "trello", itemId, snapshotId }),
    );
    if (answer?.kind === "ready") world.zips.push({ url: answer.url, snapshotId });
    // People keep some links.
    if (world.zips.length > MOST_LINKS) world.zips.shift();
  };
  const erase = (snapshotId: string) => {
    asked.erasures.add(snapshotId);
    return send("erase", (p, s) => p.eraseVersion(s, member, { itemId, snapshotId }));
  };
  switch (roll(15)) {
    case 0:
    case 1:
      return () => send("request", (p, s) => p.requestBackup(s, member, { platform: "trello", itemId }));
    case 2:
      return () =>
        send("request-all", (p, s) =>
          p.requestAllBackups(s, member, { platform: "trello", kind: null, placeId: null }),
        );
    case 3:
    case 4:
      return version ? () => restore(world, item, version.id) : null;
    case 5:
    case 6:
      return version ? () => zip(version.id) : null;
    case 7: {
      if (!version) return null;
      const linked = world.zips.find(({ snapshotId: id }) => versions.some((each) => each.id === id));
      const snapshotId = linked?.snapshotId ?? version.id;
      // Somebody else erases it at the same time, or asks for its ZIP.
      const others = [[], [erase], [zip]][roll(3)]!;
      return () => Promise.all([erase, ...others].map((each) => each(snapshotId)));
    }
    case 8: {
      if (roll(3) > 0 || items.filter(({ isRemoved }) => !isRemoved).length < 3) return null;
      asked.removals.add(item);
      const order = { platform: "trello", kind: "board", itemIds: [itemId] };
      return () => send("remove", (p, s) => p.removeItems(s, member, order));
    }
    case 9: {
      if (roll(2) > 0) return null;
      asked.pauses.add(item);
      const chosen = [{ kind: "board", itemIds: [itemId] }];
      const order = { platform: "trello", items: chosen, isDaily: item.isPaused };
      return () => send("pause", (p, s) => p.setDailyBackup(s, member, order));
    }
    default:
      return null;
  }
}

/** Whom a page takes the person for. It may know by a copy of the session, from before a move. */
const sessionOf = ({ roll, member, worker }: World): Member => ({
  ...member,
  shards: { [REGION]: worker.ledgers.homeOfSession(roll(2) === 0) },
});

async function restore(world: World, item: Protected, snapshotId: string): Promise<void> {
  const { worker, member, judge } = world;
  const name = `Restored ${++world.acts}`;
  const facts = judge.factsOf(snapshotId);
  if (!facts) return;
  const wish = { itemId: item.itemId, snapshotId, name, place: null };
  const order = { platform: "trello", kind: "board", items: [wish], placeId: null, emails: [RECIPIENT] };
  await worker
    .invoke("restore", (p, s) => p.requestRestores(s, member, order), sessionOf(world))
    .catch(() => undefined);
  const [run] = worker.ledger.rows<{ id: string }>(
    "SELECT id FROM run WHERE kind = 'restore' AND order_json LIKE ? ORDER BY created_at DESC LIMIT 1",
    `%"${name}"%`,
  );
  if (run) world.restores.push({ runId: run.id, name, facts });
}

/** Opens the links of ZIPs. Each is a whole ZIP, or has ended. */
async function download(world: World): Promise<string[]> {
  const faults: string[] = [];
  for (const { url, snapshotId } of world.zips) {
    const token = new URL(url).pathname.split("/").pop()!;
    const fault = await world.worker.look(async (product, services) => {
      try {
        const zip = await product.openZipDownload(services, token);
        const bytes: Uint8Array[] = [];
        const range = { from: 0, to: zip.layout.totalBytes };
        for await (const chunk of product.zipRange(zip.layout, range, zip.read)) bytes.push(chunk.slice());
        const files = unzipSync(Buffer.concat(bytes));
        if (world.erased.has(snapshotId)) return "gives away an erased version";
        return Object.keys(files).length === zip.layout.count ? null : "lacks files";
      } catch (cause) {
        const code = (cause as { code?: string }).code ?? "";
        return /^err\.(link|not\.found)/.test(code) ? null : `is broken: ${String(cause)}`;
      }
    });
    if (fault) faults.push(`the ZIP of ${snapshotId} ${fault}`);
  }
  return faults;
}

/** Makes older versions as old as the plan keeps them. */
function age({ worker, scheduler }: World): void {
  if (isClosed(worker)) return;
  worker.ledger.run(
    "UPDATE snapshot SET taken_at = taken_at - ?1, expires_at = expires_at - ?1 WHERE taken_at < ?2",
    PLAN_KEEPS_MS,
    scheduler.now() - AGED_AFTER_MS,
  );
}

/** Makes what was stored and checked before today so old that a verdict no longer stands. */
function ageVerdicts({ worker, scheduler }: World): void {
  if (isClosed(worker)) return;
  const before = scheduler.now() - DAY_MS;
  for (const [table, column] of [
    ["object_row", "created_at"],
    ["snapshot", "verified_at"],
  ])
    worker.ledger.run(
      `UPDATE ${table} SET ${column} = ${column} - ?1 WHERE ${column} < ?2`,
      VERDICT_AGE_MS,
      before,
    );
}

/**
 * Makes what is older than any invocation a day older for prune, which waits a day for its mark and a day after it: so it
 * meets runs that are open and links that live.
 */
function ageUnneeded({ worker, scheduler }: World): void {
  if (isClosed(worker)) return;
  worker.ledger.run(
    "UPDATE object_row SET created_at = created_at - ?1, marked_at = marked_at - ?1 WHERE created_at < ?2",
    DAY_MS,
    scheduler.now() - HOUR_MS,
  );
}

/** Nobody can write to a ledger in the last moments of a move, nor can the world. */
const isClosed = ({ ledger }: DeployedWorker) =>
  ledger.rows("SELECT 1 FROM moving_organisation WHERE is_closed = 1").length > 0;

/** Quiet days: what was begun ends, and what nobody needs goes. */
async function rest(world: World, days: number): Promise<void> {
  const { weather, scheduler, judge } = world;
  weather.calm();
  const since = scheduler.now();
  const hours = 24 * QUIET_DAYS;
  for (let hour = 0; hour < hours; hour++) {
    if (hours - hour === GONE_AFTER_MS / HOUR_MS) await judge.noteUnneeded();
    await liveHour(world);
    await reconnect(world);
    world.operator.finish();
    noteAnswers(world);
    say(world, days + Math.ceil((hour + 1) / 24), await judge.look());
    if (world.faults.length > 0) return;
  }
  say(world, days + QUIET_DAYS, [...(await download(world)), ...(await judge.lookAtRest(since))]);
}

function say(world: World, day: number, faults: readonly string[]): void {
  world.faults.push(...faults.map((fault) => (day > 0 ? `day ${day}: ${fault}` : fault)));
}
