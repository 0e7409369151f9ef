import type { ResultOf } from "#app/api/call-api.ts";
import { paletteCopy as copy } from "#app/copy/palette.ts";
import { placeIn } from "#app/version/address.ts";
import type { Command, CommandGroup } from "./commands.ts";

/** One answer of a search inside versions; each further one goes on where the last ended. */
export type NamePage = ResultOf<"GET user/search-names">;

/** The line that searches inside the newest versions. */
export function searchNamesCommand(text: string): Command {
  return { id: "search-names", does: "search-names", label: copy.names.search(text), text };
}

/**
 * What was found inside versions: each name opens where it is seen. Before it the search for what is typed now, if that
 * differs; behind it the line that goes on, or tries again.
 */
export function nameCommands({
  pages,
  text,
  typed,
  isFetching,
  isFailed,
}: {
  pages: readonly NamePage[];
  text: string;
  typed: string;
  isFetching: boolean;
  isFailed: boolean;
}): CommandGroup[] {
  const names = pages.flatMap(({ items }) =>
    items.flatMap(({ id: itemId, platform, name, snapshotId, names: found }) =>
      found.map(
        ({ one, title, folder, path }): Command => ({
          ...{ id: `name:${itemId}:${path}`, does: "go", label: title, note: one, platform },
          detail: folder === null ? name : `${name}/${folder}`,
          to: placeIn({ platform, itemId, snapshotId }, null, { path }),
        }),
      ),
    ),
  );
  const isLeft = !isFetching && (isFailed || pages.at(-1)?.next != null);
  const label = isFailed ? copy.names.again : copy.names.further;
  return [
    {
      label: copy.groups.names,
      commands: typed === "" || typed === text ? [] : [searchNamesCommand(typed)],
    },
    { label: copy.groups.found, commands: names },
    {
      label: copy.groups.further,
      commands: isLeft ? [{ id: "search-further", does: "search-further", label }] : [],
    },
  ];
}

/** What a search inside versions found, and what it did not look at, as sentences. */
export function nameNote(pages: readonly NamePage[], text: string): string {
  const sum = (count: (page: NamePage) => number) => pages.reduce((all, page) => all + count(page), 0);
  const found = sum(({ items }) => items.reduce((all, { names }) => all + names.length, 0));
  const searched = sum((page) => page.searched);
  const cut = pages.flatMap((page) => page.cut);
  const fuller = pages.flatMap(({ items }) => items.filter(({ hasMore }) => hasMore));
  const unindexed = pages[0]?.unindexed ?? 0;
  const [first] = cut;
  return [
    found === 0 ? copy.names.nothing(text, searched) : copy.names.found(found, searched),
    ...(pages.at(-1)?.next ? [copy.names.left] : []),
    ...(fuller[0] ? [copy.names.more(fuller[0].name, fuller.length - 1)] : []),
    ...(first ? [copy.names.cut(first.count, first.name, cut.length - 1)] : []),
    ...(unindexed > 0 ? [copy.names.unindexed(unindexed)] : []),
  ].join(" ");
}
