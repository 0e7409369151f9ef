import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { isOutOfReach, mayGoWithout } from "#connectors/toolkit/records/run-stages.ts";
import { paths } from "../client.ts";
import { type NotionDatabase, viewReferencesSchema, viewSchema } from "../payloads.ts";
import { readAll } from "../read-list.ts";
import { recordForm, tableForm, withoutPaths } from "../record-form.ts";
import { recordPaths } from "../record-paths.ts";
import { backUpFiles } from "./back-up-files.ts";
import { entryAbove } from "./entry-above.ts";
import { dropHome, idOfHome, readOldPage, storedFiles } from "./old-page.ts";
import { readDatabase, readSource, withinReach } from "./read-thing.ts";
import { noteRoot } from "./roots.ts";
import { plainText } from "./titles.ts";
import type { Work } from "./workspace-run.ts";

const databaseRecord = z.looseObject({ data_sources: z.array(z.looseObject({ id: z.string() })) });

/**
 * A database: its own record, its views and its data sources. Rows of data sources that the version lacks are queued. A
 * database that Notion does not give is a view of one elsewhere, which its block already says.
 */
export async function* backUpDatabase(work: Work, databaseId: string): AsyncGenerator<BackupEvent, void> {
  const known = (await work.previous?.find(recordPaths.database(databaseId))) ?? null;
  const database = await withinReach(readDatabase(work, databaseId));
  if (database === null || database.in_trash) {
    if (known !== null) work.push({ kind: "check-database", id: databaseId });
    return;
  }
  await noteRoot(work, { type: "database", ...database, created_time: String(database.created_time ?? "") });
  const title = plainText(database.title) || "Untitled";
  const path = recordPaths.database(databaseId);
  const home = recordPaths.databaseHome(databaseId);
  const before = known === null ? [] : await sourcesOf(work, databaseId);
  yield* tableRecord(
    work,
    { table: database, home, path, kind: "database", title },
    await entryAbove(work, database),
  );
  yield* backUpViews(work, database);
  for (const { id } of database.data_sources) yield* backUpSource(work, id);
  const now = new Set(database.data_sources.map(({ id }) => id));
  for (const id of before) if (!now.has(id) && (await isGone(work, id))) yield* dropSource(work, id);
}

/** A data source's own record. Its rows are queued when the version lacks them. */
async function* backUpSource(work: Work, sourceId: string): AsyncGenerator<BackupEvent, void> {
  const path = recordPaths.source(sourceId);
  const isKnown = (await work.previous?.find(path)) != null;
  try {
    const source = work.sources.get(sourceId) ?? (await readSource(work, sourceId));
    const title = plainText(source.title) || "Untitled";
    const home = recordPaths.sourceHome(sourceId);
    const parent = { parent: recordPaths.database(source.parent.database_id ?? "") };
    const own = { table: source, home, path, kind: "data-source", title } as const;
    yield* tableRecord(work, own, parent);
  } catch (error) {
    if (!mayGoWithout(work.run, error)) throw error;
    yield { type: "skipped", path, kind: "data-source", reason: error.message };
    if (isKnown) return;
    work.count("data-source", 1);
  }
  if (isKnown || work.seen.has(sourceId)) return;
  work.seen.add(sourceId);
  work.push({ kind: "source", id: sourceId });
}

type TableOrder = {
  table: { object: "database" | "data_source"; id: string };
  home: string;
  path: string;
  kind: "database" | "data-source";
  title: string;
};

/** The record of a database or data source, with the files of its icon and cover. */
async function* tableRecord(
  work: Work,
  { table, home, path, kind, title }: TableOrder,
  parent: { parent?: string },
): AsyncGenerator<BackupEvent, void> {
  const known = (await work.previous?.find(path)) ?? null;
  const old = new Map(known === null ? [] : storedFiles(await work.previous!.readRecord(path)));
  for (const file of old.keys()) {
    yield { type: "drop", path: file };
    work.count("file", -1);
  }
  const { value, files } = tableForm(table, home);
  const refresh = async () => {
    const again =
      table.object === "database" ? await readDatabase(work, table.id) : await readSource(work, table.id);
    return tableForm(again, home).files;
  };
  const lost = yield* backUpFiles(work, { files, old, parent: path, refresh });
  yield { type: "record", path, kind, title, ...parent, value: withoutPaths(value, lost) };
  if (known === null) work.count(kind, 1);
}

/** The views of a database; Notion lists their ids only. */
async function* backUpViews(work: Work, { id }: NotionDatabase): AsyncGenerator<BackupEvent, void> {
  const prefix = recordPaths.viewsOf(id);
  const call = {
    method: "GET",
    path: paths.views,
    query: { database_id: id },
    about: "the views of this database",
  } as const;
  try {
    const references = await readAll(work.client, call, viewReferencesSchema);
    const seen = new Set<string>();
    for (const [position, reference] of references.entries()) {
      const one = {
        method: "GET",
        path: paths.view(reference.id),
        about: "a view of this database",
      } as const;
      const view = await work.client.request(one, viewSchema);
      const path = recordPaths.view(id, view.id);
      seen.add(path);
      const parent = recordPaths.database(id);
      yield {
        type: "record",
        path,
        kind: "view",
        title: view.name || "View",
        parent,
        value: { ...(recordForm(view) as object), position },
      };
      if ((await work.previous?.find(path)) == null) work.count("view", 1);
    }
    for await (const { path } of work.previous?.list(prefix) ?? []) {
      if (seen.has(path)) continue;
      yield { type: "drop", path };
      work.count("view", -1);
    }
  } catch (error) {
    if (!mayGoWithout(work.run, error)) throw error;
    yield { type: "skipped", path: prefix, kind: "view", reason: error.message };
  }
}

/** Removes a database from the version: its views, and its data sources with their rows. */
export async function* dropDatabase(work: Work, databaseId: string): AsyncGenerator<BackupEvent, void> {
  for (const id of await sourcesOf(work, databaseId)) yield* dropSource(work, id);
  yield* dropHome(work, recordPaths.databaseHome(databaseId));
  work.dropped.add(databaseId);
  work.roots.delete(databaseId);
}

/** Pages below its rows go along only when a check of each confirms it: one may have been moved away. */
async function* dropSource(work: Work, sourceId: string): AsyncGenerator<BackupEvent, void> {
  for await (const { path, kind } of work.previous?.list(recordPaths.sourceHome(sourceId)) ?? []) {
    if (kind !== "row" && kind !== "template") continue;
    const home = path.slice(0, path.lastIndexOf("/") + 1);
    const rowId = idOfHome(home);
    if (!work.seen.has(rowId)) work.trashed.add(rowId);
    const { children } = await readOldPage(work.previous, home, recordPaths.blocksOf(home));
    for (const { kind: type, id } of children)
      work.push({ kind: type === "page" ? "check" : "check-database", id });
  }
  yield* dropHome(work, recordPaths.sourceHome(sourceId));
  work.dropped.add(sourceId);
}

/** Whether a data source was deleted, and not moved to another database. */
async function isGone(work: Work, sourceId: string): Promise<boolean> {
  try {
    return (await readSource(work, sourceId)).in_trash;
  } catch (error) {
    if (isOutOfReach(error)) return error.kind === "gone";
    throw error;
  }
}

async function sourcesOf({ previous }: Work, databaseId: string): Promise<string[]> {
  const path = recordPaths.database(databaseId);
  if (previous === null || (await previous.find(path)) === null) return [];
  const record = databaseRecord.safeParse(await previous.readRecord(path)).data;
  return record?.data_sources.map(({ id }) => id) ?? [];
}
