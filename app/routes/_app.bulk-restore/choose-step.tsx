import { Link } from "@remix-run/react";
import { ChevronDown, CircleAlert, Plus, X } from "lucide-react";
import { useId } from "react";
import type { BulkItem } from "#app/bulk/bulk-items.schema.ts";
import { MOST_ITEMS, type NameRules, nameFault, type RestorePoint } from "#app/bulk/bulk-rules.ts";
import { Button, buttonClass } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { IconButton } from "#app/components/icon-button.tsx";
import { SearchField } from "#app/components/search-field.tsx";
import { bulkCopy as copy } from "#app/copy/bulk-restore.ts";
import { restoreCopy } from "#app/copy/restore.ts";
import { bytesText } from "#app/format/bytes.ts";
import { dateTimeText } from "#app/format/dates.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { ItemTags } from "#app/items/item-name.tsx";
import type { TargetsState } from "#app/restore/use-restore-targets.ts";
import type { ItemKind } from "#connectors/contract/descriptor.ts";
import type { BulkState } from "./use-bulk-order.ts";

type ChooseTableProps = {
  state: BulkState;
  kind: ItemKind;
  rules: NameRules;
  /** Possible targets. */
  targets: TargetsState;
  timeZone: string;
  now: number;
};

/** Step 1: a version and a new name for each item, or a target if restores go into existing items. */
export function ChooseStep({
  state,
  kind,
  rules,
  targets,
  timeZone,
  now,
  hasProFeatures,
  nextReason,
  cancelTo,
  onAdd,
  onNext,
}: ChooseTableProps & {
  hasProFeatures: boolean;
  nextReason: string | null;
  cancelTo: string;
  onAdd: () => void;
  onNext: () => void;
}) {
  const { items, failure } = state;
  const isFull = items.length >= MOST_ITEMS;
  const isGated = !hasProFeatures && items.length > 0;
  return (
    <>
      {failure !== null && (
        <div className="bulk__note">
          <Callout
            tone="bad"
            action={
              <Button size="s" onClick={state.retry}>
                {copy.retry}
              </Button>
            }
          >
            {`${copy.failed} ${failure}`}
          </Callout>
        </div>
      )}
      {rules.isIntoExisting && items.length > 0 && (
        <div className="bulk__note">
          <SearchField
            value={targets.search}
            label={copy.searchTargets(kind.many)}
            onSearch={targets.setSearch}
          />
          {targets.failure !== null && <Callout tone="bad">{targets.failure}</Callout>}
        </div>
      )}
      {items.length === 0 ? (
        <p className="bulk__none soft" role="status">
          {copy.none}
        </p>
      ) : (
        <ChooseTable {...{ state, kind, rules, targets, timeZone, now }} />
      )}
      <div className="bulk__add">
        <Button
          reason={isFull ? copy.addFull(MOST_ITEMS) : null}
          aria-describedby="bulk-count"
          onClick={onAdd}
        >
          <Plus aria-hidden />
          {copy.add}
          {isGated && <span className="tag">{copy.addPlan}</span>}
        </Button>
        <span className="meta" id="bulk-count" role="status">
          {copy.count(items.length, MOST_ITEMS)}
        </span>
      </div>
      <div className="form-actions">
        <Link className={buttonClass({ variant: "ghost", size: "l" })} to={cancelTo}>
          {copy.cancel}
        </Link>
        <Button variant="solid" size="l" className="push" reason={nextReason} onClick={onNext}>
          {copy.next}
        </Button>
      </div>
    </>
  );
}

function ChooseTable({ state, kind, rules, targets, timeZone, now }: ChooseTableProps) {
  return (
    <table className="data-table bulk-table">
      <thead>
        <tr>
          <th scope="col">{copy.columns.item(kind.one)}</th>
          <th scope="col">{copy.columns.version}</th>
          <th scope="col">{rules.isIntoExisting ? copy.columns.to : copy.columns.name}</th>
          <th>
            <span className="sr">{copy.columns.remove}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {state.items.map((item) => (
          <ChooseRow
            key={item.id}
            item={item}
            points={state.points?.[item.id] ?? null}
            rules={rules}
            targets={targets}
            timeZone={timeZone}
            now={now}
            onChange={(change) => state.change(item.id, change)}
            onRemove={() => state.remove(item.id)}
          />
        ))}
      </tbody>
    </table>
  );
}

