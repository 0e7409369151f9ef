import { type DataTag, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { ApiError } from "./transport.ts";

/**
 * Puts what the page's loader has read into the cache, so that queries with this key begin with it. Each new answer of
 * the loader replaces what is there. It happens while rendering, because the server renders the data as well.
 *
 * @param answer The part of the loader's answer that is another object after each run; by default the data itself.
 */
export function useSeed<Data>(
  key: DataTag<QueryKey, Data, ApiError>,
  data: Data,
  answer: unknown = data,
): void {
  const client = useQueryClient();
  const seeded = useRef<unknown>();
  if (seeded.current === answer) return;
  seeded.current = answer;
  client.setQueryData<Data, QueryKey>(key, data);
}
