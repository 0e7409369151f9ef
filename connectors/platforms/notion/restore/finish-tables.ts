import { z } from "zod";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { openStage } from "#connectors/toolkit/records/restore-stage.ts";
import { paths } from "../client.ts";
import { readList } from "../read-list.ts";
import { recordPaths } from "../record-paths.ts";
import type { JsonObject } from "./json-parts.ts";
import { isRefusal, patch } from "./notion-calls.ts";
import type { RestoreIo } from "./restore-io.ts";
import type { ToDoList } from "./to-do.ts";
import { foldersOf, sourcesOf } from "./walk-version.ts";

/** Rows that a query gives at most (developers.notion.com, "Query a data source"). */
const MOST_ROWS = 10_000;

/** Locks what was locked, as the last of all changes. */
export async function lockPages(io: RestoreIo, toDo: ToDoList): Promise<void> {
  for (const id of toDo.list.databases) {
    const { is_locked: isLocked } = (await io.snapshot.readRecord(recordPaths.database(id))) as JsonObject;
    if (isLocked === true) await lock(io, "database", id);
  }
  for (const { type, id } of toDo.list.locked) await lock(io, type, id);
}

async function lock({ client, ids }: RestoreIo, type: "page" | "database", oldId: string): Promise<void> {
  const made = await ids.find(oldId);
  if (made === null) return;
  const path = type === "page" ? paths.page(made.id) : paths.database(made.id);
  try {
    await patch(client, path, { is_locked: true }, "a locked page");
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}

const rowsSchema = z.looseObject({
  results: z.array(z.looseObject({ id: z.string() })),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
});

/** Counts the rows of the new tables and compares them with those of the version. */
export async function* compareRows(io: RestoreIo, toDo: ToDoList): AsyncGenerator<RestoreEvent, void> {
  const stage = await openStage<{ done: number; same: number; all: number }>(io.journal, "rows");
  let { done, same, all } = stage.at ?? { done: 0, same: 0, all: 0 };
  for (const databaseId of stage.isDone ? [] : toDo.list.databases.slice(done)) {
    for (const sourceId of await sourcesOf(io.snapshot, databaseId)) {
      const made = await io.ids.find(sourceId);
      let held = 0;
      for await (const _ of foldersOf(io.snapshot, recordPaths.rowsOf(sourceId))) held += 1;
      if (made === null || held === 0 || held > MOST_ROWS) continue;
      all += held;
      same += Math.min(held, await countRows(io, made.id));
    }
    done += 1;
    if (await stage.step({ done, same, all })) yield { type: "checkpoint" };
  }
  if (!stage.isDone) await stage.finish();
  if (all > 0) yield { type: "compared", what: "rows", same, all };
}

async function countRows({ client }: RestoreIo, sourceId: string): Promise<number> {
  const call = { method: "POST", path: paths.query(sourceId), body: {}, about: "the restored rows" } as const;
  let count = 0;
  for await (const { answer } of readList(client, call, rowsSchema)) count += answer.results.length;
  return count;
}
