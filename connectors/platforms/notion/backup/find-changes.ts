import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { BackupStage } from "#connectors/toolkit/records/run-stages.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { detailsSchema } from "../authorize.ts";
import { paths } from "../client.ts";
import { type NotionResult, resultsSchema } from "../payloads.ts";
import { isOldPlace, readList } from "../read-list.ts";
import { recordPaths } from "../record-paths.ts";
import { changedBefore, changedSince, isLongAgo, isUnchanged } from "./changed-since.ts";
import { idOfHome, oldSources, UNSUPPORTED } from "./old-page.ts";
import { dayOf, elapsedDays, LOOK_DAYS } from "./shares.ts";
import { workOff } from "./work-off.ts";
import { remember, type Work } from "./workspace-run.ts";

/** Queued tasks that a cursor can hold; a larger workspace is searched in several turns. */
const MOST_QUEUED = 25_000;

const cursorSchema = z.strictObject({
  step: z.enum(["survey", "search", "work"]),
  /** The next page of the search; null = the first. */
  page: z.string().nullable(),
  newest: z.string(),
  task: z.json(),
});
type Position = z.output<typeof cursorSchema>;

/**
 * Finds what changed, and reads it. Search lists pages and data sources by their last edit, newest first, and may miss
 * some; what it misses is found below the pages, and nothing is taken for deleted because of it. It is read up to the last
 * known edit, and completely for a first backup or after the owner picked other pages.
 */
export function findChangesStage(open: (run: Work["run"]) => Work): BackupStage {
  return {
    id: "changes",
    async *run(run, cursor) {
      const work = open(run);
      const at: Position = readCursor(cursorSchema, cursor) ?? {
        ...{ step: work.previous === null ? "survey" : "search", page: null, task: null },
        newest: run.known?.marks.edited ?? "",
      };
      if (cursor === null) yield* begin(work);
      const point = (more: Partial<Position> = {}) => work.point({ ...at, ...more } as Json);
      const steps = work.previous === null ? first(work, at) : later(work, at);
      for await (const event of steps) yield event.type === "checkpoint" ? point() : event;
      at.step = "work";
      for await (const event of workOff(work, at.task))
        yield event.type === "checkpoint" ? point({ task: event.cursor }) : event;
      run.next.marks.grant = grantOf(work);
      work.save();
    },
  };
}

/** Keeps the previous version, and queues what it could not read. */
async function* begin(work: Work): AsyncGenerator<BackupEvent, void> {
  if (work.previous === null) return;
  yield { type: "keep-all", prefix: "" };
  const unsupported = Number(work.run.known?.marks[UNSUPPORTED] ?? 0);
  work.run.next.counts = { ...work.previous.counts(), [UNSUPPORTED]: unsupported };
  for (const id of (work.run.known?.marks.retry ?? "").split(",").filter((each) => each !== "")) {
    work.seen.add(id);
    work.push({ kind: "page", id });
  }
}

const grantOf = ({ run }: Work) =>
  String(detailsSchema.safeParse(run.session.connectionDetails).data?.grantedAt ?? "");

const isOtherGrant = (work: Work) => work.run.known !== null && work.run.known.marks.grant !== grantOf(work);

/**
 * A first backup counts first, so that the time that it takes is known. Then it reads the pages of each answer of the
 * search before it asks for the next one, so that no page is asked for again, also when the work goes on in another slice:
 * only the last answer is read once more. A page that is edited meanwhile is listed at another place, so what is newer
 * than the count is searched at the end.
 */
async function* first(work: Work, at: Position): AsyncGenerator<BackupEvent, void> {
  if (at.step === "survey") {
    yield* survey(work, at);
    noteNewest(work, at.newest);
    noteSearch(work);
    Object.assign(at, { step: "search", page: null });
  }
  if (at.step !== "search") return;
  work.defer();
  for await (const { answer, next } of answersOf(work, at)) {
    for (const result of answer.results) await meet(work, result);
    yield* workOffHere(work, at);
    at.page = next;
    if (next === null) break;
    if (work.isDue()) yield work.point(null);
  }
  for await (const { answer } of searched(work, null)) {
    const isPast = await meetSince(work, answer.results, changedBefore(at.newest));
    yield* workOffHere(work, at);
    if (isPast) break;
  }
  work.undefer();
}

