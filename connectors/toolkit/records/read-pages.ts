import type { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { HttpCall, HttpClient } from "#connectors/toolkit/http-client.ts";
import { openPager } from "./shrink.ts";

/** More pages than any list of a platform has. */
const MOST_PAGES = 100_000;

/** One page, and the address of the next one: what a cursor needs to go on behind this page. */
export type ListPage<T> = { members: T[]; next: string | null };

/**
 * Pages of a list along its Link headers, from the start or from the address that an earlier page named; what is too
 * much for one answer comes in smaller pages. Members may come twice when the list grows meanwhile; whoever writes
 * records does not mind.
 *
 * @throws ConnectorError `malformed` when the pages lead in a circle
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
