import type { EntryRole } from "./entry-role.ts";
import type { FileLink, Tag } from "./field.ts";
import type { Note, NoteRange, Notes } from "./note.ts";
import type { PageBlock } from "./page-block.ts";

/** A column of a table. */
export type TableColumn = {
  /** Unique among the columns and safe in a URL. */
  id: string;
  name: string;
  /** How its cells are displayed, e.g. numbers right-aligned. */
  type: "text" | "number" | "date" | "check" | "tags" | "files" | "rows";
};

/** The content of a cell. Empty cells are absent. */
export type TableCell =
  | { type: "text"; text: string }
  /** `text` = as the platform shows it, e.g. with a unit. */
  | { type: "number"; value: number; text: string }
  /** Epoch ms; without a time of day, midnight UTC of the day. */
  | { type: "date"; from: number; until: number | null; hasTime: boolean }
  | { type: "check"; isOn: boolean }
  | { type: "tags"; tags: Tag[] }
  | { type: "files"; files: FileLink[] }
  /** References to rows of this table or another. */
  | { type: "rows"; rows: { id: string; title: string }[] };

/** One of the things by which a layout orders its rows. */
export type TableSort = {
  /** Id of the column; null = the titles. */
  column: string | null;
  isDescending: boolean;
  /** The names of the column's values in their order. Absent = by size, time or alphabet. */
  order?: readonly string[];
};

/** A layout of a table. `columns` holds column ids in display order. */
export type TableLayout = {
  id: string;
  label: string;
  columns: string[];
  /** How it orders its rows, the most important first. Absent = as the table orders them. */
  sorts?: readonly TableSort[];
  /** It leaves rows out: those that name it in `hiddenIn`. */
  hasFilter?: true;
  /** What the platform applies to it and this product cannot. The screen says so. */
  lacks?: readonly ("filter" | "sort")[];
} & (
  | { type: "table" | "list" }
  /** `cover` = the files column whose first picture is shown on top; null = none. */
  | { type: "gallery"; cover: string | null }
  /** `date` = the date column that places rows in the calendar. */
  | { type: "calendar"; date: string }
  /**
   * Rows in columns by the value of one column, `group`. `order` = the names of its values from left to right; others
   * follow in the order of their first row, and rows without a value come last.
   */
  | { type: "board"; group: string; order: readonly string[] }
);

/** Facts about the table itself. */
export type TableFacts = {
  /** Path of its entry in the version; null = it has no entry of its own. */
  path: string | null;
  title: string;
  /** An emoji; null = none, or a picture. */
  icon: string | null;
  /** Markdown as its author wrote it; empty = none. */
  text: string;
  url: string | null;
  /** The name of the column of titles. Absent = it has none. */
  titleColumn?: string;
  columns: TableColumn[];
  /** At least one; the first is the default. */
  layouts: TableLayout[];
  /** Number of rows; null = unknown until they are read, or very many. */
  rowCount: number | null;
};

/** A row of a table. */
export type TableRow = {
  /** Unique in the table and safe in a URL. */
  id: string;
  /** Path of its entry in the version. */
  path: string;
  /** A short name shown beside the title, e.g. `OPS-1188`; null = none. */
  key: string | null;
  title: string;
  isArchived: boolean;
  /** By column id. */
  cells: Readonly<Record<string, TableCell>>;
};

/** A row with what lists need to find and order it. */
export type SearchedRow = TableRow & {
  /** The row's other text. */
  words: string;
  /** Ids of the layouts whose filter leaves it out. Absent = it is in all. */
  hiddenIn?: readonly string[];
  /** Its place where no layout says another. Absent = rows stand as they are listed. */
  rank?: number | string;
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
  /** All rows in the order of their entries, or those after `after`. Reads one at a time, on demand. */
  rows(after: string | null): AsyncIterable<SearchedRow>;
  /** Finds a row by its id, or null. */
  row(id: string): Promise<RowDetail | null>;
  /** Comments of a row, oldest first. */
  comments(rowId: string, range: NoteRange): Promise<Notes>;
  /** Finds a comment by the path of its entry, or null. */
  comment(path: string): Promise<Note | null>;
  /** The role of an entry in the table; null = the table does not show it. */
  roleOf(entry: { path: string; kind: string }): EntryRole | null;
}
