import { useQuery } from "@tanstack/react-query";
import { LoaderCircle } from "lucide-react";
import { useEffect, useState } from "react";
import { typeWord } from "#app/accounts/type-word.ts";
import { whenWanted } from "#app/api/use-lasting-query.ts";
import { useRequest } from "#app/api/use-request.ts";
import { Checkbox } from "#app/components/checkbox.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { DialogButtons } from "#app/components/dialog-buttons.tsx";
import { notify } from "#app/components/toasts.ts";
import { addItemsCopy, addPlaceCopy as copy } from "#app/copy/item-dialogs.ts";
import { useRefresh } from "#app/live/use-refresh.tsx";
import { type AvailablePlace, addPlaces } from "./calls.ts";
import { availablePlacesQuery } from "./list-queries.ts";
import type { ListQuery } from "./list-query.ts";
import type { ItemListPage } from "./queries.server.ts";
import { RefusalNote } from "./refusal-note.tsx";
import type { Words } from "./words.ts";

/** Adds organisations that the connected account can read (spec P-052). */
export function AddPlaceDialog({
  isOpen,
  onClose,
  page,
  query,
  words,
}: {
  isOpen: boolean;
  onClose: () => void;
  page: ItemListPage;
  query: ListQuery;
  words: Words;
}) {
  const refresh = useRefresh();
  const { platform } = page;
  const { connectionId, kind } = query;
  const account = { platform, connectionId };
  const available = useQuery(whenWanted(isOpen, availablePlacesQuery(account, kind)));
  const places = available.data ?? (available.error === null ? null : []);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { isBusy, failure, refuse, send } = useRequest();
  const refusal = failure ?? available.error;
  useEffect(() => {
    if (!isOpen) return;
    setChosen(new Set());
    refuse(null);
  }, [isOpen, refuse]);

  const add = () =>
    send(async () => {
      const added = await addPlaces(account, kind, [...chosen]);
      notify(copy.done(added.map(({ name }) => name).join(", ")));
      refresh();
      onClose();
    });

  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={copy.title}
      description={copy.description(words.label)}
      footer={
        <DialogButtons
          label={copy.add}
          isBusy={isBusy}
          reason={chosen.size === 0 ? copy.chooseFirst : null}
          onConfirm={add}
          onClose={onClose}
        />
      }
    >
      {refusal && <RefusalNote failure={refusal} installUrl={page.installUrl} />}
      {places === null && (
        <p className="row meta" role="status">
          <LoaderCircle className="icon-s spin" aria-hidden />
          {addItemsCopy.loadingFirst(words.label)}
        </p>
      )}
      {places?.length === 0 && !refusal && (
        <div role="status">
          <p>{copy.none}</p>
          <p className="soft">{copy.noneHint}</p>
        </div>
      )}
      {places && places.length > 0 && (
        <PlacePicker
          platform={platform}
          places={places}
          chosen={chosen}
          onToggle={(id) => setChosen(toggled(chosen, id))}
        />
      )}
    </Dialog>
  );
}

function PlacePicker({
  platform,
  places,
  chosen,
  onToggle,
}: {
  platform: string;
  places: readonly AvailablePlace[];
  chosen: ReadonlySet<string>;
  onToggle: (id: string) => void;
}) {
  return (
    <div className="item-picker">
      <ul>
        {places.map((place) => (
          <li key={place.id}>
            <Checkbox
              id={`place-${place.id}`}
              checked={chosen.has(place.id)}
              onCheckedChange={() => onToggle(place.id)}
            />
            <label htmlFor={`place-${place.id}`} className="item-picker__name clip">
              {place.name}
            </label>
            <span className="meta">{typeWord(platform, place.type)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function toggled(chosen: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(chosen);
  if (!next.delete(id)) next.add(id);
  return next;
}
