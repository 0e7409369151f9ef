import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { isOutOfReach, mayGoWithout } from "#connectors/toolkit/records/run-stages.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import type { NotionPage } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import { backUpDatabase } from "./back-up-database.ts";
import { backUpPage } from "./back-up-page.ts";
import { backUpRows } from "./back-up-rows.ts";
import { changedSince } from "./changed-since.ts";
import { checkDatabase, checkPage } from "./check-deleted.ts";
import { dropHome, findOldHome } from "./old-page.ts";
import { progressOf } from "./progress.ts";
import { readPage } from "./read-thing.ts";
import { noteRoot } from "./roots.ts";
import { TASK_KINDS, type Task, type TaskKind, type Work } from "./workspace-run.ts";

const kinds = Object.keys(TASK_KINDS) as [TaskKind, ...TaskKind[]];
const cursorSchema = z.strictObject({ kind: z.enum(kinds), id: z.string(), inner: z.json() }).nullable();

/**
 * Works off the queue: pages, databases, rows and checks, and what they find. A checkpoint names the task that is under way;
 * null = none.
 */
export async function* workOff(work: Work, resumed: Json): AsyncGenerator<BackupEvent, void> {
  const cursor = readCursor(cursorSchema, resumed);
  let task: Task | null = cursor ?? work.next();
  let inner: Json = cursor?.inner ?? null;
  while (task !== null) {
    yield progressOf(work);
    const { kind, id } = task;
    for await (const event of perform(work, task, inner)) {
      yield event.type === "checkpoint" ? work.point({ kind, id, inner: event.cursor }) : event;
    }
    inner = null;
    if (work.isDue()) yield work.point(null);
    task = work.next();
  }
}

async function* perform(work: Work, { kind, id }: Task, inner: Json): AsyncGenerator<BackupEvent, void> {
  switch (kind) {
    case "page":
      return yield* performPage(work, id, inner);
    case "database":
      return yield* backUpDatabase(work, id);
    case "source":
      return yield* backUpRows(work, { sourceId: id, mode: "all", changedSince: null }, inner);
    case "rows":
      return yield* backUpRows(
        work,
        { sourceId: id, mode: "changed", changedSince: changedSince(work) },
        inner,
      );
    case "check":
      return yield* checkPage(work, id, false);
    case "recheck":
      return yield* checkPage(work, id, true);
    case "check-database":
      return yield* checkDatabase(work, id);
    default:
      return kind satisfies never;
  }
}

/** A page that is no row. One that was a row before leaves its table. */
async function* performPage(work: Work, id: string, inner: Json): AsyncGenerator<BackupEvent, void> {
  if (inner !== null) return yield* backUpPage(work, null, inner);
  const known = work.pages.get(id);
  work.pages.delete(id);
  const home = recordPaths.pageHome(id);
  try {
    const page = known ?? (await readPage(work, id));
    if (page.in_trash) return work.push({ kind: "check", id });
    if (page.parent.type === "data_source_id") return yield* performRow(work, page);
    await noteRoot(work, { ...page, type: "page" });
    const old = await findOldHome(work.previous, id);
    if (old !== null && old !== home) yield* dropHome(work, old);
    yield* backUpPage(work, { page, kind: "page", home, markdown: null }, null);
  } catch (error) {
    if (!mayGoWithout(work.run, error)) throw error;
    if (isOutOfReach(error) && error.kind === "gone") return work.push({ kind: "check", id });
    yield { type: "skipped", path: home, kind: "page", reason: error.message };
    work.retry.add(id);
    if ((await work.previous?.find(recordPaths.page(home))) == null) work.count("page", 1);
  }
}

/** A row or template that is read by itself, e.g. because a part of it could not be read before. */
async function* performRow(work: Work, page: NotionPage): AsyncGenerator<BackupEvent, void> {
  const sourceId = page.parent.data_source_id;
  // A data source that is new gives its rows itself.
  if (sourceId === undefined || (await work.previous?.find(recordPaths.source(sourceId))) == null) return;
  const template = recordPaths.templateHome(sourceId, page.id);
  const isTemplate = (await work.previous?.find(recordPaths.page(template))) != null;
  const home = isTemplate ? template : recordPaths.rowHome(sourceId, page.id);
  const old = await findOldHome(work.previous, page.id);
  if (old !== null && old !== home) yield* dropHome(work, old);
  work.seen.add(page.id);
  yield* backUpPage(work, { page, kind: isTemplate ? "template" : "row", home, markdown: null }, null);
}
