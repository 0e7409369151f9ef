import { useQuery } from "@tanstack/react-query";
import { isOffered } from "#app/api/call-platform.ts";
import { whenWanted } from "#app/api/use-lasting-query.ts";
import { SelectField } from "#app/components/select-field.tsx";
import { addItemsCopy as copy } from "#app/copy/item-dialogs.ts";
import type { PlatformDescriptor } from "#connectors/contract/descriptor.ts";
import { availablePlacesQuery } from "./list-queries.ts";

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
  const query = availablePlacesQuery({ platform, connectionId }, kind);
  const { data: places = [] } = useQuery(whenWanted(isAsked, query));
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
