import { type DataTag, hashKey, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useContext, useEffect, useRef } from "react";
import { UNSAFE_DataRouterContext as DataRouterContext } from "react-router-dom";
import type { ApiError } from "./transport.ts";

/**
 * Puts what the page's loader has read into the cache, so that queries with this key begin with it. Each new answer of
 * the loader replaces what is there, unless that has changed since the loader started: then the answer may be older, and
 * the query fetches again. It happens while rendering, because the server renders the data as well.
 *
 * @param answer The part of the loader's answer that is another object after each run; by default the data itself.
 */
export function useSeed<Data>(
  key: DataTag<QueryKey, Data, ApiError>,
  data: Data,
  answer: unknown = data,
): void {
  const client = useQueryClient();
  const atStart = useLoadStart(() => versionOf(key));
  const seeded = useRef<unknown>();
  const isOvertaken = useRef(false);
  useEffect(() => {
    if (!isOvertaken.current) return;
    isOvertaken.current = false;
    void client.invalidateQueries({ queryKey: key, exact: true });
  });
  function versionOf(of: QueryKey) {
    return { key: hashKey(of), changes: client.getQueryState(of)?.dataUpdateCount ?? 0 };
  }
  if (seeded.current === answer) return;
  seeded.current = answer;
  const now = versionOf(key);
  const start = atStart.current;
  isOvertaken.current = start !== null && start.key === now.key && start.changes !== now.changes;
  if (!isOvertaken.current) client.setQueryData<Data, QueryKey>(key, data);
}

/**
 * Calls `look` each time the loaders start and returns its last result; null before the first start. The router reports
 * the start before it sends the request. Its hooks report it one render later, in a transition: a click may come between.
 */
function useLoadStart<Seen>(look: () => Seen): { readonly current: Seen | null } {
  const router = useContext(DataRouterContext)?.router;
  const latest = useRef(look);
  latest.current = look;
  const seen = useRef<Seen | null>(null);
  useEffect(() => {
    if (!router) return;
    let wasLoading = false;
    function follow({ revalidation, navigation }: NonNullable<typeof router>["state"]) {
      const isLoading = revalidation !== "idle" || navigation.state !== "idle";
      if (isLoading && !wasLoading) seen.current = latest.current();
      wasLoading = isLoading;
    }
    follow(router.state);
    return router.subscribe(follow);
  }, [router]);
  return seen;
}
