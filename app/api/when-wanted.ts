import type { QueryKey } from "@tanstack/react-query";

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
