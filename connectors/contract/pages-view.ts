import type { EntryRole } from "./entry-role.ts";
import type { Field, FileLink } from "./field.ts";
import type { Note, NoteRange, Notes } from "./note.ts";
import type { PageBlock } from "./page-block.ts";
import type { TableView } from "./table-view.ts";

/** A page or table in the tree of pages. */
export type PageNode = {
  /** Unique in the view and safe in a URL. */
  id: string;
  /** Path of its entry in the version. */
  path: string;
  type: "page" | "table";
  /** Empty = no title. */
  title: string;
  /** An emoji; null = none, or a picture. */
  icon: string | null;
  isArchived: boolean;
  /** Number of direct child pages and tables, without table rows; null = unknown until they are read. */
  childCount: number | null;
};

/** An ancestor of a page or table. They are given from the root down. */
export type PageCrumb = Pick<PageNode, "id" | "type" | "title">;

/** An opened page. */
export type PageDetail = PageNode & {
  crumbs: PageCrumb[];
  url: string | null;
  author: string | null;
  /** Epoch ms. */
  at: number | null;
  editedAt: number | null;
  /** Its properties, as text. */
  fields: Field[];
  blocks: PageBlock[];
  /** Files attached to the page, outside its text. */
  files: FileLink[];
};

/** A version as a tree of pages and tables. */
export interface PagesView {
  /** Number of pages and tables, without table rows. Known without reading any. */
  pageCount: number;
  tableCount: number;
  /**
   * Direct children of a page or table, or the roots, in the platform's order. With `after`, starts behind that one.
   * Reads one at a time, on demand.
   */
  children(parentId: string | null, after: string | null): AsyncIterable<PageNode>;
  /** All pages and tables in the order of their entries, or those after `after`. Reads one at a time. For search. */
  all(after: string | null): AsyncIterable<PageNode>;
  /** Finds a page, or a table row by its id in the table, or null. */
  page(id: string): Promise<PageDetail | null>;
  /** Comments of a page, oldest first. */
  comments(pageId: string, range: NoteRange): Promise<Notes>;
  /** Finds a comment by the path of its entry, or null. */
  comment(path: string): Promise<Note | null>;
  /** Finds a table by its id, or null. */
  table(id: string): Promise<TableView | null>;
  /** The ancestors of a table, which the tree unfolds. Absent = the tree stays folded above it. */
  crumbsOfTable?(id: string): Promise<PageCrumb[]>;
  /** The id of the table whose own entry has this path, or null. Absent = tables have no entries. */
  tableAt?(path: string): string | null;
  /**
   * Returns a page or row as a Markdown file, by the path of its entry, or null when the version has no such page. Absent
   * when pages of the platform cannot be written as Markdown (`supports.pageMarkdown`).
   */
  markdown?(path: string): Promise<{ name: string; text: string } | null>;
  /**
   * The role of an entry in the view; null = the view does not show it. Rows of its tables are parts, so that they are
   * compared, unless their table is a view of its own.
   */
  roleOf(entry: { path: string; kind: string }): EntryRole | null;
}
