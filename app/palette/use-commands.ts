import { useQuery } from "@tanstack/react-query";
import { whenWanted } from "#app/api/use-lasting-query.ts";
import { useDebounced } from "#app/components/use-debounced.ts";
import { paletteCopy as copy } from "#app/copy/palette.ts";
import { historyQuery } from "#app/history/history-queries.ts";
import type { ShellView } from "#app/shell/shell-view.ts";
import {
  type CommandGroup,
  foundCommands,
  generalCommands,
  hasWords,
  itemCommands,
  pageCommands,
  type Scope,
  wordsOf,
} from "./commands.ts";
import { foundItemsQuery } from "./palette-queries.ts";

/** How long the typing rests before the server is asked, in milliseconds. */
const REST_MS = 150;

export type FoundCommands = {
  groups: CommandGroup[];
  /** More items match than are listed. */
  hasMore: boolean;
  isSearching: boolean;
  /** Why the items could not be searched, as a sentence. */
  failure: string | null;
};

/** The lines that match what is typed. Empty groups are left out. */
export function useCommands(shell: ShellView, scope: Scope, text: string, now: number): FoundCommands {
  const words = wordsOf(text);
  const asked = words.join(" ");
  const rested = useDebounced(asked, REST_MS);
  const isWanted = scope.kind !== "item" && asked !== "" && rested !== "";
  const found = useQuery(whenWanted(isWanted, foundItemsQuery(rested)));
  const itemId = scope.kind === "item" ? scope.item.id : "";
  const history = useQuery(whenWanted(itemId !== "", historyQuery({ itemId, page: 0 })));

  const isMatch = ({ label }: { label: string }) => hasWords(label, words);
  const items = isWanted ? (found.data?.items ?? []).filter(({ name }) => hasWords(name, words)) : [];
  const groups =
    scope.kind === "item"
      ? itemCommands(scope.item, history.data?.view.rows ?? [], { timeZone: shell.member.timeZone, now }).map(
          ({ label, commands }) => ({
            label,
            commands: commands.filter(isMatch),
          }),
        )
      : [
          { label: copy.groups.items, commands: foundCommands(items, scope, now) },
          ...(scope.kind === "all"
            ? [
                { label: copy.groups.commands, commands: generalCommands(shell).filter(isMatch) },
                { label: copy.groups.pages, commands: pageCommands(shell).filter(isMatch) },
              ]
            : []),
        ];
  return {
    groups: groups.filter(({ commands }) => commands.length > 0),
    hasMore: isWanted && found.data?.hasMore === true,
    isSearching: scope.kind === "item" ? history.isLoading : asked !== rested || found.isFetching,
    failure: (scope.kind === "item" ? history.error : isWanted ? found.error : null)?.message ?? null,
  };
}
