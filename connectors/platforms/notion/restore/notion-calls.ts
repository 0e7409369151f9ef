import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { HttpCall, HttpClient } from "#connectors/toolkit/http-client.ts";
import { paths } from "../client.ts";
import {
  blockSchema,
  blocksSchema,
  databaseSchema,
  dataSourceSchema,
  idSchema,
  pageSchema,
  viewReferencesSchema,
} from "../payloads.ts";
import { readAll } from "../read-list.ts";
import { type JsonObject, objectOf, textOf } from "./json-parts.ts";

const madeSchema = z.looseObject({ id: idSchema });
const appendedSchema = z.looseObject({ results: z.array(z.looseObject({ id: idSchema })) });
/** A block, page or database as a child of a page or block. */
export type Listed = { id: string; type: string; title: string | null; originalId: string | null };
export type NewSchema = Record<string, { id: string; name: string; type: string } & JsonObject>;

/** Whether Notion refused a request for good, so that others may go on. Not so for a lost access or a full quota. */
export function isRefusal(error: unknown): error is ConnectorError {
  return error instanceof ConnectorError && (error.kind === "unsupported" || error.kind === "gone");
}

/** Why Notion refused a request, as a sentence. */
export function reasonOf({ message }: ConnectorError): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

/** Creates something; the caller looks before it repeats a request whose answer was lost. @throws ConnectorError */
export async function post(
  client: HttpClient,
  path: string,
  body: JsonObject,
  about: string,
): Promise<{ id: string }> {
  return await client.request({ method: "POST", path, body, about, missing: "gone" }, madeSchema);
}

/** Changes something; the second time changes nothing. @throws ConnectorError */
export async function patch(
  client: HttpClient,
  path: string,
  body: JsonObject,
  about: string,
): Promise<void> {
  await client.send({ method: "PATCH", path, body, about });
}

/** Removes something that a restore made itself; what is gone already is fine. @throws ConnectorError */
export async function remove(client: HttpClient, path: string, about: string): Promise<void> {
  try {
    await client.send({ method: "DELETE", path, about });
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}

/** Appends the `children` of the body, behind the child `after` if it is named. Returns the ids of the blocks side by side. */
export async function append(client: HttpClient, parentId: string, body: JsonObject): Promise<string[]> {
  const call: HttpCall = {
    ...{ method: "PATCH", path: paths.children(parentId), about: "new blocks", isRepeatable: false },
    body,
  };
  const { results } = await client.request(call, appendedSchema);
  return results.map(({ id }) => id);
}

/** The children of a page or block, in their order. */
export async function listChildren(client: HttpClient, parentId: string): Promise<Listed[]> {
  const call = { method: "GET", path: paths.children(parentId), about: "the restored blocks" } as const;
  const blocks = await readAll(client, call, blocksSchema);
  return blocks.map((block) => {
    const value = objectOf(block[block.type] as JsonObject);
    const originalId = textOf(objectOf(value.synced_from).block_id);
    return { id: block.id, type: block.type, title: textOf(value.title), originalId };
  });
}

/** The id of the first child of a page; null = it has none. */
export async function firstChild(client: HttpClient, pageId: string): Promise<string | null> {
  const call = {
    method: "GET",
    path: paths.children(pageId),
    query: { page_size: 1 },
    about: "the new page",
  } as const;
  const { results } = await client.request(call, blocksSchema);
  return results[0]?.id ?? null;
}

/** The page or block in which a block stands; null = it is in the trash. */
export async function parentOf(client: HttpClient, blockId: string): Promise<string | null> {
  const call = { method: "GET", path: paths.block(blockId), about: "a restored block" } as const;
  const { parent, in_trash: isTrashed } = await client.request(call, blockSchema);
  return isTrashed ? null : (parent.block_id ?? parent.page_id ?? null);
}

/** Ids of the data sources of a new database. */
export async function sourcesOfNew(client: HttpClient, databaseId: string): Promise<string[]> {
  const call = { method: "GET", path: paths.database(databaseId), about: "the new database" } as const;
  const { data_sources: sources } = await client.request(call, databaseSchema);
  return sources.map(({ id }) => id);
}

/** The schema of a new data source. */
export async function schemaOfNew(client: HttpClient, sourceId: string): Promise<NewSchema> {
  const call = { method: "GET", path: paths.dataSource(sourceId), about: "the new table" } as const;
  return (await client.request(call, dataSourceSchema)).properties as unknown as NewSchema;
}

/**
 * Adds to the schema of a data source, or renames in it, and returns it. It is not repeated by itself: a pair of relations
 * must not be made twice. @throws ConnectorError
 */
export async function changeSchema(
  client: HttpClient,
  sourceId: string,
  properties: JsonObject,
  about: string,
): Promise<NewSchema> {
  const call: HttpCall = {
    ...{ method: "PATCH", path: paths.dataSource(sourceId), body: { properties }, about },
    isRepeatable: false,
  };
  return (await client.request(call, dataSourceSchema)).properties as unknown as NewSchema;
}

/** Whether a page is there and not in the trash. */
export async function isPageThere(client: HttpClient, pageId: string): Promise<boolean> {
  try {
    const call = { method: "GET", path: paths.page(pageId), about: "the new page" } as const;
    return !(await client.request(call, pageSchema)).in_trash;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

/** Ids of the views of a database. */
export async function listViews(client: HttpClient, databaseId: string): Promise<string[]> {
  const about = "the views of the new table";
  const call: HttpCall = { method: "GET", path: paths.views, query: { database_id: databaseId }, about };
  return (await readAll(client, call, viewReferencesSchema)).map(({ id }) => id);
}
