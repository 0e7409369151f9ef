import { restoreCopy } from "#app/copy/restore.ts";
import type { PlaceView } from "#core/inventory/views.ts";
import { SelectField } from "./select-field.tsx";

/** Chooses the place that a restore goes to. */
export function PlaceField({
  places,
  value,
  onChoose,
  label = restoreCopy.place,
  hint,
}: {
  places: readonly PlaceView[];
  /** Id of the chosen place; null = none yet. */
  value: string | null;
  onChoose: (placeId: string | null) => void;
  label?: string;
  hint?: string;
}) {
  return (
    <SelectField
      label={label}
      required
      hint={hint}
      value={value ?? ""}
      onChange={(event) => onChoose(event.target.value === "" ? null : event.target.value)}
    >
      <option value="">{restoreCopy.placeChoose}</option>
      {places.map((place) => (
        <option key={place.id} value={place.id}>
          {`${place.name} (${restoreCopy.placeTypes[place.type]})`}
        </option>
      ))}
    </SelectField>
  );
}
