import { useInfiniteQuery } from "@tanstack/react-query";
import { paletteCopy as copy } from "#app/copy/palette.ts";
import type { CommandGroup, Scope } from "./commands.ts";
import { nameCommands, nameNote } from "./found-names.ts";
import { foundNamesQuery } from "./palette-queries.ts";

/** A search inside versions: its lines, what there is to say about it, and how it goes on. */
export type FoundNames = {
  groups: CommandGroup[];
  /** Null outside of such a search. */
  note: string | null;
  isSearching: boolean;
  failure: string | null;
  searchFurther: () => void;
};

/** The names that the scope searches for inside the newest versions, and the offer to search for what is typed now. */
export function useNames(scope: Scope, typed: string): FoundNames {
  const text = scope.kind === "names" ? scope.text : null;
  const { data, error, isFetching, fetchNextPage, refetch } = useInfiniteQuery({
    ...foundNamesQuery(text ?? ""),
    enabled: text !== null,
  });
  const pages = data?.pages ?? [];
  const found = pages.length === 0 || text === null ? null : nameNote(pages, text);
  return {
    groups: text === null ? [] : nameCommands({ pages, text, typed, isFetching, isFailed: error !== null }),
    note: isFetching && text !== null ? copy.names.searching : found,
    isSearching: isFetching,
    failure: text === null || isFetching ? null : (error?.message ?? null),
    searchFurther: () => void (data ? fetchNextPage() : refetch()),
  };
}
