import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { nameBelow } from "#connectors/toolkit/records/drop-missing.ts";
import { isOutOfReach, mayGoWithout } from "#connectors/toolkit/records/run-stages.ts";
import { canonicalJson, type Json } from "#core/kernel/canonical-json.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { paths } from "../client.ts";
import { type NotionPage, type NotionResult, templatesSchema } from "../payloads.ts";
import { readList } from "../read-list.ts";
import { pageForm } from "../record-form.ts";
import { recordPaths } from "../record-paths.ts";
import { backUpPage } from "./back-up-page.ts";
import { isUnchanged } from "./changed-since.ts";
import { type IdSets, idSets, idSetsSchema, partOf } from "./id-set.ts";
import { dropHome } from "./old-page.ts";
import { progressOf } from "./progress.ts";
import { FIRST_ROWS, queryRows, rowsCursorSchema } from "./query-rows.ts";
import { readPage, withinReach } from "./read-thing.ts";
import { LOOK_DAYS } from "./shares.ts";
import { wholeValues } from "./whole-values.ts";
import type { Work } from "./workspace-run.ts";

/**
 * `all`: every row of a data source that the version lacks. `changed`: rows that were edited since the last backup.
 * `look`: every row is listed, those with other values are read, and those that are missing are removed.
 */
export type RowsMode = "all" | "changed" | "look";

const cursorSchema = z.strictObject({
  stage: z.enum(["templates", "rows", "missing"]),
  rows: rowsCursorSchema,
  /** Rows of the current page of the query that were read. */
  done: z.number(),
  /** Rows that the query listed: for a look all, otherwise those made at the time `edge`, which appear again. */
  listed: idSetsSchema,
  edge: z.string(),
  /** Rows made before this time were read before the query began again; "" = it did not. */
  known: z.string(),
  /** The row that is being read. */
  row: z.json(),
  /** The last row of the previous version that was looked for. */
  missing: z.string(),
});

/** The rows of a data source, with everything on them. Templates of pages come first. */
export async function* backUpRows(
  work: Work,
  order: { sourceId: string; mode: RowsMode; changedSince: string | null },
  resumed: Json,
): AsyncGenerator<BackupEvent, void> {
  const { sourceId, mode } = order;
  const at = readCursor(cursorSchema, resumed) ?? {
    ...{ stage: mode === "changed" ? ("rows" as const) : ("templates" as const), rows: FIRST_ROWS, done: 0 },
    ...{ listed: idSets(), edge: "", known: "", row: null, missing: "" },
  };
  const point = (more: Partial<Omit<typeof at, "listed">> = {}) =>
    work.point(structuredClone({ ...at, listed: at.listed.toText(), ...more }) as Json);
  try {
    if (at.stage === "templates") {
      for await (const event of backUpTemplates(work, sourceId)) {
        if (event.type !== "checkpoint") yield event;
        else if (work.isDue()) yield point();
      }
      at.stage = "rows";
      if (work.isDue()) yield point();
    }
    if (at.stage === "rows") {
      const changedSince = mode === "changed" ? order.changedSince : null;
      if (at.row !== null) {
        for await (const event of backUpPage(work, null, at.row))
          yield event.type === "checkpoint" ? point({ row: event.cursor }) : event;
        at.row = null;
        at.done += 1;
        work.finish();
      }
      for await (const step of queryRows(work.client, sourceId, { changedSince, from: at.rows })) {
        yield progressOf(work);
        if (step.again !== null) Object.assign(at, { rows: step.again, done: 0, known: at.edge });
        for (const [index, row] of step.rows.entries()) {
          if (index < at.done || (row.object !== "partial" && row.created_time < at.known)) continue;
          at.done = index;
          if (mode !== "look" && row.object !== "partial" && row.created_time !== at.edge)
            [at.listed, at.edge] = [idSets(), row.created_time];
          for await (const event of backUpResult(work, { sourceId, mode, row }, at)) {
            yield event.type === "checkpoint" ? point({ row: event.cursor }) : event;
          }
          at.done = index + 1;
          work.finish();
          if (work.isDue()) yield point();
        }
        if (step.lost !== null) yield lostRows(sourceId, step.lost);
        if (step.next === null) break;
        at.rows = step.next;
        at.done = 0;
        if (work.isDue()) yield point();
      }
      at.stage = "missing";
    }
    if (mode !== "look") return;
    for await (const event of dropMissingRows(work, sourceId, at)) {
      yield event;
      if (work.isDue()) yield point();
    }
  } catch (error) {
    if (!mayGoWithout(work.run, error)) throw error;
    if (isOutOfReach(error) && error.kind === "gone") return;
    yield { type: "skipped", path: recordPaths.rowsOf(sourceId), kind: "row", reason: error.message };
  }
}

/** The only set that a cursor of rows uses. */
const LISTED = 0;
/** Listed rows that a cursor can hold. */
const MOST_LISTED = 150_000;

/** In a version with more rows than a cursor can hold, a look notices missing ones among a part of them. */
function isTurn({ previous, run }: Work, rowId: string): boolean {
  const parts = Math.ceil((previous?.counts().row ?? 0) / MOST_LISTED);
  return parts < 2 || partOf(rowId, parts) === Math.floor(Number(run.notes.today) / LOOK_DAYS) % parts;
}

