import { z } from "zod";
import { paths } from "../client.ts";
import type { StoredSource } from "../records.ts";
import { openAttacher } from "./attach-uploads.ts";
import type { Made } from "./id-map.ts";
import { type JsonObject, objectOf, objectsOf, textOf } from "./json-parts.ts";
import {
  databaseDraft,
  type NodeDraft,
  type NodeOrder,
  type Place,
  pageDraft,
  picturesOf,
  titleFor,
} from "./node-draft.ts";
import { isRefusal, listChildren, patch, post, sourcesOfNew } from "./notion-calls.ts";
import type { RestoreIo } from "./restore-io.ts";
import { firstSchema, unknownProperties } from "./schemas.ts";
import { type Node, readContents, readSource, sourcesOf } from "./walk-version.ts";

/** Rows that may have been made in one minute, the finest time that Notion tells: three in a second. */
const RECENT_ROWS = 200;
/** Looks for a page at the top of the workspace, because search knows a new page only after a while. */
const SEARCHES = 4;
const FIRST_WAIT_MS = 1_000;

/**
 * Makes a page, row or database without its content, and the data sources of a database. What an earlier attempt made is
 * found in the journal, or at Notion if its answer was lost.
 *
 * @throws ConnectorError when Notion refuses
 */
export async function makeNode(io: RestoreIo, order: NodeOrder): Promise<Made> {
  const { node, place } = order;
  const known = await io.ids.find(node.id);
  if (known !== null) {
    if (node.kind === "database") await makeSources(io, node, known.id);
    return known;
  }
  const hasHolder = node.kind !== "database" && (await needsHolder(io, node, place));
  const draft = await (node.kind === "database" ? databaseDraft(io, order) : pageDraft(io, order, hasHolder));
  const { id } = await io.maker.make<{ id: string }>({
    look: () => findMade(io, order),
    create: () => create(io, draft, `the ${node.kind} ${node.id}`),
  });
  await io.losses.save();
  await io.journal.record(nodeKey(id), node.id);
  const files = draft.uploads.length;
  const made = await io.ids.record(node.id, { id, files, hasHolder, under: node.parentId ?? "" });
  if (node.kind === "database") await makeSources(io, node, id);
  return made;
}

/** Blocks before the first page below need a block to stand behind. */
async function needsHolder({ snapshot }: RestoreIo, node: Node, place: Place): Promise<boolean> {
  const { children, hasLead } = await readContents(snapshot, node.home);
  const isOutside = node.kind === "row" && place.type !== "data_source_id";
  return children.length > 0 && (hasLead || isOutside);
}

/** A row with a value that Notion refuses is made with its title; the other values follow one by one. */
async function create(
  { client, losses, uploader }: RestoreIo,
  draft: NodeDraft,
  about: string,
): Promise<{ id: string }> {
  const attach = openAttacher(uploader, draft.uploads);
  try {
    return await attach(draft.body, (body) => post(client, draft.path, body, about));
  } catch (error) {
    const { icon, cover, ...least } = draft.body;
    const { [draft.titleName]: title, ...values } = draft.values;
    const isRich = Object.keys(values).length > 0 || icon !== undefined || cover !== undefined;
    if (!isRefusal(error) || error.kind !== "unsupported" || !isRich) throw error;
    if (title !== undefined) least.properties = { [draft.titleName]: title };
    const made = await post(client, draft.path, least, about);
    const changes: JsonObject[] = Object.entries(values).map(([name, value]) => ({
      properties: { [name]: value },
    }));
    if (icon !== undefined) changes.push({ icon });
    if (cover !== undefined) changes.push({ cover });
    const path = draft.path === paths.databases ? paths.database(made.id) : paths.page(made.id);
    for (const change of changes) {
      try {
        await attach(change, (body) => patch(client, path, body, about));
      } catch (refusal) {
        if (!isRefusal(refusal)) throw refusal;
        losses.tell("valueRefused");
      }
    }
    return made;
  }
}

/** Finds what a request made whose answer was lost; null = it was not carried out. */
async function findMade(io: RestoreIo, { node, place, mark }: NodeOrder): Promise<{ id: string } | null> {
  if (mark !== null) return await findMarked(io, place, mark);
  if (place.type === "data_source_id") return await findRow(io, place.data_source_id, { nodeId: node.id });
  if (place.type === "workspace") return null;
  const type = node.kind === "database" ? "child_database" : "child_page";
  const below = (await listChildren(io.client, place.page_id)).filter(({ type: each }) =>
    ["child_page", "child_database"].includes(each),
  );
  // New pages and databases stand at the end, and nobody else makes any here.
  const last = below.at(-1);
  return last?.type === type && (await mayBeOf(io, last.id, node.id)) ? last : null;
}

