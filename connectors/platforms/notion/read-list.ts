import type { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { HttpCall, HttpClient } from "#connectors/toolkit/http-client.ts";
import { PAGE_SIZE } from "./client.ts";

/** Exceeds the pages of any real list. */
const MOST_PAGES = 100_000;
/** A page that is too large is asked for in pages of a quarter of its size. */
const SHRINK = 4;

/** A page of a list of Notion. */
type ListAnswer = { has_more: boolean; next_cursor: string | null };

/** One page of a list and the cursor of the next one, with which a later slice continues; null = it was the last. */
export type ListStep<T> = { answer: T; next: string | null };

/**
 * Reads a list page by page, from the start or from a cursor. Lists of GET take the cursor in the query, those of POST in
 * the body (the SDK's endpoint table).
 *
 * @throws ConnectorError `malformed` when the pages lead in a circle
 */
export async function* readList<T extends ListAnswer>(
  client: HttpClient,
  call: HttpCall,
  schema: z.ZodType<T>,
  from: string | null = null,
): AsyncGenerator<ListStep<T>, void> {
  let cursor = from;
  let before: string | null = null;
  let size = PAGE_SIZE;
  for (let page = 0; page < MOST_PAGES; page++) {
    let answer: T | null = null;
    while (answer === null) {
      answer = await client.request(pageCall(call, { cursor, size }), schema).catch((error: unknown) => {
        if (!isTooMuch(error) || size === 1) throw error;
        size = Math.ceil(size / SHRINK);
        return null;
      });
    }
    const next: string | null = answer.has_more ? answer.next_cursor : null;
    yield { answer, next };
    if (next === null) return;
    if (next === cursor || next === before) throw circle(call);
    before = cursor;
    cursor = next;
  }
  throw circle(call);
}

/** Rows with long texts can make a page larger than an answer may be. */
const isTooMuch = (error: unknown) => error instanceof ConnectorError && error.isTooMuch;

/**
 * Whether Notion no longer takes the cursor with which a later slice continues. How long it keeps one is not documented;
 * a bad request is what it gives for a wrong one.
 */
export const isOldPlace = (error: unknown) => error instanceof ConnectorError && error.kind === "unsupported";

function pageCall(call: HttpCall, { cursor, size }: { cursor: string | null; size: number }): HttpCall {
  const more = { page_size: size, ...(cursor === null ? {} : { start_cursor: cursor }) };
  if (call.method === "GET") return { ...call, query: { ...call.query, ...more } };
  // A search or a query changes nothing, so it can be repeated.
  return { ...call, body: { ...call.body, ...more }, isRepeatable: true };
}

function circle({ about }: HttpCall): ConnectorError {
  return new ConnectorError("malformed", `Notion's list of ${about} leads in a circle.`);
}

/** Reads all members of a short list. */
export async function readAll<M>(
  client: HttpClient,
  call: HttpCall,
  schema: z.ZodType<ListAnswer & { results: M[] }>,
): Promise<M[]> {
  const all: M[] = [];
  for await (const { answer } of readList(client, call, schema)) all.push(...answer.results);
  return all;
}