/** Lists everything that the search has. */
async function* survey(work: Work, at: Position): AsyncGenerator<BackupEvent, void> {
  for await (const { answer, next } of answersOf(work, at)) {
    for (const result of answer.results) {
      const isRow = result.object === "page" && result.parent.type === "data_source_id";
      const id = result.object === "data_source" ? result.parent.database_id : result.id;
      if (!isRow && id !== undefined) work.listed.add(id);
      if (result.object !== "partial" && result.last_edited_time > at.newest)
        at.newest = result.last_edited_time;
    }
    work.expect(answer.results.length);
    yield searching(work);
    at.page = next;
    if (next !== null && work.isDue()) yield work.point(null);
  }
}

/** A later backup searches first, because few pages changed. */
async function* later(work: Work, at: Position): AsyncGenerator<BackupEvent, void> {
  if (at.step === "work") return;
  const isOther = changedSince(work) === null || isOtherGrant(work);
  const isComplete = isOther || isSearchDue(work);
  const since = isComplete ? "" : (changedSince(work) ?? "");
  if (at.task !== null) yield* workOffHere(work, at);
  for await (const { answer, next } of answersOf(work, at)) {
    yield searching(work);
    for (const result of answer.results) {
      if (result.object === "partial") continue;
      if (result.last_edited_time > at.newest) at.newest = result.last_edited_time;
      if (isComplete) await list(work, result);
    }
    const isPast = await meetSince(work, answer.results, since);
    at.page = next;
    if (isPast || next === null) break;
    if (work.waiting() >= MOST_QUEUED) yield* workOffHere(work, at);
    if (work.isDue()) yield work.point(null);
  }
  noteNewest(work, at.newest);
  await searchTrash(work);
  await queueSources(work);
  if (isComplete) noteSearch(work);
  if (isOther) await queueUnlisted(work);
}

/**
 * Whether everything is searched again: a page that somebody shares with us later, or brings back from the trash, may have
 * an old time of its last edit.
 */
function isSearchDue({ run }: Work): boolean {
  const today = dayOf(run.session.clock.now());
  return elapsedDays(run.known?.marks.searched, today) >= LOOK_DAYS;
}

function noteSearch({ run }: Work): void {
  run.next.marks.searched = String(dayOf(run.session.clock.now()));
}

/** The newest known edit, from which the next backup searches. */
function noteNewest({ run }: Work, newest: string): void {
  if (newest === "") return;
  run.next.marks.edited = newest;
  run.next.marks.settled = isLongAgo(newest, run.session.clock.now()) ? "yes" : "no";
}

function searching(work: Work): BackupEvent {
  const done = Math.max(work.expected(), work.waiting());
  return {
    type: "progress",
    progress: { phase: "Searching the workspace", done, total: null, unit: "items" },
  };
}

const SEARCH = {
  method: "POST",
  path: paths.search,
  body: { sort: { timestamp: "last_edited_time", direction: "descending" } },
  about: "what changed in this workspace",
} as const;

const searched = (work: Work, page: string | null) => readList(work.client, SEARCH, resultsSchema, page);

/**
 * The answers of the search from where it stands. How long Notion keeps a place in a search is not documented: one that it
 * no longer takes is left, and the search begins again. What was met before is not read twice.
 */
async function* answersOf(work: Work, at: Position) {
  try {
    yield* searched(work, at.page);
  } catch (error) {
    if (!isOldPlace(error) || at.page === null) throw error;
    at.page = null;
    yield* searched(work, null);
  }
}

/** Queues results up to a time. @returns whether older ones follow */
async function meetSince(work: Work, results: readonly NotionResult[], since: string): Promise<boolean> {
  let isPast = false;
  for (const result of results) {
    if (result.object !== "partial" && result.last_edited_time < since) isPast = true;
    else await meet(work, result);
  }
  return isPast;
}

