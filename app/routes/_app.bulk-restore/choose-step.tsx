import { Link } from "@remix-run/react";
import { ChevronDown, CircleAlert, Plus, X } from "lucide-react";
import { useId } from "react";
import type { BulkItem } from "#app/bulk/bulk-items.schema.ts";
import { MOST_ITEMS, type NameRules, nameFault, type RestorePoint } from "#app/bulk/bulk-rules.ts";
import { Button, buttonClass } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { IconButton } from "#app/components/icon-button.tsx";
import { bulkCopy as copy } from "#app/copy/bulk-restore.ts";
import { restoreCopy } from "#app/copy/restore.ts";
import { bytesText } from "#app/format/bytes.ts";
import { dateTimeText } from "#app/format/dates.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { ItemTags } from "#app/items/item-name.tsx";
import type { ItemKind } from "#connectors/contract/descriptor.ts";
import type { BulkState } from "./use-bulk-order.ts";

type ChooseTableProps = {
  state: BulkState;
  kind: ItemKind;
  rules: NameRules;
  /** Opens the choice of an item's target. */
  onTarget: (item: BulkItem) => void;
  timeZone: string;
  now: number;
};

/** Step 1: a version and a new name for each item, or a target if restores go into existing items. */
export function ChooseStep({
  state,
  kind,
  rules,
  onTarget,
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
      {items.length === 0 ? (
        <p className="bulk__none soft" role="status">
          {copy.none}
        </p>
      ) : (
        <ChooseTable {...{ state, kind, rules, onTarget, timeZone, now }} />
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

function ChooseTable({ state, kind, rules, onTarget, timeZone, now }: ChooseTableProps) {
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
            kind={kind}
            onTarget={() => onTarget(item)}
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
  kind,
  onTarget,
  timeZone,
  now,
  onChange,
  onRemove,
}: {
  item: BulkItem;
  points: readonly RestorePoint[] | null;
  rules: NameRules;
  kind: ItemKind;
  onTarget: () => void;
  timeZone: string;
  now: number;
  onChange: (change: Partial<Pick<BulkItem, "name" | "ver" | "verDate">>) => void;
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
          <TargetButton item={item} kind={kind} onOpen={onTarget} />
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

/** Shows the target of an item and opens its choice (spec P-108). */
function TargetButton({ item, kind, onOpen }: { item: BulkItem; kind: ItemKind; onOpen: () => void }) {
  const isOpen = item.name === "";
  return (
    <>
      <button
        type="button"
        className="text-field select-field bulk-table__target"
        aria-label={`${copy.targetOf(item.idName)}: ${isOpen ? copy.chooseTarget(kind.one) : visibleName(item.intoName)}`}
        aria-haspopup="dialog"
        onClick={onOpen}
      >
        <span className={isOpen ? "soft clip" : "clip"} dir="auto">
          {isOpen ? copy.chooseTarget(kind.one) : visibleName(item.intoName)}
        </span>
        <ChevronDown aria-hidden />
      </button>
      {item.isSame && <span className="field__hint warn-t">{restoreCopy.target.same(kind.one)}</span>}
    </>
  );
}
