import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type {
  RestoredItem,
  RestoreEvent,
  RestoreJournal,
  RestoreOrder,
  Session,
} from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { placeOf } from "./answers.ts";
import { fillPages } from "./fill-pages.ts";
import { compareRows, lockPages } from "./finish-tables.ts";
import { findStrays, makeSkeleton } from "./make-skeleton.ts";
import type { Place } from "./node-draft.ts";
import { openRestore } from "./open-restore.ts";
import { type Part, readPart, readRoots } from "./part-of-workspace.ts";
import { knownLines } from "./report-lines.ts";
import { restoreCopies } from "./restore-copies.ts";
import type { RestoreIo } from "./restore-io.ts";
import { restoreSchemas } from "./restore-schemas.ts";
import { makeTopPage, makeTopPart, nameOfPart, restoredItem } from "./restore-top.ts";
import { restoreViews } from "./restore-views.ts";
import { openToDo, type ToDoList } from "./to-do.ts";
import { type Root, sourcesOf } from "./walk-version.ts";

/**
 * Restores a version below a new page of the workspace, or one page, row or database of it as a new one or below a page
 * that exists. Nothing that exists is changed. Every creation is journaled before the next, so an attempt goes on where
 * the last one stopped.
 */
export async function* restore(
  session: Session,
  snapshot: SnapshotView,
  order: RestoreOrder,
  journal: RestoreJournal,
): AsyncGenerator<RestoreEvent, RestoredItem> {
  const part = await readPart(snapshot, order);
  const place = part === null ? null : placeFor(order, part);
  const { io, mark } = await openRestore(session, snapshot, journal);
  const toDo = await openToDo(journal);
  yield { type: "checkpoint" };
  return part === null || place === null
    ? yield* restoreWhole(io, order, { mark, toDo })
    : yield* restorePart(io, order, { part, place, mark, toDo });
}

type Begun = { mark: string; toDo: ToDoList };

async function* restoreWhole(
  io: RestoreIo,
  { target }: RestoreOrder,
  { mark, toDo }: Begun,
): AsyncGenerator<RestoreEvent, RestoredItem> {
  const name = target.kind === "new" ? target.name : "Restored workspace";
  const topId = await makeTopPage(io, { name, mark });
  yield { type: "restored", kind: "top-page", count: 1 };
  const roots = await readRoots(io.snapshot);
  yield* makeSkeleton(io, { roots, topId, name: "skeleton", toDo });
  const strays = await findStrays(io);
  if (strays.length > 0) yield* makeSkeleton(io, { roots: strays, topId, name: "strays", toDo });
  yield* finish(io, { topId, roots: [...roots, ...strays], outsideId: null, toDo, isWhole: true });
  return restoredItem(io, topId, name);
}

async function* restorePart(
  io: RestoreIo,
  { target }: RestoreOrder,
  { part, place, mark, toDo }: Begun & { part: Part; place: Place },
): AsyncGenerator<RestoreEvent, RestoredItem> {
  const own = await nameOfPart(io, part.node);
  const name = target.kind === "new" ? target.name : own;
  const topId = await makeTopPart(io, {
    node: part.node,
    place,
    name: target.kind === "new" ? name : null,
    mark,
  });
  yield* makeSkeleton(io, { roots: [part], topId: null, name: "skeleton", toDo });
  const isOutside = part.type === "row" && place.type !== "data_source_id";
  const pageId = part.type === "database" ? null : topId;
  yield* finish(io, {
    topId: pageId,
    ...{ roots: [part], outsideId: isOutside ? part.id : null, toDo, isWhole: false },
  });
  return restoredItem(io, topId, name);
}

async function* finish(
  io: RestoreIo,
  order: {
    topId: string | null;
    roots: readonly Root[];
    outsideId: string | null;
    toDo: ToDoList;
    isWhole: boolean;
  },
): AsyncGenerator<RestoreEvent, void> {
  const { topId, roots, outsideId, toDo, isWhole } = order;
  const sources = [];
  for (const databaseId of toDo.list.databases) {
    for (const sourceId of await sourcesOf(io.snapshot, databaseId)) sources.push(await io.source(sourceId));
  }
  yield* restoreSchemas(io, sources);
  yield* fillPages(io, { topId, roots, outsideId, toDo });
  yield* restoreCopies(io, toDo.list.copies);
  yield* restoreViews(io, toDo.list.databases);
  await lockPages(io, toDo);
  yield* compareRows(io, toDo);
  await io.losses.save();
  yield* io.losses.events();
  const { comment = 0, template = 0 } = io.snapshot.counts();
  yield* knownLines({ hasComments: comment > 0, templates: template, isWhole });
}

/** Where a part goes. @throws ConnectorError `unsupported` when the order does not say it */
function placeFor(order: RestoreOrder, part: Part): Place {
  if (order.target.kind === "new") return { type: "workspace", workspace: true };
  const place = placeOf(order, part.type === "row");
  if (place.kind === "page") return { type: "page_id", page_id: place.pageId };
  if (place.kind === "table") return { type: "data_source_id", data_source_id: part.sourceId ?? "" };
  throw new ConnectorError("unsupported", "Choose the page below which it is restored.");
}
