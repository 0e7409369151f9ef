import { useEffect, useId, useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import { callPlatform } from "#app/api/call-platform.ts";
import { fetchHistory } from "#app/api/fetch-history.ts";
import { restoreCopy } from "#app/copy/restore.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { restoreWords } from "#connectors/registry/restore-words.generated.ts";
import type { HistoryRow } from "#core/backups/views.ts";
import type { ItemView, PlaceView } from "#core/inventory/views.ts";
import { Button } from "./button.tsx";
import { Callout } from "./callout.tsx";
import { Checkbox } from "./checkbox.tsx";
import { Dialog } from "./dialog.tsx";
import { Field } from "./field.tsx";
import { PlaceField } from "./place-field.tsx";
import {
  checkRestore,
  chosenPlace,
  defaultRestoreName,
  type RestoreEntries,
  restorableVersions,
  restoreReason,
  restoreRequest,
  restoreRules,
  UNNAMED,
} from "./restore-form.ts";
import { RestorePlan } from "./restore-plan.tsx";
import { notify } from "./toasts.ts";
import { useRestorePlaces } from "./use-restore-places.ts";
import { VersionStrip } from "./version-strip.tsx";

export type RestoreDialogProps = {
  isOpen: boolean;
  onClose: () => void;
  item: ItemView;
  /** The version selected initially; "latest" = the newest one that can be restored. */
  snapshotId: string | "latest";
  /** Versions to choose from; fetched when omitted. */
  rows?: readonly HistoryRow[];
  /** Places that the item can be restored into. */
  places: readonly PlaceView[];
  timeZone: string;
  now: number;
  /** Called after the restore was accepted. */
  onStarted?: () => void;
};

/** Restores one version into a new item (spec part 2 section 5). The original never changes. */
export default function RestoreDialog(props: RestoreDialogProps) {
  const { item, isOpen, onClose } = props;
  const kind = kindOf(item);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={restoreCopy.title(item.name)}
      description={restoreCopy.description(kind.one)}
      size="l"
      isFlush
    >
      {isOpen && <RestoreForm {...props} />}
    </Dialog>
  );
}

