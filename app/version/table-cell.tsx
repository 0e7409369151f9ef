import { Square, SquareCheck } from "lucide-react";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { dateText, dateTimeText } from "#app/format/dates.ts";
import { visibleName } from "#app/format/visible-text.ts";
import type { TableCell } from "#connectors/contract/table-view.ts";
import type { Times } from "./note-list.tsx";
import { TagList } from "./tag-list.tsx";

/** The value of a cell; nothing for an empty one. */
export function CellView({ cell, times }: { cell: TableCell | undefined; times: Times }) {
  if (cell === undefined) return null;
  switch (cell.type) {
    case "text":
      return <span dir="auto">{visibleName(cell.text)}</span>;
    case "number":
      return <span className="mono">{visibleName(cell.text)}</span>;
    case "date":
      return <span className="mono-meta">{spanText(cell, times)}</span>;
    case "check": {
      const Icon = cell.isOn ? SquareCheck : Square;
      return (
        <span title={cell.isOn ? copy.yes : copy.no}>
          <Icon className="icon-s" aria-hidden />
          <span className="sr">{cell.isOn ? copy.yes : copy.no}</span>
        </span>
      );
    }
    case "tags":
      return <TagList tags={cell.tags} />;
    case "files":
      return <span dir="auto">{cell.files.map(({ name }) => visibleName(name)).join(", ")}</span>;
    case "rows":
      return <span dir="auto">{cell.rows.map(({ title }) => visibleName(title)).join(", ")}</span>;
    default:
      return cell satisfies never;
  }
}

/** Formats a day, a moment or a span. A date without a time is the same day in every time zone. */
function spanText(
  { from, until, hasTime }: Extract<TableCell, { type: "date" }>,
  { timeZone, now }: Times,
): string {
  const at = (moment: number) =>
    hasTime ? dateTimeText(moment, timeZone, now) : dateText(moment, "UTC", now);
  return until === null ? at(from) : copy.span(at(from), at(until));
}
