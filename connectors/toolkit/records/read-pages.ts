import type { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { HttpCall, HttpClient } from "#connectors/toolkit/http-client.ts";
import { openPager } from "./shrink.ts";

/** Exceeds the pages of any real list. */
const MOST_PAGES = 100_000;

/** One page and the URL of the next one, which a cursor needs to continue. */
export type ListPage<T> = { members: T[]; next: string | null };

/**
 * Reads a list by following its Link headers, from the start or from the URL of a page. Uses smaller pages where one
 * is too large for a response. If the list grows meanwhile, members may appear twice, which is harmless for records.
 *
 * @throws ConnectorError `malformed` when the pages form a cycle
 */
export async function* readPages<T>(
  client: HttpClient,
  call: HttpCall,
  schema: z.ZodType<T[]>,
  from: string | null = null,
): AsyncGenerator<ListPage<T>, void> {
  const read = openPager(client, schema, call);
  const seen = new Set<string>();
  let step: HttpCall = from === null ? call : { ...call, path: from, query: {} };
  while (seen.size < MOST_PAGES) {
    const { members, next } = await read(step);
    yield { members, next };
    if (next === null) return;
    if (seen.has(next)) throw new ConnectorError("malformed", `The list of ${call.about} leads in a circle.`);
    seen.add(next);
    step = { ...call, path: next, query: {} };
  }
  throw new ConnectorError("malformed", `The list of ${call.about} does not end.`);
}
