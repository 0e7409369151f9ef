import { z } from "zod";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import { openStage } from "#connectors/toolkit/records/restore-stage.ts";
import { paths } from "../client.ts";
import { byPlace } from "../listed-order.ts";
import { recordPaths } from "../record-paths.ts";
import { type JsonObject, textOf } from "./json-parts.ts";
import { isRefusal, listViews, post, remove, schemaOfNew } from "./notion-calls.ts";
import type { RestoreIo } from "./restore-io.ts";
import { propertyIds } from "./restore-schemas.ts";
import { viewForm } from "./view-form.ts";

const noteSchema = z.object({
  /** Views that Notion made with the database. */
  first: z.array(z.string()),
  /** Views of the version that were tried. */
  tried: z.number(),
  made: z.number(),
});
type Note = z.output<typeof noteSchema>;

/** Restores the views of the new databases. Those that Notion made by itself go when another is there. */
export async function* restoreViews(
  io: RestoreIo,
  databases: readonly string[],
): AsyncGenerator<RestoreEvent, void> {
  const stage = await openStage<number>(io.journal, "views");
  for (const [index, databaseId] of databases.entries()) {
    if (stage.isDone || index < (stage.at ?? 0)) continue;
    const made = await restoreOwn(io, databaseId);
    if (made > 0) stage.count("view", made);
    await io.losses.save();
    const progress = {
      phase: "Restoring views",
      done: index + 1,
      total: databases.length,
      unit: "items",
    } as const;
    yield { type: "progress", progress };
    if (await stage.step(index + 1)) yield { type: "checkpoint" };
  }
  if (!stage.isDone) await stage.finish();
  yield* stage.events();
}

/** The views of one database. Returns how many were made. */
async function restoreOwn(io: RestoreIo, databaseId: string): Promise<number> {
  const { client, journal, losses } = io;
  const made = await io.ids.find(databaseId);
  const views = await readViews(io, databaseId);
  if (made === null || views.length === 0) return 0;
  const key = `views:${databaseId}`;
  let note: Note | null = await readNote(journal, key, noteSchema);
  if (note === null) {
    note = { first: await listViews(client, made.id), tried: 0, made: 0 };
    await journal.record(key, { ...note });
  }
  const forms = new Map<string, Awaited<ReturnType<typeof namesOf>>>();
  for (const view of views.slice(note.tried)) {
    const sourceId = textOf(view.data_source_id) ?? "";
    const names = forms.get(sourceId) ?? (await namesOf(io, sourceId));
    forms.set(sourceId, names);
    const form = names === null ? null : viewForm(view, names);
    const body = form && { database_id: made.id, data_source_id: names?.sourceId ?? "", ...form };
    const before = note.first.length + note.made;
    if (body !== null && (await makeView(io, body, before))) note.made += 1;
    else losses.tell("viewRefused");
    note.tried += 1;
    await losses.save();
    await journal.record(key, { ...note });
  }
  if (note.made > 0)
    for (const id of note.first) await remove(client, paths.view(id), "a view that Notion made");
  return note.made;
}

/** Makes a view behind those that the database has. Returns whether Notion took it. */
async function makeView({ client, maker }: RestoreIo, body: JsonObject, before: number): Promise<boolean> {
  const databaseId = textOf(body.database_id) ?? "";
  try {
    await maker.make<{ id: string }>({
      look: async () => {
        const id = (await listViews(client, databaseId))[before];
        return id === undefined ? null : { id };
      },
      create: () => post(client, paths.views, body, `the view ${textOf(body.name) ?? ""}`),
    });
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return false;
  }
}

/** The views of a database, in the order of their tabs. */
async function readViews({ snapshot }: RestoreIo, databaseId: string): Promise<JsonObject[]> {
  const views: JsonObject[] = [];
  for await (const { path } of snapshot.list(recordPaths.viewsOf(databaseId))) {
    views.push((await snapshot.readRecord(path)) as JsonObject);
  }
  return views.sort(byPlace);
}

/** How the things that views name are called now; null = the data source was not restored. */
async function namesOf(io: RestoreIo, sourceId: string) {
  const made = sourceId === "" ? null : await io.ids.find(sourceId);
  if (made === null) return null;
  const ids = propertyIds(await io.source(sourceId), await schemaOfNew(io.client, made.id));
  return {
    sourceId: made.id,
    propertyId: (id: string) => ids.get(id) ?? null,
    pageId: (id: string) => io.ids.known(id),
  };
}
