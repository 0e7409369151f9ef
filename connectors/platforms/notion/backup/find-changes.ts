import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { BackupStage } from "#connectors/toolkit/records/run-stages.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { detailsSchema } from "../authorize.ts";
import { paths } from "../client.ts";
import { type NotionResult, resultsSchema } from "../payloads.ts";
import { readList } from "../read-list.ts";
import { recordPaths } from "../record-paths.ts";
import { changedSince, isLongAgo, isUnchanged } from "./changed-since.ts";
import { type IdSet, idSet, idSetSchema } from "./id-set.ts";
import { idOfHome, oldSources } from "./old-page.ts";
import { workOff } from "./work-off.ts";
import { remember, type Work } from "./workspace-run.ts";

/** Queued tasks that a cursor can hold; a larger workspace is searched in several turns. */
const MOST_QUEUED = 25_000;

const cursorSchema = z.strictObject({
  step: z.enum(["search", "work"]),
  /** The next page of the search; null = the first. */
  page: z.string().nullable(),
  newest: z.string(),
  /** Pages and databases that a complete search listed. */
  listed: idSetSchema,
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
        ...{ step: "search", page: null, newest: run.known?.marks.edited ?? "" },
        ...{ listed: idSet(), task: null },
      };
      if (cursor === null) yield* begin(work);
      const isComplete = changedSince(work) === null || isOtherGrant(work);
      const point = (more: Partial<Omit<Position, "listed">> = {}) =>
        work.point({ ...at, listed: at.listed.toText(), ...more } as Json);
      if (at.step === "search") {
        for await (const event of search(work, at, isComplete))
          yield event.type === "checkpoint" ? point() : event;
        if (at.newest !== "") {
          run.next.marks.edited = at.newest;
          const isOld = isLongAgo(at.newest, run.session.clock.now());
          run.next.marks.settled = isOld ? "yes" : "no";
        }
        if (work.previous !== null) {
          await searchTrash(work);
          await queueSources(work);
          if (isComplete) await queueUnlisted(work, at.listed);
        }
        at.step = "work";
      }
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
  work.run.next.counts = { ...work.previous.counts() };
  for (const id of (work.run.known?.marks.retry ?? "").split(",").filter((each) => each !== "")) {
    work.seen.add(id);
    work.push({ kind: "page", id });
  }
}

const grantOf = ({ run }: Work) =>
  String(detailsSchema.safeParse(run.session.connectionDetails).data?.grantedAt ?? "");

const isOtherGrant = (work: Work) => work.run.known !== null && work.run.known.marks.grant !== grantOf(work);

/**
 * The search. A first backup reads the pages of each answer before it asks for the next one, so that no page is asked for
 * again, also when the work goes on in another slice: then only the last answer is read once more. Later backups search
 * first, because few pages changed.
 */
async function* search(work: Work, at: Position, isComplete: boolean): AsyncGenerator<BackupEvent, void> {
  const since = isComplete ? "" : (changedSince(work) ?? "");
  const isFirst = work.previous === null;
  if (!isFirst && at.task !== null) yield* workOffHere(work, at);
  if (isFirst) work.defer();
  for await (const { answer, next } of answersOf(work, at, isFirst)) {
    const progress = {
      phase: "Searching the workspace",
      done: work.waiting(),
      total: null,
      unit: "items",
    } as const;
    yield { type: "progress", progress };
    let isPast = false;
    for (const result of answer.results) {
      const edited = result.object === "partial" ? "" : result.last_edited_time;
      if (edited > at.newest) at.newest = edited;
      if (edited !== "" && edited < since) isPast = true;
      else await meet(work, result, at);
    }
    if (isFirst) yield* workOffHere(work, at);
    at.page = next;
    if (isPast || next === null) break;
    if (work.waiting() >= MOST_QUEUED) yield* workOffHere(work, at);
    if (work.isDue()) yield work.point(null);
  }
  work.undefer();
}

/**
 * The answers of the search from where it stands. How long Notion keeps a place in a search is not documented: one that it
 * no longer takes is left, and the search begins again. What was met before is not read twice.
 */
async function* answersOf(work: Work, at: Position, mayBeOld: boolean) {
  const call = {
    method: "POST",
    path: paths.search,
    body: { sort: { timestamp: "last_edited_time", direction: "descending" } },
    about: "what changed in this workspace",
  } as const;
  try {
    yield* readList(work.client, call, resultsSchema, at.page);
  } catch (error) {
    const isOld = error instanceof ConnectorError && error.kind === "unsupported";
    if (!isOld || !mayBeOld || at.page === null) throw error;
    at.page = null;
    yield* readList(work.client, call, resultsSchema);
  }
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
async function meet(work: Work, result: NotionResult, at: Position): Promise<void> {
  if (result.object === "data_source") {
    const id = result.parent.database_id;
    if (id === undefined) return;
    at.listed.add(id);
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
  at.listed.add(result.id);
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
async function queueUnlisted(work: Work, listed: IdSet): Promise<void> {
  const { previous } = work;
  if (previous === null) return;
  for await (const { path, kind } of previous.list(recordPaths.pages)) {
    const id = idOfHome(path.slice(0, path.lastIndexOf("/") + 1));
    if (kind === "page" && !listed.has(id)) work.push({ kind: "check", id });
  }
  for await (const { path, kind } of previous.list(recordPaths.databases)) {
    const id = idOfHome(path.slice(0, path.lastIndexOf("/") + 1));
    if (kind === "database" && !listed.has(id)) work.push({ kind: "check-database", id });
  }
}
