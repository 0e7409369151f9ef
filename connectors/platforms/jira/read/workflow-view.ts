import { z } from "zod";
import type { Tag } from "#connectors/contract/field.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { TableColumn, TableLayout, TableView } from "#connectors/contract/table-view.ts";
import { recordPaths } from "../record-paths.ts";
import { issueTypeRecordSchema, statusRecordSchema } from "../record-types.ts";
import { readAll } from "./names.ts";
import { filled, recordTable, textCell } from "./record-table.ts";

/** A type with the ids of its statuses in the order of its workflow. Earlier releases stored none. */
const typeSchema = issueTypeRecordSchema.extend({ statuses: z.array(z.string()).catch([]) });
const statusSchema = statusRecordSchema.extend({ description: z.string().nullish() });

/** Workflows as `POST /workflows` sends them. Only who may administer the project sees them. */
const workflowsSchema = z.looseObject({
  statuses: z.array(z.looseObject({ id: z.string(), statusReference: z.string() })).catch([]),
  workflows: z
    .array(
      z.looseObject({
        name: z.string().catch(""),
        statuses: z.array(z.looseObject({ statusReference: z.string() })).catch([]),
        transitions: z
          .array(
            z.looseObject({
              name: z.string().catch(""),
              /** `INITIAL`, `GLOBAL` (from every status) or `DIRECTED`. */
              type: z.string(),
              toStatusReference: z.string().nullish(),
              links: z.array(z.looseObject({ fromStatusReference: z.string().nullish() })).catch([]),
            }),
          )
          .catch([]),
      }),
    )
    .catch([]),
});

/** A step that leads from one status to another. `from`: null = from every status of the workflow. */
type Step = { workflow: string; name: string; from: string | null; to: string };
type Workflows = { steps: Step[]; members: { workflow: string; statusId: string }[] };

const CATEGORIES: Readonly<Record<string, Tag>> = {
  new: { name: "To do", hue: "gray", shade: "normal" },
  indeterminate: { name: "In progress", hue: "blue", shade: "normal" },
  done: { name: "Done", hue: "green", shade: "normal" },
};

const CATEGORY: TableColumn = { id: "category", name: "Category", type: "tags" };
const TYPES: TableColumn = { id: "types", name: "Issue types", type: "text" };
const NEXT: TableColumn = { id: "next", name: "Leads to", type: "rows" };
/** The categories side by side, as Jira colours them. */
const BOARD: TableLayout = {
  ...{ id: "categories", label: "By category", type: "board", group: CATEGORY.id },
  columns: [TYPES.id],
  order: Object.values(CATEGORIES).map(({ name }) => name),
};

/**
 * The statuses of the project in the order of its workflows, and where each leads. Where the backup could not read the
 * workflows, the statuses stand alone.
 */
export async function workflowView(snapshot: SnapshotView): Promise<TableView> {
  const types = await readAll(snapshot, recordPaths.issueTypes, typeSchema);
  const statuses = await readAll(snapshot, recordPaths.statuses, statusSchema);
  const { steps, members } = await readWorkflows(snapshot);
  const nameOf = new Map(statuses.map(({ id, name }) => [id, name]));
  const place = new Map([...new Set(types.flatMap((type) => type.statuses))].map((id, index) => [id, index]));
  return recordTable(snapshot, {
    ...{ prefix: recordPaths.statuses, kind: "status", schema: statusSchema },
    facts: {
      title: "Workflow",
      columns: steps.length === 0 ? [CATEGORY, TYPES] : [CATEGORY, TYPES, NEXT],
      layouts: [BOARD],
    },
    rowOf: ({ id, name, description, statusCategory }) => {
      const own = new Set(members.flatMap(({ workflow, statusId }) => (statusId === id ? [workflow] : [])));
      const leaving = steps.filter(({ workflow, from, to }) => {
        return nameOf.has(to) && (from === null ? own.has(workflow) && to !== id : from === id);
      });
      const next = [...new Set(leaving.map(({ to }) => to))];
      const users = types.filter((type) => type.statuses.includes(id));
      const category = CATEGORIES[statusCategory?.key ?? ""];
      return {
        ...{ title: name, isArchived: false, rank: place.get(id) ?? place.size },
        cells: filled({
          category: category && { type: "tags", tags: [category] },
          types: textCell(users.map((type) => type.name).join(", ")),
          next:
            next.length === 0
              ? undefined
              : { type: "rows", rows: next.map((to) => ({ id: to, title: nameOf.get(to) ?? to })) },
        }),
        texts: [...(description ? [description] : []), ...leavingList(leaving, nameOf)],
      };
    },
  });
}

/** The steps that leave a status, as a list for each workflow. */
function leavingList(steps: readonly Step[], nameOf: ReadonlyMap<string, string>): string[] {
  const workflows = [...new Set(steps.map(({ workflow }) => workflow))];
  return workflows.map((workflow) => {
    const own = steps.filter((step) => step.workflow === workflow);
    const lines = own.map(({ name, to }) => `- ${plain(name)}: ${plain(nameOf.get(to) ?? "")}`);
    return [`**${plain(workflow)}**`, "", ...lines].join("\n");
  });
}

/** A name as Markdown that shows it as it is. */
function plain(name: string): string {
  return name.replace(/\s+/g, " ").replace(/[\\`*_[\]<>&~|#]/g, "\\$&");
}

async function readWorkflows(snapshot: SnapshotView): Promise<Workflows> {
  const path = recordPaths.setting("workflows");
  if ((await snapshot.find(path)) === null) return { steps: [], members: [] };
  const stored = workflowsSchema.safeParse(await snapshot.readRecord(path));
  if (!stored.success) return { steps: [], members: [] };
  const { statuses, workflows } = stored.data;
  const ids = new Map(statuses.map(({ id, statusReference }) => [statusReference, id]));
  /** The status of a reference, or none. */
  const idsOf = (reference: string | null | undefined): string[] => {
    const id = ids.get(reference ?? "");
    return id === undefined ? [] : [id];
  };
  return {
    members: workflows.flatMap(({ name: workflow, statuses: own }) =>
      own.flatMap(({ statusReference }) =>
        idsOf(statusReference).map((statusId) => ({ workflow, statusId })),
      ),
    ),
    steps: workflows.flatMap(({ name: workflow, transitions }) =>
      transitions.flatMap(({ name, type, toStatusReference, links }) =>
        idsOf(toStatusReference).flatMap((to): Step[] => {
          const step = { workflow, name, to };
          if (type === "GLOBAL") return [{ ...step, from: null }];
          if (type === "INITIAL") return [];
          const from = links.flatMap(({ fromStatusReference }) => idsOf(fromStatusReference));
          return from.map((id) => ({ ...step, from: id }));
        }),
      ),
    ),
  };
}
