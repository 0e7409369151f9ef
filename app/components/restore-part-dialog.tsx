import { useNavigate } from "@remix-run/react";
import { useEffect, useId, useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import { restoreCopy } from "#app/copy/restore.ts";
import { restorePartCopy as copy } from "#app/copy/restore-part.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { Button } from "./button.tsx";
import { Callout } from "./callout.tsx";
import { Dialog } from "./dialog.tsx";
import { Field } from "./field.tsx";
import { PartPlan, type RestoredPart } from "./part-plan.tsx";
import { PlaceField } from "./place-field.tsx";
import { fetchTargets, type RestoreTargets, startPartRestore } from "./restore-part-calls.ts";
import { SearchField } from "./search-field.tsx";
import { SelectField } from "./select-field.tsx";
import { notify } from "./toasts.ts";

export type RestorePartDialogProps = {
  isOpen: boolean;
  onClose: () => void;
  platform: string;
  /** Kept while the dialog closes. */
  part: RestoredPart | null;
  timeZone: string;
};

/** The option value for a new item. Platforms never use such an id. */
const NEW = " new";

/** Restores one card or list of a version, into an existing item of the account or a new one. */
export default function RestorePartDialog({ isOpen, onClose, part, ...rest }: RestorePartDialogProps) {
  const name = part === null ? "" : visibleName(part.title.trim()) || part.path;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={
        <span className="title-name" dir="auto">
          {copy.title(name)}
        </span>
      }
      description={part === null ? undefined : copy.description[part.kind]}
      size="l"
      isFlush
    >
      {isOpen && part !== null && <PartForm {...rest} part={part} onClose={onClose} />}
    </Dialog>
  );
}

function PartForm({
  platform,
  part,
  timeZone,
  onClose,
}: Omit<RestorePartDialogProps, "isOpen" | "part"> & { part: RestoredPart }) {
  const navigate = useNavigate();
  const formId = useId();
  const [search, setSearch] = useState("");
  const { targets, failure } = useTargets(part.itemId, search);
  const [target, setTarget] = useState<string | null>(null);
  const [name, setName] = useState("");
  const [placeId, setPlaceId] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const descriptor = descriptors.find(({ id }) => id === platform);
  const kind = descriptor?.itemKinds[0] ?? { one: "item", many: "items" };
  const limit = descriptor?.limits.restoredNameLength ?? 100;
  const source = targets?.items.find(({ isSource }) => isSource);
  const chosen = target ?? source?.externalId ?? null;
  const isNew = chosen === NEW;
  const places = targets?.places ?? [];
  const place = places.find(({ id }) => id === placeId);
  const found = targets?.items.find(({ externalId }) => externalId === chosen);
  const isNameLong = name.trim().length > limit;
  const reason =
    chosen === null
      ? copy.reasons.target
      : isNew && isNameLong
        ? copy.reasons.name
        : isNew && places.length > 0 && place === undefined
          ? copy.reasons.place
          : null;

  async function restore() {
    if (reason !== null || isSending || chosen === null) return;
    setIsSending(true);
    setError(null);
    try {
      await startPartRestore({
        itemId: part.itemId,
        snapshotId: part.snapshotId,
        path: part.path,
        into: isNew ? null : chosen,
        name: isNew && name.trim() !== "" ? name.trim() : null,
        place: isNew ? (place?.externalId ?? null) : null,
      });
      const history = `/platform/backups/${platform}?id=${encodeURIComponent(part.itemId)}`;
      notify(copy.started, { action: { label: copy.see, run: () => navigate(history) } });
      onClose();
    } catch (caught) {
      if (!(caught instanceof ApiError)) throw caught;
      setError(caught.message === "" ? copy.failed : caught.message);
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
            void restore();
          }}
        >
          {(targets?.hasMore || search !== "") && (
            <SearchField value={search} label={copy.search(kind.many)} onSearch={setSearch} />
          )}
          <SelectField
            label={copy.into}
            required
            hint={isNew ? copy.hint.new : copy.hint[part.kind]}
            value={chosen ?? ""}
            onChange={(event) => setTarget(event.target.value === "" ? null : event.target.value)}
          >
            <option value="">{targets === null && failure === null ? copy.loading : copy.choose}</option>
            <optgroup label={copy.existing(kind.many)}>
              {targets?.items.map(({ externalId, fullName, isSource }) => (
                <option key={externalId} value={externalId}>
                  {isSource ? copy.isSource(visibleName(fullName)) : visibleName(fullName)}
                </option>
              ))}
            </optgroup>
            <optgroup label={copy.new}>
              <option value={NEW}>{copy.aNew(kind.one)}</option>
            </optgroup>
          </SelectField>
          {targets?.hasMore && <p className="meta">{copy.more}</p>}
          {failure !== null && <Callout tone="bad">{failure}</Callout>}
          {isNew && (
            <>
              <Field
                label={restoreCopy.name}
                value={name}
                errors={isNameLong ? [restoreCopy.nameTooLong(limit)] : undefined}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => setName(event.target.value)}
              />
              {places.length > 0 && (
                <PlaceField platform={platform} places={places} value={placeId} onChoose={setPlaceId} />
              )}
            </>
          )}
          {error !== null && <Callout tone="bad">{error}</Callout>}
        </form>
        <PartPlan part={part} into={isNew ? "new" : "existing"} platform={platform} timeZone={timeZone} />
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
            {isNew ? restoreCopy.submitUnnamed(kind.one) : copy.submit(visibleName(found?.name ?? kind.one))}
          </span>
        </Button>
      </div>
    </>
  );
}

/** The possible targets. Keeps the last result while new targets are loading. */
function useTargets(
  itemId: string,
  search: string,
): { targets: RestoreTargets | null; failure: string | null } {
  const [targets, setTargets] = useState<RestoreTargets | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    fetchTargets({ itemId, name: search === "" ? null : search, signal: abort.signal }).then(
      (found) => {
        setTargets(found);
        setFailure(null);
      },
      (error: unknown) => {
        if (error instanceof ApiError) setFailure(error.message);
      },
    );
    return () => abort.abort();
  }, [itemId, search]);
  return { targets, failure };
}
