import type { EntryRole } from "./entry-role.ts";
import type { Field, FileLink } from "./field.ts";
import type { Note, NoteRange, Notes } from "./note.ts";
import type { PageBlock } from "./page-block.ts";
import type { TableView } from "./table-view.ts";

/** A page or table in the tree of pages. */
export type PageNode = {
  /** Unique in the view and fit for an address. */
  id: string;
  /** Path of its entry in the version. */
  path: string;
  type: "page" | "table";
  /** Empty = it has none. */
  title: string;
  /** An emoji; null = none, or a picture. */
  icon: string | null;
  isArchived: boolean;
  /** Pages and tables right below it; null = not known without reading. Rows of a table do not count. */
  childCount: number | null;
};

/** An opened page. */
export type PageDetail = PageNode & {
  /** The way down to it, from the root; without itself. */
  crumbs: { id: string; type: PageNode["type"]; title: string }[];
  url: string | null;
  author: string | null;
  /** Epoch ms. */
  at: number | null;
  editedAt: number | null;
  /** Its properties, in words. */
  fields: Field[];
  blocks: PageBlock[];
  /** Files that stand beside its text, not in it. */
  files: FileLink[];
};

/** A version as pages below pages, with tables among them. */
export interface PagesView {
  /** How many pages and tables the version has, rows of tables apart. Known without reading any. */
  pageCount: number;
  tableCount: number;
  /**
   * Pages and tables right below one, or the roots, in the platform's order; those behind `after` only. They are read one by
   * one as they are asked for.
   */
  children(parentId: string | null, after: string | null): AsyncIterable<PageNode>;
  /** All pages and tables in the order of their entries, or those behind one, read one by one: what a search goes through. */
  all(after: string | null): AsyncIterable<PageNode>;
  /** One page, which may be the row of a table; null when the version has none of that id. */
  page(id: string): Promise<PageDetail | null>;
  /** Comments of a page, oldest first. */
  comments(pageId: string, range: NoteRange): Promise<Notes>;
  /** One comment by the path of its entry; null when there is none. */
  comment(path: string): Promise<Note | null>;
  /** One table; null when the version has none of that id. */
  table(id: string): Promise<TableView | null>;
  /** What an entry is to the view; null = nothing that it shows. */
  roleOf(entry: { path: string; kind: string }): EntryRole | null;
}