/** Finds what a restore made first, by the title that it has until it gets its own. */
export async function findMarked(io: RestoreIo, place: Place, mark: string): Promise<{ id: string } | null> {
  if (place.type === "data_source_id") return await findRow(io, place.data_source_id, { mark });
  if (place.type === "workspace") return await findAtTop(io, mark);
  return (await listChildren(io.client, place.page_id)).find(({ title }) => title === mark) ?? null;
}

/** The journal key of what something new was made for. */
const nodeKey = (newId: string) => `node:${newId}`;

/** Whether something new may have been made for this node: the journal knows it as that, or not at all. */
async function mayBeOf({ journal }: RestoreIo, newId: string, nodeId: string): Promise<boolean> {
  const known = await journal.find(nodeKey(newId));
  return known === null || known === nodeId;
}

const foundSchema = z.looseObject({
  results: z.array(z.looseObject({ id: z.string(), object: z.string() })),
});

/** The newest row that no journal entry knows, or that one names as made for this node; or a row with this title. */
async function findRow(
  io: RestoreIo,
  sourceId: string,
  sought: { mark: string } | { nodeId: string },
): Promise<{ id: string } | null> {
  const filter = "mark" in sought ? { filter: { property: "title", title: { equals: sought.mark } } } : {};
  let cursor: string | null = null;
  for (let seen = 0; seen < RECENT_ROWS; seen += 100) {
    const { results, next_cursor: next }: z.output<typeof foundSchema> = await io.client.request(
      {
        ...{ method: "POST", path: paths.query(sourceId), about: "the newest rows", isRepeatable: true },
        body: {
          sorts: [{ timestamp: "created_time", direction: "descending" }],
          ...filter,
          ...(cursor === null ? { page_size: 100 } : { page_size: 100, start_cursor: cursor }),
        },
      },
      foundSchema,
    );
    for (const { id } of results) {
      if ("mark" in sought || (await mayBeOf(io, id, sought.nodeId))) return { id };
    }
    if (typeof next !== "string") return null;
    cursor = next;
  }
  return null;
}

/** A page or database at the top of the workspace, which only search lists; its title is the mark. */
async function findAtTop({ client, session }: RestoreIo, mark: string): Promise<{ id: string } | null> {
  for (let search = 0; search < SEARCHES; search++) {
    if (search > 0) await session.sleep(FIRST_WAIT_MS * 2 ** search);
    const call = { method: "POST", path: paths.search, about: "the new page", isRepeatable: true } as const;
    const { results } = await client.request({ ...call, body: { query: mark, page_size: 10 } }, foundSchema);
    const found = (results as JsonObject[]).find((each) => JSON.stringify(each).includes(mark));
    if (found === undefined) continue;
    // Search lists a database as its data source.
    const above = textOf(objectOf(found.parent).database_id);
    return { id: found.object === "data_source" && above !== null ? above : (textOf(found.id) ?? "") };
  }
  return null;
}

/** The data sources of a new database. Notion makes the first one with it. */
async function makeSources(io: RestoreIo, { id: oldId }: Node, databaseId: string): Promise<void> {
  const sources = await sourcesOf(io.snapshot, oldId);
  for (const [index, sourceId] of sources.entries()) {
    if ((await io.ids.find(sourceId)) !== null) continue;
    const source = await readSource(io.snapshot, sourceId);
    tellSchemaLosses(io, source);
    const there = await sourcesOfNew(io.client, databaseId);
    let id = there[index];
    if (id === undefined) id = (await addSource(io, databaseId, source)).id;
    else if (sources.length > 1) {
      const title = titleFor(io, source.title, null);
      await patch(io.client, paths.dataSource(id), { title }, "the new table");
    }
    await io.losses.save();
    await io.ids.record(sourceId, { id, under: oldId });
  }
}

async function addSource(io: RestoreIo, databaseId: string, source: StoredSource): Promise<{ id: string }> {
  const { members, uploads } = await picturesOf(io, { icon: source.icon ?? null });
  const title = titleFor(io, source.title, null);
  const parent = { type: "database_id", database_id: databaseId };
  const body = { parent, title, properties: firstSchema(source), ...members };
  const send = (current: JsonObject) => post(io.client, paths.dataSources, current, "a new table");
  return await openAttacher(io.uploader, uploads)(body, send);
}

function tellSchemaLosses({ losses }: RestoreIo, source: StoredSource): void {
  if (unknownProperties(source).length > 0) losses.tell("properties");
  for (const property of Object.values(source.properties)) {
    if (property.type === "unique_id") losses.tell("idNumbers");
    if (property.type === "button") losses.tell("buttons");
    if (property.type !== "status") continue;
    const [, ...later] = objectsOf(objectOf(property.status).groups);
    if (later.some(({ option_ids: ids }) => Array.isArray(ids) && ids.length > 0))
      losses.tell("statusGroups");
  }
}
