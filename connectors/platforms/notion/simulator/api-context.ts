import { randomUUID } from "node:crypto";
import type { Context } from "hono";
import { readId } from "./ids.ts";
import { invalid, Refused } from "./refused.ts";
import type { Capability, Database, DataSource, Fields, Grant, NotionWorld, Page } from "./state.ts";
import { findThing, reaches } from "./store.ts";

/** What the API knows of a request: whose token it carries. */
export type NotionEnv = { Variables: { grant: Grant } };

/** The name of the registered connection, as answers show it. */
export const CONNECTION_NAME = "Holdfast";

/** @throws Refused when the connection was registered, or its grant was given, without this capability */
export function need(c: Context<NotionEnv>, capability: Capability): void {
  if (!c.get("grant").capabilities.includes(capability))
    throw new Refused("restricted_resource", "Insufficient permissions for this endpoint.");
}

/**
 * What is not there, or what the grant does not cover: the answer is the same. Evidence: the recorded 404. That it is also
 * the same for an id of a body is unproven.
 */
export function notFound({ botId }: Grant, what: string, id: string): Refused {
  const advice = `Make sure the relevant pages and databases are shared with your integration "${CONNECTION_NAME}".`;
  return new Refused("object_not_found", `Could not find ${what} with ID: ${id}. ${advice}`, {
    integration_id: botId,
  });
}

/** The same for an id of a path or query. */
export const missing = (c: Context<NotionEnv>, what: string, id: string): Refused =>
  notFound(c.get("grant"), what, id);

/** An id of the path, the query or a body. @throws Refused `validation_error` when it is no UUID */
export function idOf(text: string | undefined, place: string): string {
  const id = readId(text ?? "");
  if (id === null)
    throw invalid(`${place} failed validation: ${place} should be a valid uuid, instead was \`"${text}"\`.`);
  return id;
}

/** The page, row or template that the path names, also in the trash. @throws Refused */
export function pageOfPath(world: NotionWorld, c: Context<NotionEnv>, name = "page_id"): Page {
  const id = idOf(c.req.param(name), `path.${name}`);
  const page = world.state.pages[id];
  if (!page || !reaches(world, c.get("grant"), id)) throw missing(c, "page", id);
  return page;
}

/** The id of the block, page or database that the path names. @throws Refused */
export function blockIdOfPath(world: NotionWorld, c: Context<NotionEnv>, name = "block_id"): string {
  const id = idOf(c.req.param(name), `path.${name}`);
  const found = findThing(world, id);
  if (!found || found.kind === "data-source" || !reaches(world, c.get("grant"), id))
    throw missing(c, "block", id);
  return id;
}

/** @throws Refused */
export function databaseOfPath(world: NotionWorld, c: Context<NotionEnv>): Database {
  const id = idOf(c.req.param("database_id"), "path.database_id");
  const database = world.state.databases[id];
  if (!database || !reaches(world, c.get("grant"), id)) throw missing(c, "database", id);
  return database;
}

/** @throws Refused */
export function dataSourceOfPath(world: NotionWorld, c: Context<NotionEnv>): DataSource {
  const id = idOf(c.req.param("data_source_id"), "path.data_source_id");
  const source = world.state.dataSources[id];
  if (!source || !reaches(world, c.get("grant"), id)) throw missing(c, "data source", id);
  return source;
}

/** Refuses query parameters that the contract does not name. */
export function onlyQuery(c: Context, allowed: readonly string[]): void {
  for (const name of Object.keys(c.req.query())) {
    const plain = name.replace(/\[\d*\]$/, "");
    if (!allowed.includes(plain))
      throw invalid(`query failed validation: query.${name} should be not present.`);
  }
}

/** All values of a query parameter that may be repeated, written `name`, `name[]` or `name[0]`. */
export function repeated(c: Context, name: string): string[] {
  return Object.entries(c.req.queries()).flatMap(([key, values]) =>
    key.replace(/\[\d*\]$/, "") === name ? values : [],
  );
}

/** Answers with an object, and with the id that every answer has. Evidence: the recordings. */
export const answer = (c: Context, body: Fields): Response => c.json({ ...body, request_id: randomUUID() });
