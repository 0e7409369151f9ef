import { restoreCopy } from "#app/copy/restore.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { restoreWords } from "#connectors/registry/restore-words.generated.ts";
import type { PlaceView } from "#core/inventory/views.ts";
import { SelectField } from "./select-field.tsx";

/** Chooses the place that a restore goes to, and says what the chosen one keeps back. */
export function PlaceField({
  platform,
  places,
  value,
  onChoose,
  label = restoreCopy.place,
  hint,
  isChosenAtFirst = false,
  isLoading = false,
}: {
  platform: string;
  places: readonly PlaceView[];
  /** Id of the chosen place; null = none yet. */
  value: string | null;
  onChoose: (placeId: string | null) => void;
  label?: string;
  hint?: string | undefined;
  /** One of them is chosen already, so there is no "none". */
  isChosenAtFirst?: boolean;
  /** The platform is being asked for them. */
  isLoading?: boolean;
}) {
  const words = restoreWords[platform];
  const types = words?.placeTypes ?? restoreCopy.placeTypes;
  const isPartly = places.some(({ id, restores }) => id === value && restores === "partly");
  const platformLabel = descriptors.find(({ id }) => id === platform)?.label ?? platform;
  return (
    <SelectField
      label={label}
      required
      disabled={isLoading}
      hint={isPartly ? words?.partlyPlace : hint}
      value={value ?? ""}
      onChange={(event) => onChoose(event.target.value === "" ? null : event.target.value)}
    >
      {isLoading && <option value="">{restoreCopy.restorePlaces.loading(platformLabel)}</option>}
      {!isLoading && !isChosenAtFirst && <option value="">{restoreCopy.placeChoose}</option>}
      {places.map((place) => (
        <option key={place.id} value={place.id}>
          {`${place.name} (${types[place.type]})`}
        </option>
      ))}
    </SelectField>
  );
}
