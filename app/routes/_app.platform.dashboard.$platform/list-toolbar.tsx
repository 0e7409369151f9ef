import { ChevronDown, Users } from "lucide-react";
import { Button } from "#app/components/button.tsx";
import { Menu } from "#app/components/menu.tsx";
import { SearchField } from "#app/components/search-field.tsx";
import { itemsCopy as copy } from "#app/copy/items.ts";
import { jobWords } from "#app/copy/shell.ts";
import { capitalised } from "#app/format/counts.ts";
import { actionsOfItems } from "#app/live/running-jobs.ts";
import { useJobBadge, useRunningJobs } from "#app/live/use-live-events.tsx";
import { badgeWords } from "#app/shell/job-pill.tsx";
import type { ItemListView } from "#core/inventory/views.ts";
import type { ListQuery } from "./list-query.ts";
import type { ItemListPage } from "./queries.server.ts";
import type { Words } from "./words.ts";

/** Place, search, what runs in the list, and how much there is. */
export function ListToolbar({
  page,
  query,
  words,
  list,
  go,
}: {
  page: ItemListPage;
  query: ListQuery;
  words: Words;
  list: ItemListView;
  go: (change: Partial<ListQuery>) => void;
}) {
  return (
    <div className="toolbar">
      <PlaceSelect page={page} query={query} words={words} go={go} />
      <SearchField value={query.name} label={copy.search(words.many)} onSearch={(name) => go({ name })} />
      <ListBadges platform={page.platform} list={list} />
      <span className="meta hide-s push">{copy.inPlace(list.counts.all, words.one, words.many)}</span>
    </div>
  );
}

/** Each place as its items, and second kinds of the platform beside them (spec P-046, P-047). */
export function PlaceSelect({
  page,
  query,
  words,
  go,
}: {
  page: ItemListPage;
  query: ListQuery;
  words: Words;
  go: (change: Partial<ListQuery>) => void;
}) {
  const [mainKind, ...subKinds] = words.descriptor.itemKinds;
  if (!mainKind || (page.places.length === 0 && subKinds.length === 0)) return null;
  const place = page.places.find(({ id }) => id === query.placeId);
  const shown = words.kind.isSub ? page.connection.name : (place?.name ?? page.connection.name);
  const named = (name: string, many: string) => (
    <>
      {name} <span className="soft">{capitalised(many)}</span>
    </>
  );
  const options = [
    ...page.places.map(({ id, name }) => ({ value: id, label: named(name, mainKind.many) })),
    ...subKinds.map(({ id, many }) => ({ value: id, label: named(page.connection.name, many) })),
  ];
  const choose = (chosen: string) => {
    const sub = subKinds.find(({ id }) => id === chosen);
    go(sub ? { kind: sub.id, name: "" } : { kind: mainKind.id, placeId: chosen, name: "" });
  };
  const value = words.kind.isSub ? words.kind.id : (query.placeId ?? "");
  return (
    <Menu
      entries={[{ kind: "choice", value, options, onChoose: choose }]}
      trigger={
        <Button className="place-select" aria-label={`${copy.place}: ${shown} ${capitalised(words.many)}`}>
          <Users aria-hidden />
          <span className="clip">{shown}</span> <span className="soft">{capitalised(words.many)}</span>
          <ChevronDown aria-hidden />
        </Button>
      }
    />
  );
}

/** Running backups and restores of the list, and items being added (spec P-054, P-055). */
function ListBadges({ platform, list }: { platform: string; list: ItemListView }) {
  const running = badgeWords(useJobBadge(platform, actionsOfItems(list.items)));
  const adding = useRunningJobs().adding[platform];
  return (
    <span className="row" role="status">
      {adding && <span className="badge badge-run">{jobWords.adding(adding.added, adding.total)}</span>}
      {running && <span className="badge badge-run">{running}</span>}
    </span>
  );
}
