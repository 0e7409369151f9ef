import type { z } from "zod";
import type { PageBlock } from "#connectors/contract/page-block.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type {
  RowDetail,
  SearchedRow,
  TableCell,
  TableFacts,
  TableLayout,
  TableRow,
  TableView,
} from "#connectors/contract/table-view.ts";
import { recordIdOf } from "./issue-entry.ts";

/** What a record of the configuration shows as a row. */
export type RecordRow = {
  title: string;
  isArchived: boolean;
  cells: Readonly<Record<string, TableCell>>;
  /** What stands below the cells when the row is opened, as Markdown. */
  texts: readonly string[];
  /** Its place among the rows. Absent = by the id, which grows with time. */
  rank?: number;
};

type Order<S extends z.ZodType> = {
  /** The folder of the records, and their kind. */
  prefix: string;
  kind: string;
  schema: S;
  facts: Pick<TableFacts, "title" | "columns"> & { layouts?: readonly TableLayout[] };
  rowOf: (record: z.output<S>) => RecordRow;
};

/** Records of one folder of the configuration as a table. They are few, and have no comments. */
export function recordTable<S extends z.ZodType>(
  snapshot: SnapshotView,
  { prefix, kind, schema, facts, rowOf }: Order<S>,
): TableView {
  const read = async (path: string) => rowOf(schema.parse(await snapshot.readRecord(path)));
  const tableRow = (path: string, { title, isArchived, cells }: RecordRow): TableRow => ({
    ...{ id: recordIdOf(prefix, path) ?? path, path, key: null, title, isArchived, cells },
  });
  const pathOf = async (id: string) => {
    for await (const { path } of snapshot.list(prefix)) if (recordIdOf(prefix, path) === id) return path;
    return null;
  };
  const columns = facts.columns.map(({ id }) => id);
  return {
    facts: async () => ({
      ...{ path: null, icon: null, text: "", url: null, titleColumn: "Name", rowCount: null },
      ...facts,
      layouts: [{ id: "all", label: "Table", type: "table", columns }, ...(facts.layouts ?? [])],
    }),
    async *rows(after) {
      const from = after === null ? "" : ((await pathOf(after)) ?? "");
      for await (const { path } of snapshot.list(prefix, from)) {
        const row = await read(path);
        const { texts, rank } = row;
        const searched: SearchedRow = { ...tableRow(path, row), words: texts.join("\n") };
        yield rank === undefined ? searched : { ...searched, rank };
      }
    },
    async row(id): Promise<RowDetail | null> {
      const path = await pathOf(id);
      if (path === null) return null;
      const row = await read(path);
      const blocks = row.texts.map((text): PageBlock => ({ type: "text", text }));
      return { ...tableRow(path, row), url: null, author: null, at: null, editedAt: null, blocks, files: [] };
    },
    comments: async () => ({ notes: [], next: null }),
    comment: async () => null,
    roleOf(entry) {
      const id = entry.kind === kind ? recordIdOf(prefix, entry.path) : null;
      return id === null ? null : { role: "part", id };
    },
  };
}

/** A text, or no cell. */
export function textCell(text: string | null | undefined): TableCell | undefined {
  return text ? { type: "text", text } : undefined;
}

/** Cells without those that are empty. */
export function filled(cells: Readonly<Record<string, TableCell | undefined>>): Record<string, TableCell> {
  return Object.fromEntries(Object.entries(cells).filter((cell): cell is [string, TableCell] => !!cell[1]));
}
