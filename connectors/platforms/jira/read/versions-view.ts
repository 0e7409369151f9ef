import { z } from "zod";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { TableCell, TableColumn, TableView } from "#connectors/contract/table-view.ts";
import { timeOf } from "#connectors/toolkit/views/values.ts";
import { recordPaths } from "../record-paths.ts";
import { filled, recordTable } from "./record-table.ts";

/** A version, as the API sends it (`Version` in the contract). Days have no time. */
const versionSchema = z.looseObject({
  name: z.string().catch(""),
  description: z.string().nullish(),
  released: z.boolean().catch(false),
  archived: z.boolean().catch(false),
  overdue: z.boolean().catch(false),
  startDate: z.string().nullish(),
  releaseDate: z.string().nullish(),
});

const COLUMNS: TableColumn[] = [
  { id: "state", name: "Status", type: "tags" },
  { id: "start", name: "Start", type: "date" },
  { id: "release", name: "Release", type: "date" },
];

/** The versions of the project, which issues name as fixed in or affected. */
export function versionsView(snapshot: SnapshotView): TableView {
  return recordTable(snapshot, {
    ...{ prefix: recordPaths.versions, kind: "version", schema: versionSchema },
    facts: { title: "Versions", columns: COLUMNS },
    rowOf: (version) => ({
      title: version.name,
      isArchived: version.archived,
      cells: filled({
        state: stateOf(version),
        start: dayCell(version.startDate),
        release: dayCell(version.releaseDate),
      }),
      texts: version.description ? [version.description] : [],
    }),
  });
}

/** Jira shows one state: an archived version may be released, and only an open one is overdue. */
function stateOf({ archived, released, overdue }: z.output<typeof versionSchema>): TableCell {
  const shade = "normal";
  if (archived) return { type: "tags", tags: [{ name: "Archived", hue: "gray", shade }] };
  if (released) return { type: "tags", tags: [{ name: "Released", hue: "green", shade }] };
  if (overdue) return { type: "tags", tags: [{ name: "Overdue", hue: "red", shade }] };
  return { type: "tags", tags: [{ name: "Unreleased", hue: "blue", shade }] };
}

function dayCell(day: string | null | undefined): TableCell | undefined {
  const from = timeOf(day);
  return from === null ? undefined : { type: "date", from, until: null, hasTime: false };
}
