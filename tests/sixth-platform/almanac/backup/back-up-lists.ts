import type { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { BackupStage, StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { almanacClient, listPages, paths, siteOf } from "../client.ts";
import { commentSchema, type FileFacts, pageSchema, registerSchema, rowSchema } from "../payloads.ts";
import { folderOf, recordPaths } from "../record-paths.ts";
import { backUpFiles } from "./back-up-files.ts";
import { cursorSchema } from "./list-cursor.ts";

/** A member of a list as a record. */
type Recorded = { path: string; title?: string; parent?: string; files?: readonly FileFacts[] };

/** One list of a book: every member becomes a record, followed by its files. */
function listPart<S extends z.ZodType<Json>>(list: {
  what: "pages" | "registers" | "rows" | "comments";
  kind: string;
  member: S;
  recordOf: (member: z.output<S>) => Recorded;
}): BackupStage {
  const { what, kind, member, recordOf } = list;
  return {
    id: what,
    async *run(run, cursor) {
      const from = readCursor(cursorSchema, cursor) ?? { next: null, done: 0 };
      let { done } = from;
      const call = {
        path: paths.below(siteOf(run.session), run.order.item.externalId, what),
        about: `the ${what} of this book`,
      };
      const pages = listPages(almanacClient(run.session), call, member, from.next);
      for await (const { items, next } of pages) {
        for (const value of items) yield* recorded(run, { kind, value, ...recordOf(value) });
        done += items.length;
        yield { type: "progress", progress: { phase: `Reading ${what}`, done, total: null, unit: "items" } };
        if (next !== null) yield { type: "checkpoint", cursor: { next, done } };
      }
    },
  };
}

async function* recorded(
  run: StagesRun,
  { files = [], path, kind, title, parent, value }: Recorded & { kind: string; value: Json },
): AsyncGenerator<BackupEvent, void> {
  yield { type: "record", path, kind, title, parent, value };
  yield* backUpFiles(run, { folder: folderOf(path), parent: path, files });
}

/** The lists of a book, in the order in which they are read. */
export const listStages: readonly BackupStage[] = [
  listPart({
    what: "pages",
    kind: "page",
    member: pageSchema,
    recordOf: ({ id, title, parentId, files }) => ({
      path: recordPaths.page(id),
      title,
      ...(parentId === null ? {} : { parent: recordPaths.page(parentId) }),
      files,
    }),
  }),
  listPart({
    what: "registers",
    kind: "register",
    member: registerSchema,
    recordOf: ({ id, title, parentId }) => ({
      path: recordPaths.register(id),
      title,
      ...(parentId === null ? {} : { parent: recordPaths.page(parentId) }),
    }),
  }),
  listPart({
    what: "rows",
    kind: "row",
    member: rowSchema,
    recordOf: ({ id, registerId, title, files }) => ({
      path: recordPaths.row(registerId, id),
      title,
      parent: recordPaths.register(registerId),
      files,
    }),
  }),
  listPart({
    what: "comments",
    kind: "comment",
    member: commentSchema,
    recordOf: ({ id, on: { pageId, registerId, rowId } }) => {
      const parent =
        pageId === null ? recordPaths.row(registerId ?? "", rowId ?? "") : recordPaths.page(pageId);
      return { path: `${folderOf(parent)}comments/${id}.json`, parent };
    },
  }),
];
