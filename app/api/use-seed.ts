import { useNavigation, useRevalidator } from "@remix-run/react";
import { type DataTag, hashKey, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
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
  isOvertaken.current = atStart !== null && atStart.key === now.key && atStart.changes !== now.changes;
  if (!isOvertaken.current) client.setQueryData<Data, QueryKey>(key, data);
}

/** What `look` returned when the loaders last started; null before the first time. */
function useLoadStart<Seen>(look: () => Seen): Seen | null {
  const revalidator = useRevalidator();
  const navigation = useNavigation();
  const isLoading = revalidator.state !== "idle" || navigation.state !== "idle";
  const last = useRef<{ isLoading: boolean; seen: Seen | null }>({ isLoading: false, seen: null });
  if (isLoading && !last.current.isLoading) last.current.seen = look();
  last.current.isLoading = isLoading;
  return last.current.seen;
}