function ChooseRow({
  item,
  points,
  rules,
  targets,
  timeZone,
  now,
  onChange,
  onRemove,
}: {
  item: BulkItem;
  points: readonly RestorePoint[] | null;
  rules: NameRules;
  targets: TargetsState;
  timeZone: string;
  now: number;
  onChange: (change: Partial<Pick<BulkItem, "name" | "intoName" | "ver" | "verDate">>) => void;
  onRemove: () => void;
}) {
  return (
    <tr>
      <td>
        <span className="item-name__top">
          <span className="clip">{item.idName}</span>
          <ItemTags tags={item.tags} />
        </span>
      </td>
      <td>
        {points?.length === 0 ? (
          <span className="bad-t">{copy.noVersion}</span>
        ) : (
          <span className="text-field select-field">
            <select
              aria-label={copy.versionOf(item.idName)}
              value={item.ver}
              disabled={points === null}
              onChange={(event) => {
                const point = points?.find(({ snapshotId }) => snapshotId === event.target.value);
                onChange({ ver: event.target.value, verDate: point?.date ?? null });
              }}
            >
              {points === null && <option value={item.ver}>{copy.loading}</option>}
              {points?.map((point) => (
                <option key={point.snapshotId} value={point.snapshotId}>
                  {copy.option(dateTimeText(point.date, timeZone, now), bytesText(point.sizeBytes))}
                </option>
              ))}
            </select>
            <ChevronDown aria-hidden />
          </span>
        )}
      </td>
      <td>
        {rules.isIntoExisting ? (
          <TargetSelect item={item} targets={targets} onChange={onChange} />
        ) : (
          <NameInput item={item} rules={rules} onChange={onChange} />
        )}
      </td>
      <td className="bulk-table__remove">
        <IconButton label={copy.removeOf(item.idName)} onClick={onRemove}>
          <X aria-hidden />
        </IconButton>
      </td>
    </tr>
  );
}

function NameInput({
  item,
  rules,
  onChange,
}: {
  item: BulkItem;
  rules: NameRules;
  onChange: (change: Pick<BulkItem, "name">) => void;
}) {
  const id = useId();
  const fault = nameFault(item.name, rules);
  const isMissing = !rules.isUnnamed && item.name.trim() === "";
  return (
    <>
      <span className="text-field">
        <input
          aria-label={copy.nameOf(item.idName)}
          value={rules.isUnnamed ? copy.unnamed : item.name}
          disabled={rules.isUnnamed}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={fault !== null || isMissing ? true : undefined}
          aria-describedby={fault === null ? undefined : id}
          onChange={(event) => onChange({ name: event.target.value })}
        />
      </span>
      {fault !== null && (
        <span className="field__error" id={id}>
          <CircleAlert className="icon-s" aria-hidden />
          <span>{fault}</span>
        </span>
      )}
    </>
  );
}

/** Selects the target of an item. The selected one stays in the list during a search. */
function TargetSelect({
  item,
  targets,
  onChange,
}: {
  item: BulkItem;
  targets: TargetsState;
  onChange: (change: Pick<BulkItem, "name" | "intoName">) => void;
}) {
  const found = (targets.targets?.items ?? []).map(({ externalId: id, name }) => ({ id, name }));
  const isListed = item.name === "" || found.some(({ id }) => id === item.name);
  const options = isListed ? found : [{ id: item.name, name: item.intoName }, ...found];
  return (
    <span className="text-field select-field">
      <select
        aria-label={copy.targetOf(item.idName)}
        aria-invalid={item.name === "" ? true : undefined}
        value={item.name}
        onChange={({ target }) => {
          const chosen = options.find(({ id }) => id === target.value);
          onChange({ name: chosen?.id ?? "", intoName: chosen?.name ?? "" });
        }}
      >
        <option value="">{targets.targets === null ? restoreCopy.target.loading : copy.chooseTarget}</option>
        {options.map(({ id, name }) => (
          <option key={id} value={id}>
            {visibleName(name)}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden />
    </span>
  );
}
