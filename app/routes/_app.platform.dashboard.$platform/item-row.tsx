import { Link } from "@remix-run/react";
import { Checkbox } from "#app/components/checkbox.tsx";
import { Switch } from "#app/components/switch.tsx";
import { itemsCopy as copy } from "#app/copy/items.ts";
import { bytesText } from "#app/format/bytes.ts";
import { dateTimeText, fullDateTimeText, momentText } from "#app/format/dates.ts";
import { agoText } from "#app/format/duration.ts";
import { RetentionRibbon } from "#app/history/retention-ribbon.tsx";
import { ItemName } from "#app/items/item-name.tsx";
import { canSelect } from "#app/items/item-state.ts";
import type { ItemView } from "#core/inventory/views.ts";
import { historyPath, placeNameOf } from "./history-path.ts";
import { ItemNote } from "./item-note.tsx";
import { RowActions } from "./row-actions.tsx";
import type { RowFrame } from "./row-frame.ts";
import { StatusBadge } from "./status-badge.tsx";

/** One protected item with its note. */
export function ItemRow({
  item,
  isSelected,
  onSelect,
  ...frame
}: RowFrame & { item: ItemView; isSelected: boolean; onSelect: (isSelected: boolean) => void }) {
  const { page, words, actions, timeZone, now } = frame;
  const isGone = item.status === "deleted";
  const look = [isSelected && "is-on", isGone && "is-gone"].filter(Boolean).join(" ");
  return (
    <>
      <tr className={look || undefined}>
        <td className="t-check">
          <Checkbox
            aria-label={copy.selectRow(item.name)}
            checked={isSelected}
            disabled={!page.canManage || !canSelect(item)}
            onCheckedChange={(checked) => onSelect(checked === true)}
          />
        </td>
        <td className="t-daily">
          <Switch
            aria-label={copy.dailyOf(item.name)}
            checked={item.isDaily}
            disabled={!page.canManage || item.status === "initialized" || isGone}
            onCheckedChange={(isDaily) => actions.setDaily([item], isDaily)}
          />
        </td>
        <td className="t-name">
          <ItemName
            name={
              <Link title={item.name} to={historyPath(item, words.kind.isSub, placeNameOf(page, item))}>
                {item.name}
              </Link>
            }
            tags={item.tags}
            description={item.description}
          />
        </td>
        <td className="t-last">
          <LastBackup item={item} timeZone={timeZone} now={now} />
        </td>
        <td className="num t-size">{item.lastBackupAt === null ? copy.never : bytesText(item.sizeBytes)}</td>
        <td className="t-status">
          <StatusBadge item={item} isTokenValid={frame.isTokenValid} now={now} />
        </td>
        <td className="t-act">
          <RowActions item={item} {...frame} />
        </td>
      </tr>
      <ItemNote item={item} {...frame} />
    </>
  );
}

function LastBackup({ item, timeZone, now }: { item: ItemView; timeZone: string; now: number }) {
  const { lastBackupAt } = item;
  return (
    <div className="last-backup">
      <span className="last-backup__when">
        {lastBackupAt === null ? (
          <>
            <span>{copy.never}</span>
            <span>{copy.added(momentText(item.createdAt, timeZone, now))}</span>
          </>
        ) : (
          <>
            <time
              dateTime={new Date(lastBackupAt).toISOString()}
              title={fullDateTimeText(lastBackupAt, timeZone)}
            >
              {dateTimeText(lastBackupAt, timeZone, now)}
            </time>
            <span>{agoText(lastBackupAt, now)}</span>
          </>
        )}
      </span>
      <RetentionRibbon days={item.ribbon} />
    </div>
  );
}
