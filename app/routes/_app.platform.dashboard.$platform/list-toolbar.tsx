import { ChevronDown, Users } from "lucide-react";
import { Button } from "#app/components/button.tsx";
import { Menu } from "#app/components/menu.tsx";
import { QueryForm } from "#app/components/query-form.tsx";
import { SearchField } from "#app/components/search-field.tsx";
import { itemsCopy as copy } from "#app/copy/items.ts";
import { jobWords } from "#app/copy/shell.ts";
import { capitalised } from "#app/format/counts.ts";
import { actionsOfItems } from "#app/live/running-jobs.ts";
import { useJobBadge, useRunningJobs } from "#app/live/use-live-events.tsx";
import { badgeWords } from "#app/shell/pill-state.ts";
import type { PlatformDescriptor } from "#connectors/contract/descriptor.ts";
import type { ItemListView } from "#core/inventory/views.ts";
import { AccountSelect } from "./account-select.tsx";
import type { ListFrame } from "./list-frame.ts";
import { changedSearch } from "./list-query.ts";
import { chosenOption, type PlaceOption, placeOptions } from "./place-options.ts";

/** Place, search, running jobs of the list, and how many items are here and elsewhere. */
export function ListToolbar({
  page,
  query,
  search,
  words,
  list,
  go,
}: Pick<ListFrame, "page" | "query" | "search" | "words" | "list" | "go">) {
  const options = placeOptions(words.descriptor, page.places, page.connection.name, list.holdings);
  const chosen = chosenOption(query, options);
  const here = copy.count(list.counts.all, words.one, words.many);
  const elsewhere = options.reduce((sum, option) => (option === chosen ? sum : sum + option.count), 0);
  return (
    <div className="toolbar">
      <AccountSelect page={page} />
      <PlaceSelect page={page} query={query} words={words} options={options} go={go} />
      <QueryForm rest={changedSearch(search, { name: "" })}>
        <SearchField
          name="q"
          value={query.name}
          label={copy.search(words.many)}
          onSearch={(name) => go({ name })}
        />
      </QueryForm>
      <ListBadges descriptor={words.descriptor} list={list} connectionId={page.connection.id} />
      {query.name === "" && elsewhere > 0 ? (
        <span className="meta push">{copy.elsewhere(here, elsewhere)}</span>
      ) : (
        <span className="meta hide-s push">{here}</span>
      )}
    </div>
  );
}

/** Each place as its items, and second kinds of the platform beside them (spec P-046, P-047). */
export function PlaceSelect({
  page,
  query,
  words,
  options,
  go,
}: Pick<ListFrame, "page" | "query" | "words" | "go"> & { options: readonly PlaceOption[] }) {
  if (options.length === 0) return null;
  const chosen = chosenOption(query, options);
  const shown = chosen?.name ?? page.connection.name;
  const entries = options.map(({ value, name, many, count }) => ({
    value,
    label: (
      <>
        {name} <span className="soft">{capitalised(many)}</span>{" "}
        {count > 0 && <span className="mono-meta push">{count}</span>}
      </>
    ),
  }));
  const choose = (value: string) => go(options.find((option) => option.value === value)?.change ?? {});
  return (
    <Menu
      entries={[{ kind: "choice", value: chosen?.value ?? "", options: entries, onChoose: choose }]}
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

/**
 * Running backups and restores of the list, with a link to the platform, and items being added (spec A-113, P-054,
 * P-055). The top bar announces them to screen readers.
 */
function ListBadges({
  descriptor,
  list,
  connectionId,
}: {
  descriptor: PlatformDescriptor;
  list: ItemListView;
  connectionId: string;
}) {
  const { id, label, homeUrl } = descriptor;
  const running = badgeWords(useJobBadge(id, actionsOfItems(list.items)));
  const { adding: known } = useRunningJobs();
  const adding = known[connectionId] ?? known[id];
  return (
    <span className="row">
      {adding && <span className="badge badge-run">{jobWords.adding(adding.added, adding.total)}</span>}
      {running && <span className="badge badge-run">{running}</span>}
      {running && (
        <a className="link hide-s" href={homeUrl} target="_blank" rel="noreferrer">
          {copy.visit(label)}
        </a>
      )}
    </span>
  );
}