function RestoreForm({
  item,
  snapshotId,
  rows,
  places: added,
  timeZone,
  now,
  onClose,
  onStarted,
}: RestoreDialogProps) {
  const { places, hint: placeHint, isLoading: isAskingPlaces } = useRestorePlaces(item, added);
  const descriptor = descriptors.find(({ id }) => id === item.platform);
  const rules = restoreRules(descriptor, item.kind, places);
  const { versions, isLoading, failure } = useVersions(item.id, rows);
  const choices = restoreWords[item.platform]?.options.filter(({ kind }) => kind === item.kind) ?? [];
  const [entries, setEntries] = useState<RestoreEntries>(() => ({
    snapshotId: snapshotId === "latest" ? null : snapshotId,
    name: "",
    placeId: null,
    emails: "",
    options: Object.fromEntries(choices.map(({ name, isOnAtFirst }) => [name, isOnAtFirst])),
  }));
  const [isEmailLeft, setIsEmailLeft] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);
  const formId = useId();
  const set = (change: Partial<RestoreEntries>) => setEntries((before) => ({ ...before, ...change }));

  const chosen = versions.find((row) => row.snapshotId === entries.snapshotId) ?? null;
  const version = entries.snapshotId === null ? (versions[0] ?? null) : chosen;
  const place = chosenPlace(places, entries.placeId, rules);
  const current = { ...entries, snapshotId: version?.snapshotId ?? null };
  const isBusy = item.activeRun?.kind === "backup" || item.activeRun?.kind === "restore";
  const reason =
    restoreReason(current, rules, isBusy, versions) ?? (isAskingPlaces ? restoreCopy.reasons.place : null);
  const wrong = checkRestore(entries, rules);
  const fallback = defaultRestoreName(item.name, rules.nameLimit);
  const newName = entries.name.trim() === "" ? fallback : entries.name.trim();
  const kind = kindOf(item);

  async function restore() {
    if (reason !== null || isSending || current.snapshotId === null) return;
    setIsSending(true);
    setError(null);
    try {
      const request = restoreRequest(item, { ...current, snapshotId: current.snapshotId }, places, rules);
      await callPlatform({ platform: item.platform, does: "restore-items", kind: item.kind }, request);
      notify(restoreCopy.started);
      onStarted?.();
      onClose();
    } catch (caught) {
      if (!(caught instanceof ApiError)) throw caught;
      setError(caught.message === "" ? restoreCopy.failed : caught.message);
      setIsSending(false);
    }
  }

  return (
    <>
      <div className="dialog__body">
        <form
          method="post"
          id={formId}
          className="dialog__form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            setIsEmailLeft(true);
            void restore();
          }}
        >
          <VersionStrip
            ribbon={item.ribbon}
            versions={versions}
            version={version}
            isLoading={isLoading}
            failure={failure}
            timeZone={timeZone}
            now={now}
            onChoose={(next) => set({ snapshotId: next })}
          />
          {rules.isUnnamed ? (
            <Field
              label={restoreCopy.name}
              value={UNNAMED}
              disabled
              readOnly
              hint={restoreCopy.unnamed(kind.one)}
            />
          ) : (
            <Field
              label={restoreCopy.name}
              value={entries.name}
              placeholder={fallback}
              hint={restoreCopy.nameHint(fallback)}
              errors={listOf(wrong.name)}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => set({ name: event.target.value })}
            />
          )}
          {(rules.offersPlace || isAskingPlaces) && (
            <PlaceField
              platform={item.platform}
              places={places}
              value={place?.id ?? null}
              hint={placeHint}
              isChosenAtFirst={!rules.needsPlace}
              isLoading={isAskingPlaces}
              onChoose={(placeId) => set({ placeId })}
            />
          )}
          {!rules.offersPlace && placeHint && <p className="field__hint">{placeHint}</p>}
          <Field
            label={restoreCopy.emails}
            aside={<span className="field__hint">{restoreCopy.optional}</span>}
            value={entries.emails}
            hint={restoreCopy.emailsHint}
            errors={isEmailLeft ? listOf(wrong.emails) : undefined}
            inputMode="email"
            autoComplete="email"
            spellCheck={false}
            onChange={(event) => set({ emails: event.target.value.replace(/\s/g, "") })}
            onFocus={() => setIsEmailLeft(false)}
            onBlur={() => setIsEmailLeft(true)}
          />
          {choices.length > 0 && (
            <fieldset className="choice-lines">
              <legend className="sr">{restoreCopy.options}</legend>
              {choices.map(({ name, label, help }) => (
                <label key={name} className="choice-line" htmlFor={`${formId}-${name}`}>
                  <Checkbox
                    id={`${formId}-${name}`}
                    checked={entries.options[name] ?? false}
                    onCheckedChange={(checked) =>
                      set({ options: { ...entries.options, [name]: checked === true } })
                    }
                  />
                  <span>
                    {label}
                    <span className="field__hint">{help}</span>
                  </span>
                </label>
              ))}
            </fieldset>
          )}
          {error !== null && <Callout tone="bad">{error}</Callout>}
        </form>
        <RestorePlan
          item={item}
          version={version}
          options={entries.options}
          placeId={place?.externalId ?? null}
          timeZone={timeZone}
        />
      </div>
      <div className="dialog__foot">
        <Button variant="ghost" onClick={onClose}>
          {restoreCopy.cancel}
        </Button>
        <Button
          type="submit"
          form={formId}
          variant="solid"
          className="btn-clip"
          isBusy={isSending}
          reason={reason}
          onClick={undefined}
        >
          <span className="clip">
            {rules.isUnnamed ? restoreCopy.submitUnnamed(kind.one) : restoreCopy.submit(newName)}
          </span>
        </Button>
      </div>
    </>
  );
}

/** The given versions, or the newest page of them, fetched when the dialog opens. */
function useVersions(itemId: string, given: readonly HistoryRow[] | undefined) {
  const [fetched, setFetched] = useState<{ rows: HistoryRow[] | null; failure: string | null }>({
    rows: null,
    failure: null,
  });
  const isGiven = given !== undefined;
  useEffect(() => {
    if (isGiven) return;
    const abort = new AbortController();
    fetchHistory({ itemId, page: 0, signal: abort.signal }).then(
      (view) => setFetched({ rows: view.rows, failure: null }),
      (error: unknown) => {
        if (error instanceof ApiError) setFetched({ rows: [], failure: error.message });
      },
    );
    return () => abort.abort();
  }, [itemId, isGiven]);
  return {
    versions: restorableVersions(given ?? fetched.rows ?? []),
    isLoading: !isGiven && fetched.rows === null,
    failure: fetched.failure,
  };
}

function kindOf(item: ItemView): { one: string } {
  const kinds = descriptors.find(({ id }) => id === item.platform)?.itemKinds;
  return kinds?.find(({ id }) => id === item.kind) ?? { one: item.kind };
}

function listOf(text: string | null): string[] | undefined {
  return text === null ? undefined : [text];
}
