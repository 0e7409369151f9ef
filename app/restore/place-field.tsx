import { typeWord } from "#app/accounts/type-word.ts";
import { SelectField } from "#app/components/select-field.tsx";
import { restoreCopy } from "#app/copy/restore.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { restoreWords } from "#connectors/registry/restore-words.generated.ts";
import type { PlaceView } from "#core/connections/views.ts";

/** Selects the place to restore into, and shows what is limited there. */
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
  /** Id of the selected place; null = none yet. */
  value: string | null;
  onChoose: (placeId: string | null) => void;
  label?: string;
  hint?: string | undefined;
  /** A place is preselected, so there is no "none" option. */
  isChosenAtFirst?: boolean;
  /** The platform's places are being loaded. */
  isLoading?: boolean;
}) {
  const words = restoreWords[platform];
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
          {`${place.name} (${typeWord(platform, place.type)})`}
        </option>
      ))}
    </SelectField>
  );
}