/** One result of a query: a row, or in a wiki a data source below it. */
async function* backUpResult(
  work: Work,
  { sourceId, mode, row }: { sourceId: string; mode: RowsMode; row: NotionResult },
  at: { listed: IdSets },
): AsyncGenerator<BackupEvent, void> {
  const isAgain = at.listed.set(LISTED).has(row.id);
  if (mode !== "look" || isTurn(work, row.id)) at.listed.set(LISTED).add(row.id);
  if (isAgain) return;
  if (row.object === "data_source") {
    if (row.parent.database_id !== undefined) await work.discover("database", row.parent.database_id);
    return;
  }
  if (row.object === "partial") {
    const path = recordPaths.rowHome(sourceId, row.id);
    yield { type: "skipped", path, kind: "row", reason: "Notion lists this row but does not show it." };
    return;
  }
  if (row.in_trash || work.seen.has(row.id)) return;
  const home = recordPaths.rowHome(sourceId, row.id);
  if (!(await isNew(work, { row, home, mode }))) return;
  if (work.previous !== null) work.seen.add(row.id);
  if (work.previous !== null) yield* dropOtherHome(work, row.id, home);
  yield* backUpPage(work, { page: row, kind: "row", home, markdown: null }, null);
}

/** A page that became a row leaves its old place. */
async function* dropOtherHome(work: Work, pageId: string, home: string): AsyncGenerator<BackupEvent, void> {
  const own = recordPaths.pageHome(pageId);
  if (own === home || (await work.previous?.find(recordPaths.page(own))) == null) return;
  yield* dropHome(work, own);
}

/** Whether a row must be read: the version has no equal one. */
async function isNew(
  work: Work,
  { row, home, mode }: { row: NotionPage; home: string; mode: RowsMode },
): Promise<boolean> {
  const path = recordPaths.page(home);
  const known = (await work.previous?.find(path)) ?? null;
  if (known === null) return true;
  if (mode === "changed") {
    const { last_edited_time: stored } = (await work.previous!.readRecord(path)) as { [key: string]: Json };
    return !isUnchanged(work, stored, row.last_edited_time);
  }
  const form = pageForm(await wholeValues(work.client, row), home);
  return (await sha256Hex(canonicalJson(form.value))) !== known.hash;
}

function lostRows(sourceId: string, minute: string): BackupEvent {
  const reason = `Notion gives at most 10,000 of the rows that were made at ${minute} and edited at one time.`;
  return { type: "skipped", path: recordPaths.rowsOf(sourceId), kind: "row", reason };
}

/**
 * Templates are pages that stand in a data source. They are compared with each look. A checkpoint only says that the ones before
 * it are read.
 */
async function* backUpTemplates(work: Work, sourceId: string): AsyncGenerator<BackupEvent, void> {
  const call = {
    method: "GET",
    path: paths.templates(sourceId),
    about: "the templates of this table",
  } as const;
  const there = new Set<string>();
  for await (const { answer } of readList(work.client, call, templatesSchema)) {
    for (const { id } of answer.templates) {
      const home = recordPaths.templateHome(sourceId, id);
      there.add(home);
      if (work.seen.has(id)) continue;
      work.seen.add(id);
      const page = await withinReach(readPage(work, id));
      if (page === null || page.in_trash) {
        there.delete(home);
        continue;
      }
      const path = recordPaths.page(home);
      const known = (await work.previous?.find(path)) ?? null;
      const hash = await sha256Hex(canonicalJson(pageForm(page, home).value));
      if (known?.hash !== hash)
        yield* withoutPoints(backUpPage(work, { page, kind: "template", home, markdown: null }, null));
      yield { type: "checkpoint", cursor: null };
    }
  }
  const prefix = recordPaths.templatesOf(sourceId);
  const gone = new Set<string>();
  for await (const { path } of work.previous?.list(prefix) ?? []) {
    const home = recordPaths.templateHome(sourceId, nameBelow(prefix, path));
    if (!there.has(home)) gone.add(home);
  }
  for (const home of gone) yield* dropHome(work, home);
}

/** A template is read in one go: it has few blocks. */
async function* withoutPoints(events: AsyncIterable<BackupEvent>): AsyncGenerator<BackupEvent, void> {
  for await (const event of events) if (event.type !== "checkpoint") yield event;
}

/** Removes rows that a look did not list, if Notion confirms that they are in the trash or no longer here. */
async function* dropMissingRows(
  work: Work,
  sourceId: string,
  at: { listed: IdSets; missing: string },
): AsyncGenerator<BackupEvent, void> {
  const prefix = recordPaths.rowsOf(sourceId);
  const after = at.missing === "" ? undefined : `${at.missing}\u{10FFFF}`;
  for await (const { path } of work.previous?.list(prefix, after) ?? []) {
    const id = nameBelow(prefix, path);
    const home = recordPaths.rowHome(sourceId, id);
    if (home === at.missing) continue;
    if (
      isTurn(work, id) &&
      !at.listed.set(LISTED).has(id) &&
      !work.dropped.has(id) &&
      !(await isStill(work, id, sourceId))
    ) {
      yield* dropHome(work, home);
      work.dropped.add(id);
    }
    at.missing = home;
  }
}

/** Only what is in the trash or not found leaves the version. */
async function isStill(work: Work, pageId: string, sourceId: string): Promise<boolean> {
  try {
    const page = await readPage(work, pageId);
    if (page.in_trash) return false;
    const isHere = page.parent.data_source_id === sourceId;
    if (!isHere && !work.seen.has(pageId)) {
      // It was moved elsewhere, and is read there.
      work.seen.add(pageId);
      work.push({ kind: "page", id: pageId });
    }
    return isHere;
  } catch (error) {
    if (isOutOfReach(error)) return error.kind !== "gone";
    throw error;
  }
}
