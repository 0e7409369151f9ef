import { paths } from "../client.ts";
import { type JsonObject, objectOf, textOf } from "./json-parts.ts";
import { isRefusal, patch } from "./notion-calls.ts";
import { MOST_ITEMS, relatedIds } from "./property-values.ts";
import type { RestoreIo } from "./restore-io.ts";
import { type Node, readPage } from "./walk-version.ts";

/** Writes the relations of a row, when all rows are there. Returns whether it had any. @throws ConnectorError */
export async function writeRelations(io: RestoreIo, node: Node, rowId: string): Promise<boolean> {
  const { properties } = await readPage(io.snapshot, node.home);
  const values: JsonObject = {};
  for (const [name, stored] of Object.entries(properties)) {
    if (stored.type !== "relation") continue;
    const oldIds = relatedIds(stored);
    if (oldIds.length === 0) continue;
    const config = objectOf((await io.source(node.parentId ?? "")).properties[name]?.relation);
    const ids = await newIds(io, oldIds, textOf(config.data_source_id) ?? "");
    if (ids.length > MOST_ITEMS) {
      // The other side of a pair has fewer in each row and writes them.
      if (config.type === "dual_property") continue;
      io.losses.tell("relationCut");
    }
    if (ids.length > 0) values[name] = { relation: ids.slice(0, MOST_ITEMS).map((id) => ({ id })) };
  }
  if (Object.keys(values).length === 0) return false;
  await writeValues(io, rowId, values);
  return true;
}

/** Rows of a table that this restore does not bring back are the original ones. */
async function newIds(io: RestoreIo, oldIds: readonly string[], targetId: string): Promise<string[]> {
  if ((await io.ids.find(targetId)) === null) return [...oldIds];
  await io.ids.load(oldIds);
  const ids = oldIds.flatMap((id) => io.ids.known(id) ?? []);
  if (ids.length < oldIds.length) io.losses.tell("relation");
  return ids;
}

async function writeValues({ client, losses }: RestoreIo, rowId: string, values: JsonObject): Promise<void> {
  const write = (properties: JsonObject) =>
    patch(client, paths.page(rowId), { properties }, "the relations of a row");
  try {
    await write(values);
    return;
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  for (const [name, value] of Object.entries(values)) {
    try {
      await write({ [name]: value });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      losses.tell("valueRefused");
    }
  }
}
