import { useNavigation, useRevalidator } from "@remix-run/react";
import { type DataTag, type QueryKey, useQueryClient } from "@tanstack/react-query";
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
  const startedAt = useLoadStart();
  const seeded = useRef<unknown>();
  const isOvertaken = useRef(false);
  useEffect(() => {
    if (!isOvertaken.current) return;
    isOvertaken.current = false;
    void client.invalidateQueries({ queryKey: key, exact: true });
  });
  if (seeded.current === answer) return;
  const isFirst = seeded.current === undefined;
  seeded.current = answer;
  isOvertaken.current = !isFirst && (client.getQueryState(key)?.dataUpdatedAt ?? 0) >= startedAt;
  if (!isOvertaken.current) client.setQueryData<Data, QueryKey>(key, data);
}

/** When the loaders last started, in epoch ms by this device's clock; Infinity before the first time. */
function useLoadStart(): number {
  const revalidator = useRevalidator();
  const navigation = useNavigation();
  const isLoading = revalidator.state !== "idle" || navigation.state !== "idle";
  const last = useRef({ isLoading: false, at: Number.POSITIVE_INFINITY });
  if (isLoading && !last.current.isLoading) last.current.at = Date.now();
  last.current.isLoading = isLoading;
  return last.current.at;
}
