import { useEffect, useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import { isOffered } from "#app/api/call-platform.ts";
import { SelectField } from "#app/components/select-field.tsx";
import { addItemsCopy as copy } from "#app/copy/item-dialogs.ts";
import type { PlatformDescriptor } from "#connectors/contract/descriptor.ts";
import type { AvailablePlace } from "./calls.ts";
import { loadCalls } from "./lazy-calls.ts";

/**
 * Filters the items by place, for platforms whose places are not added individually but whose items have several, such
 * as groups. Renders nothing with fewer than two places or when loading fails.
 */
export function PlaceFilter({
  descriptor,
  connectionId,
  kind,
  value,
  onChoose,
}: {
  descriptor: PlatformDescriptor;
  connectionId: string | null;
  kind: string;
  /** The platform's id of the selected place; null = all. */
  value: string | null;
  onChoose: (placeId: string | null) => void;
}) {
  const { id: platform, supports } = descriptor;
  const isAsked = !supports.places && isOffered({ platform, does: "list-available-places", kind });
  const [places, setPlaces] = useState<readonly AvailablePlace[]>([]);
  useEffect(() => {
    if (!isAsked) return;
    const flight = new AbortController();
    loadCalls()
      .then(({ fetchAvailablePlaces }) =>
        fetchAvailablePlaces({ platform, connectionId }, kind, flight.signal),
      )
      .then(setPlaces, (cause: unknown) => {
        if (!flight.signal.aborted && !(cause instanceof ApiError)) throw cause;
      });
    return () => flight.abort();
  }, [isAsked, platform, connectionId, kind]);
  if (places.length < 2) return null;
  return (
    <SelectField
      label={copy.place}
      value={value ?? ""}
      onChange={(event) => onChoose(event.target.value === "" ? null : event.target.value)}
    >
      <option value="">{copy.allPlaces}</option>
      {places.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
