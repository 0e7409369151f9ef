import { browseCopy as copy } from "#app/copy/browse.ts";
import type { TableLayout } from "#connectors/contract/table-view.ts";

/** What a layout leaves out, and what of it is not applied here. Nothing when its rows stand as at the platform. */
export function LayoutNote({
  layout,
  isUnsorted,
}: {
  layout: TableLayout | undefined;
  /** True when the table is too long to order its rows. */
  isUnsorted: boolean;
}) {
  const lacks = layout?.lacks ?? [];
  const notes = [
    layout?.hasFilter && copy.filtered,
    lacks.includes("filter") && copy.withoutFilter,
    isUnsorted ? copy.tooLongToSort : lacks.includes("sort") && copy.withoutSort,
  ].filter((note) => typeof note === "string");
  return notes.length === 0 ? null : <p className="meta layout-note">{notes.join(" ")}</p>;
}
