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
import { searchNamesCommand } from "./found-names.ts";
import { foundItemsQuery } from "./palette-queries.ts";
import { useNames } from "./use-names.ts";

/** How long the typing rests before the server is asked, in milliseconds. */
const REST_MS = 150;

export type FoundCommands = {
  groups: CommandGroup[];
  /** More items match than are listed. */
  hasMore: boolean;
  /** What a search inside versions has to say below its lines. */
  note: string | null;
  searchFurther: () => void;
  isSearching: boolean;
  /** Why the items could not be searched, as a sentence. */
  failure: string | null;
};

/** The lines that match what is typed. Empty groups are left out. */
export function useCommands(shell: ShellView, scope: Scope, text: string, now: number): FoundCommands {
  const words = wordsOf(text);
  const asked = words.join(" ");
  const rested = useDebounced(asked, REST_MS);
  const isWanted = (scope.kind === "all" || scope.kind === "pick") && asked !== "" && rested !== "";
  const found = useQuery(whenWanted(isWanted, foundItemsQuery(rested)));
  const names = useNames(scope, text.trim());
  const itemId = scope.kind === "item" ? scope.item.id : "";
  const history = useQuery(whenWanted(itemId !== "", historyQuery({ itemId, page: 0 })));
  if (scope.kind === "names") return { ...names, groups: filled(names.groups), hasMore: false };

  const isMatch = ({ label }: { label: string }) => hasWords(label, words);
  const items = isWanted ? (found.data?.items ?? []).filter(({ name }) => hasWords(name, words)) : [];
  const isSearching = scope.kind === "item" ? history.isLoading : asked !== rested || found.isFetching;
  // Not while items are searched: Enter would leave for it before the item that was typed is there.
  const isOffered = asked !== "" && shell.can.restore && !isSearching;
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
                { label: copy.groups.names, commands: isOffered ? [searchNamesCommand(text.trim())] : [] },
              ]
            : []),
        ];
  return {
    ...names,
    groups: filled(groups),
    hasMore: isWanted && found.data?.hasMore === true,
    isSearching,
    failure: (scope.kind === "item" ? history.error : isWanted ? found.error : null)?.message ?? null,
  };
}

const filled = (groups: readonly CommandGroup[]) => groups.filter(({ commands }) => commands.length > 0);
