import { Callout } from "#app/components/callout.tsx";
import { Field } from "#app/components/field.tsx";
import { restoreCopy as copy } from "#app/copy/restore.ts";
import { restoreWords } from "#connectors/registry/restore-words.generated.ts";
import { PlaceField } from "./place-field.tsx";
import {
  checkRestore,
  chosenPlace,
  defaultRestoreName,
  isSameItem,
  type RestoreEntries,
  UNNAMED,
} from "./restore-form.ts";
import { kindOf, type RestoreFieldsProps } from "./restore-subject.ts";
import { RestoreTargetField } from "./restore-target-field.tsx";
import type { TargetsState } from "./use-restore-targets.ts";

/** The target of a restore: an existing item, or a new one with its name and place. */
export function RestoreTargetPart({
  subject,
  rules,
  targets,
  places,
  placeHint,
  isAskingPlaces = false,
  entries,
  onChange,
}: RestoreFieldsProps & {
  entries: RestoreEntries;
  onChange: (change: Partial<RestoreEntries>) => void;
}) {
  const { platform, part } = subject;
  const kind = kindOf(subject);
  const { into } = entries;
  const isNew = into === "new";
  const addsPart = part === null ? undefined : restoreWords[platform]?.addsPart?.[part.kind];
  const chosen = into === null || isNew ? undefined : targetIn(targets, into);
  const isSame = part === null && chosen !== undefined && isSameItem(chosen, subject.item?.name ?? null);
  const unmatched = isNew ? undefined : restoreWords[platform]?.unmatched?.[subject.item?.typeKey ?? ""];
  return (
    <>
      {rules.targets.includes("existing") && (
        <RestoreTargetField
          kind={kind}
          kinds={rules.targets}
          state={targets}
          value={into}
          hint={part !== null && isNew ? copy.part.ofNew : addsPart}
          onChoose={(chosen) => onChange({ into: chosen })}
        />
      )}
      {isSame && <Callout tone="warn">{copy.target.same(kind.one)}</Callout>}
      {unmatched && (
        <Callout>
          <p>
            <b className="medium">{unmatched.what}</b> {unmatched.instead}
          </p>
        </Callout>
      )}
      {isNew && (
        <NameField subject={subject} rules={rules} entries={entries} onName={(name) => onChange({ name })} />
      )}
      {isNew && (rules.offersPlace || isAskingPlaces) && (
        <PlaceField
          platform={platform}
          places={places}
          value={chosenPlace(places, entries.placeId, rules)?.id ?? null}
          hint={placeHint}
          isChosenAtFirst={!rules.needsPlace}
          isLoading={isAskingPlaces}
          onChoose={(placeId) => onChange({ placeId })}
        />
      )}
      {isNew && !rules.offersPlace && placeHint && <p className="field__hint">{placeHint}</p>}
    </>
  );
}

/** The chosen target. One that a later search no longer lists is unknown. */
const targetIn = ({ targets }: TargetsState, { externalId }: { externalId: string }) =>
  targets?.items.find((item) => item.externalId === externalId);

function NameField({
  subject,
  rules,
  entries,
  onName,
}: Pick<RestoreFieldsProps, "subject" | "rules"> & {
  entries: RestoreEntries;
  onName: (name: string) => void;
}) {
  if (rules.isUnnamed) {
    const hint = copy.unnamed(kindOf(subject).one);
    return <Field label={copy.name} value={UNNAMED} disabled readOnly hint={hint} />;
  }
  const fallback = subject.item && defaultRestoreName(subject.item.name, rules.nameLimit);
  return (
    <Field
      label={copy.name}
      value={entries.name}
      placeholder={fallback ?? undefined}
      hint={fallback && copy.nameHint(fallback)}
      errors={listOf(checkRestore(entries, rules).name)}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onName(event.target.value)}
    />
  );
}

function listOf(text: string | null): string[] | undefined {
  return text === null ? undefined : [text];
}
