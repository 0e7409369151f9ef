import { keepPreviousData, type QueryKey, type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import type { ApiError } from "./transport.ts";

/** The data to show, and how far the data that was asked for is. */
export type LastingQuery<Data> = {
  /** The last data, also of an earlier key; undefined before the first. */
  data: Data | undefined;
  /** The data that was asked for has not arrived. */
  isLoading: boolean;
  error: ApiError | null;
  /** Fetches again. A request on its way is aborted. */
  refetch: () => void;
};

/** A query that keeps showing its last data while another key loads, and when that fails. */
export function useLastingQuery<Data, Key extends QueryKey>(
  options: UseQueryOptions<Data, ApiError, Data, Key>,
): LastingQuery<Data> {
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery<Data, ApiError, Data, Key>({
    ...options,
    placeholderData: keepPreviousData as never,
  });
  const last = useRef(data);
  if (data !== undefined) last.current = data;
  return {
    data: last.current,
    isLoading: isPending || isPlaceholderData,
    error,
    refetch: () => void refetch(),
  };
}

/** The key of a query without data. */
const UNWANTED = ["unwanted"];

/**
 * The query while `isWanted`, otherwise none. A query that is only disabled would still finish its request; this one is
 * left, so that the request is aborted, as when a dialog closes.
 */
export function whenWanted<Options extends { queryKey: QueryKey }>(
  isWanted: boolean,
  options: Options,
): Options {
  return isWanted ? options : { ...options, queryKey: UNWANTED, enabled: false };
}
