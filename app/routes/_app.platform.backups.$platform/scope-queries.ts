import { infiniteQueryOptions } from "@tanstack/react-query";
import { ApiError, callApi } from "#app/api/call-api.ts";
import type { VersionRef } from "#app/version/address.ts";
import type { PageNode } from "#connectors/contract/pages-view.ts";

/** Some of what a version covers: pages and tables of one level, or those that a search finds. */
export type ScopePage = {
  rows: PageNode[];
  /** The last row's id if there are more; null = no more. */
  next: string | null;
  /** The search stopped on its way, and goes on from `next`. */
  isPaused: boolean;
  pageCount: number;
  tableCount: number;
};

/** How long a folded level stays, in ms. */
const KEPT_MS = 60_000;

/** Which level of a version: the roots, what is below `parent`, or what `search` or `type` finds on every level. */
export type ScopeOrder = {
  version: VersionRef;
  parent: string | null;
  search: string;
  type: PageNode["type"] | null;
};

/** A level of the scope, page by page. A version never changes, so nothing is read twice. */
export const scopeQuery = ({ version: { itemId, snapshotId }, parent, search, type }: ScopeOrder) =>
  infiniteQueryOptions({
    queryKey: ["scope", itemId, snapshotId, parent, search, type],
    queryFn: async ({ signal, pageParam }): Promise<ScopePage> => {
      const order = { itemId, snapshotId, parent, search: search || null, type, after: pageParam };
      return (await callApi("GET versions/pages", order, { signal, isQuiet: true })).result;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
    retry: false,
  });

/** True when the version has no list of what it covers, as opposed to one that could not be loaded. */
export const isWithoutScope = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "err.not.found";
