import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import { openStage } from "#connectors/toolkit/records/restore-stage.ts";
import { webPage } from "../client.ts";
import { recordPaths } from "../record-paths.ts";
import type { Made } from "./id-map.ts";
import type { JsonObject } from "./json-parts.ts";
import { makeNode } from "./make-node.ts";
import type { Place } from "./node-draft.ts";
import { isPageThere, isRefusal, reasonOf } from "./notion-calls.ts";
import type { RestoreIo } from "./restore-io.ts";
import { nameOfPart } from "./restore-top.ts";
import type { ToDoList } from "./to-do.ts";
import { foldersOf, MOST_SORTED_ROWS, type Node, type Root, sourcesOf, walkVersion } from "./walk-version.ts";

export type SkeletonOrder = {
  roots: readonly Root[];
  /** The page below which the roots stand; null = the only root is made already. */
  topId: string | null;
  /** Name of the stage in the journal. */
  name: string;
  toDo: ToDoList;
};

/** Makes every page, row and database without its content, from the top down. */
export async function* makeSkeleton(io: RestoreIo, order: SkeletonOrder): AsyncGenerator<RestoreEvent, void> {
  const { roots, name } = order;
  const stage = await openStage<string[]>(io.journal, name);
  let done = 0;
  const nodes = stage.isDone ? [] : walkVersion(io.snapshot, roots, stage.at);
  for await (const node of nodes) {
    const made = await makeOrRefuse(io, order, node, (reason, title) =>
      stage.tell({ type: "missing", what: `The ${node.kind} ${title}`, reason }),
    );
    // A page that was moved during the backup may appear in two places; it is made once.
    if (made !== null && made.under === (node.parentId ?? "")) {
      stage.count(node.kind, 1);
      if (made.files > 0) stage.count("file", made.files);
      const url = webPage(io.session.config, made.id);
      stage.tell({ type: "mapped", kind: node.kind, from: node.id, to: made.id, url });
      if (node.kind === "database") {
        const sources = await sourcesOf(io.snapshot, node.id);
        if (sources.length > 0) stage.count("data-source", sources.length);
        await order.toDo.add("databases", node.id);
        for (const sourceId of sources) await tellRowOrder(io, sourceId);
      }
    }
    await io.losses.save();
    done += 1;
    yield {
      type: "progress",
      progress: { phase: "Making pages and tables", done, total: null, unit: "items" },
    };
    if (await stage.step([...node.path])) yield { type: "checkpoint" };
  }
  if (!stage.isDone) await stage.finish();
  yield* stage.events();
}

async function makeOrRefuse(
  io: RestoreIo,
  { topId }: SkeletonOrder,
  node: Node,
  refused: (reason: string, title: string) => void,
): Promise<Made | null> {
  const known = await io.ids.find(node.id);
  if (known !== null && node.kind !== "database") return known;
  const isTop = node.path.length === 1;
  const above = isTop || node.parentId === null ? topId : ((await io.ids.find(node.parentId))?.id ?? null);
  if (above === null && known === null) {
    refused("What it stands in was not restored.", await nameOfPart(io, node));
    return null;
  }
  const place: Place =
    node.kind === "row" && !isTop
      ? { type: "data_source_id", data_source_id: above ?? "" }
      : { type: "page_id", page_id: above ?? "" };
  try {
    return await makeNode(io, { node, place, mark: null });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await requireTop(io, topId);
    refused(reasonOf(error), await nameOfPart(io, node));
    return null;
  }
}

/** Stops a restore whose page was deleted meanwhile. @throws ConnectorError `gone` */
export async function requireTop({ client }: RestoreIo, topId: string | null): Promise<void> {
  if (topId === null || (await isPageThere(client, topId))) return;
  throw new ConnectorError("gone", "The new page was deleted at Notion while it was being filled.");
}

const straysSchema = z.array(z.object({ type: z.enum(["page", "database"]), id: z.string() }));
const STRAYS = "strays";

/**
 * Pages and databases that no block of a page leads to, because the version lacks the blocks. Those below another of them
 * are found with it.
 */
export async function findStrays(io: RestoreIo): Promise<Root[]> {
  const known = await readNote(io.journal, STRAYS, straysSchema);
  if (known !== null) return known;
  const strays: z.output<typeof straysSchema> = [];
  for (const type of ["page", "database"] as const) {
    const prefix = type === "page" ? recordPaths.pages : recordPaths.databases;
    for await (const id of foldersOf(io.snapshot, prefix)) {
      const path = type === "page" ? recordPaths.page(recordPaths.pageHome(id)) : recordPaths.database(id);
      if ((await io.ids.find(id)) !== null || (await io.snapshot.find(path)) === null) continue;
      const { parent } = (await io.snapshot.readRecord(path)) as { parent?: JsonObject };
      const above = typeof parent?.page_id === "string" ? parent.page_id : null;
      if (above !== null && (await isUnmade(io, above))) continue;
      strays.push({ type, id });
    }
  }
  if (strays.length > 0) io.losses.tell("stray");
  await io.losses.save();
  await io.journal.record(STRAYS, strays);
  return strays;
}

async function isUnmade({ snapshot, ids }: RestoreIo, pageId: string): Promise<boolean> {
  const isHeld = (await snapshot.find(recordPaths.page(recordPaths.pageHome(pageId)))) !== null;
  return isHeld && (await ids.find(pageId)) === null;
}

/** Tells when a table has too many rows for their order to be kept. */
async function tellRowOrder({ snapshot, losses }: RestoreIo, sourceId: string): Promise<void> {
  let count = 0;
  for await (const _ of foldersOf(snapshot, recordPaths.rowsOf(sourceId))) {
    count += 1;
    if (count > MOST_SORTED_ROWS) {
      losses.tell("rowOrder");
      return;
    }
  }
}
