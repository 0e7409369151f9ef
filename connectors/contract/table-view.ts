import type { EntryRole } from "./entry-role.ts";
import type { FileLink, Tag } from "./field.ts";
import type { Note, NoteRange, Notes } from "./note.ts";
import type { PageBlock } from "./page-block.ts";

/** A column of a table. */
export type TableColumn = {
  /** Unique among the columns and fit for an address. */
  id: string;
  name: string;
  /** How its cells are set: numbers to the right, dates as dates. */
  type: "text" | "number" | "date" | "check" | "tags" | "files" | "rows";
};

/** What stands in a cell; a cell that is not there is empty. */
export type TableCell =
  | { type: "text"; text: string }
  /** `text` = as the platform shows it, e.g. with a unit. */
  | { type: "number"; value: number; text: string }
  /** Epoch ms; without a time of day it is midnight UTC of the day. */
  | { type: "date"; from: number; until: number | null; hasTime: boolean }
  | { type: "check"; isOn: boolean }
  | { type: "tags"; tags: Tag[] }
  | { type: "files"; files: FileLink[] }
  /** Rows that it refers to, of this table or another. */
  | { type: "rows"; rows: { id: string; title: string }[] };

/** A way to look at a table. The ids are those of columns, in the order in which they are shown. */
export type TableLayout = { id: string; label: string; columns: string[] } & (
  | { type: "table" | "list" }
  /** `cover` = the column of files whose first picture is on top; null = none. */
  | { type: "gallery"; cover: string | null }
  /** `date` = the column of dates that tells the day. */
  | { type: "calendar"; date: string }
);

/** What a table as a whole says. */
export type TableFacts = {
  title: string;
  /** An emoji; null = none, or a picture. */
  icon: string | null;
  /** Markdown as its author wrote it; empty = none. */
  text: string;
  url: string | null;
  columns: TableColumn[];
  /** At least one; the first is shown at first. */
  layouts: TableLayout[];
  /** How many rows the version has; null = not known without reading them. */
  rowCount: number | null;
};

/** A row of a table. */
export type TableRow = {
  /** Unique in the table and fit for an address. */
  id: string;
  /** Path of its entry in the version. */
  path: string;
  /** What people call it beside its title, e.g. `OPS-1188`; null = nothing. */
  key: string | null;
  title: string;
  isArchived: boolean;
  /** By the ids of columns. */
  cells: Readonly<Record<string, TableCell>>;
};

/** A row as a search sees it. */
export type SearchedRow = TableRow & {
  /** What else is written in it. */
  words: string;
};

/** An opened row. */
export type RowDetail = TableRow & {
  url: string | null;
  author: string | null;
  /** Epoch ms. */
  at: number | null;
  editedAt: number | null;
  blocks: PageBlock[];
  files: FileLink[];
};

/** Records of one shape as a table with columns. */
export interface TableView {
  facts(): Promise<TableFacts>;
  /** All rows in the order of their entries, or those behind one, read one by one as they are asked for. */
  rows(after: string | null): AsyncIterable<SearchedRow>;
  /** One row; null when the table has none of that id. */
  row(id: string): Promise<RowDetail | null>;
  /** Comments of a row, oldest first. */
  comments(rowId: string, range: NoteRange): Promise<Notes>;
  /** One comment by the path of its entry; null when there is none. */
  comment(path: string): Promise<Note | null>;
  /** What an entry is to the table; null = nothing that it shows. */
  roleOf(entry: { path: string; kind: string }): EntryRole | null;
}
