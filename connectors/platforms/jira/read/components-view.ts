import { z } from "zod";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { TableColumn, TableView } from "#connectors/contract/table-view.ts";
import { recordPaths } from "../record-paths.ts";
import { personSchema } from "../record-types.ts";
import { filled, recordTable, textCell } from "./record-table.ts";

/** A component, as the API sends it (`ProjectComponent` in the contract). */
const componentSchema = z.looseObject({
  name: z.string().catch(""),
  description: z.string().nullish(),
  lead: personSchema.nullish().catch(null),
  assigneeType: z.string().nullish(),
});

const COLUMNS: TableColumn[] = [
  { id: "lead", name: "Lead", type: "text" },
  { id: "assignee", name: "Assigned by default", type: "text" },
  { id: "text", name: "Description", type: "text" },
];

/** To whom Jira gives a new issue of the component. */
const ASSIGNEES: Readonly<Record<string, string>> = {
  PROJECT_DEFAULT: "As in the project",
  COMPONENT_LEAD: "Lead of the component",
  PROJECT_LEAD: "Lead of the project",
  UNASSIGNED: "Nobody",
};

/** The components of the project. */
export function componentsView(snapshot: SnapshotView): TableView {
  return recordTable(snapshot, {
    ...{ prefix: recordPaths.components, kind: "component", schema: componentSchema },
    facts: { title: "Components", columns: COLUMNS },
    rowOf: ({ name, description, lead, assigneeType }) => ({
      title: name,
      isArchived: false,
      cells: filled({
        lead: textCell(lead?.displayName),
        assignee: textCell(ASSIGNEES[assigneeType ?? ""]),
        text: textCell(description),
      }),
      texts: description ? [description] : [],
    }),
  });
}