/** Notes that a complete search lists something, and what it stands in now. */
async function list(work: Work, result: Exclude<NotionResult, { object: "partial" }>): Promise<void> {
  if (result.object === "data_source") {
    if (result.parent.database_id !== undefined) work.listed.add(result.parent.database_id);
    return;
  }
  if (result.parent.type === "data_source_id") return;
  work.listed.add(result.id);
}

/** Works off the queue before the search goes on. */
async function* workOffHere(work: Work, at: Position): AsyncGenerator<BackupEvent, void> {
  for await (const event of workOff(work, at.task)) {
    if (event.type === "checkpoint") at.task = event.cursor;
    yield event;
  }
  at.task = null;
  work.pages.clear();
}

/** Queues a result of the search, unless the version has it as it is. Rows are read with their data source. */
async function meet(work: Work, result: NotionResult): Promise<void> {
  if (result.object === "data_source") {
    const id = result.parent.database_id;
    if (id === undefined) return;
    work.sources.set(result.id, result);
    if (work.seen.has(id) || (await isKnown(work, recordPaths.source(result.id), result.last_edited_time)))
      return;
    queueDatabase(work, id);
    return;
  }
  if (result.object === "partial") {
    if (result.of === "page" && !work.seen.has(result.id)) {
      work.seen.add(result.id);
      work.push({ kind: "page", id: result.id });
    }
    return;
  }
  const { type, data_source_id: sourceId, database_id: databaseId } = result.parent;
  if (type === "data_source_id" && sourceId !== undefined) {
    const isThere = (await work.previous?.find(recordPaths.source(sourceId))) != null;
    if (!isThere && databaseId !== undefined) queueDatabase(work, databaseId);
    return;
  }
  const path = recordPaths.page(recordPaths.pageHome(result.id));
  if (await isKnown(work, path, result.last_edited_time)) return;
  remember(work, result);
  if (work.seen.has(result.id)) return;
  work.seen.add(result.id);
  work.push({ kind: "page", id: result.id });
}

function queueDatabase(work: Work, id: string): void {
  if (work.seen.has(id)) return;
  work.seen.add(id);
  work.push({ kind: "database", id });
}

/** Whether the previous version has the thing with this last edit. */
async function isKnown({ previous, run }: Work, path: string, edited: string): Promise<boolean> {
  if (previous === null || (await previous.find(path)) === null) return false;
  const { last_edited_time: stored } = (await previous.readRecord(path)) as { [key: string]: Json };
  return isUnchanged({ run }, stored, edited);
}

/** Things of the previous version that are in the trash now, as far as the search of the trash tells. */
async function searchTrash(work: Work): Promise<void> {
  const since = changedSince(work) ?? "";
  const call = {
    method: "POST",
    path: paths.search,
    body: {
      filter: { in_trash: true },
      sort: { timestamp: "last_edited_time", direction: "descending" },
    },
    about: "what was deleted in this workspace",
  } as const;
  for await (const { answer } of readList(work.client, call, resultsSchema)) {
    for (const result of answer.results) {
      if (result.object === "partial") continue;
      if (result.last_edited_time < since) return;
      if (result.object === "page") work.push({ kind: "check", id: result.id });
      else if (result.parent.database_id)
        work.push({ kind: "check-database", id: result.parent.database_id });
    }
  }
}

/** The changed rows of each known data source: search does not list all of them. */
async function queueSources(work: Work): Promise<void> {
  if (work.previous === null) return;
  for await (const { id } of oldSources(work.previous)) work.push({ kind: "rows", id });
}

/** After the owner picked other pages, whatever a complete search did not list is checked one by one. */
async function queueUnlisted(work: Work): Promise<void> {
  const { previous } = work;
  if (previous === null) return;
  for await (const { path, kind } of previous.list(recordPaths.pages)) {
    const id = idOfHome(path);
    if (kind === "page" && !work.listed.has(id)) work.push({ kind: "check", id });
  }
  for await (const { path, kind } of previous.list(recordPaths.databases)) {
    const id = idOfHome(path);
    if (kind === "database" && !work.listed.has(id)) work.push({ kind: "check-database", id });
  }
}
