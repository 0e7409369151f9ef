import { Callout } from "#app/components/callout.tsx";
import { SearchField } from "#app/components/search-field.tsx";
import { SelectField } from "#app/components/select-field.tsx";
import { restoreCopy } from "#app/copy/restore.ts";
import { visibleName } from "#app/format/visible-text.ts";
import type { ItemKind, RestoreTargetKind } from "#connectors/contract/descriptor.ts";
import type { RestoreEntries } from "./restore-form.ts";
import type { TargetsState } from "./use-restore-targets.ts";

const copy = restoreCopy.target;
/** The option value for a new item. Platforms never use such an id. */
const NEW = " new";

/** Selects the target of a restore: an item of the account, with a search if there are many, or a new one. */
export function RestoreTargetField({
  kind,
  kinds,
  state,
  value,
  hint,
  onChoose,
}: {
  /** Names for the items. */
  kind: Pick<ItemKind, "one" | "many" | "restoredAs">;
  kinds: readonly RestoreTargetKind[];
  state: TargetsState;
  value: RestoreEntries["into"];
  hint?: string | undefined;
  onChoose: (into: RestoreEntries["into"]) => void;
}) {
  const { targets, failure, search, setSearch } = state;
  const items = targets?.items ?? [];
  const chosen = value === null ? "" : value === "new" ? NEW : value.externalId;
  return (
    <>
      {(targets?.hasMore || search !== "") && (
        <SearchField value={search} label={copy.search(kind.many)} onSearch={setSearch} />
      )}
      <SelectField
        label={restoreCopy.into}
        required
        hint={hint}
        value={chosen}
        onChange={({ target: { value: id } }) =>
          onChoose(id === "" ? null : id === NEW ? "new" : { externalId: id })
        }
      >
        <option value="">{targets === null && failure === null ? copy.loading : copy.choose}</option>
        <optgroup label={copy.existing(kind.many)}>
          {items.map(({ externalId, fullName, isSource }) => (
            <option key={externalId} value={externalId}>
              {isSource ? copy.isSource(visibleName(fullName)) : visibleName(fullName)}
            </option>
          ))}
        </optgroup>
        {kinds.includes("new") && (
          <optgroup label={copy.new}>
            <option value={NEW}>{copy.aNew(kind.restoredAs ?? kind.one)}</option>
          </optgroup>
        )}
      </SelectField>
      {targets?.hasMore && <p className="meta">{copy.more}</p>}
      {failure !== null && <Callout tone="bad">{failure}</Callout>}
    </>
  );
}
