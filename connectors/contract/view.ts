import type { BoardView } from "./board-view.ts";
import type { FileTree } from "./file-tree.ts";
import type { PagesView } from "./pages-view.ts";
import type { TableView } from "./table-view.ts";
import type { ThreadsView } from "./thread-view.ts";

/** The interface of each kind of view. */
export type OpenViews = {
  files: FileTree;
  board: BoardView;
  pages: PagesView;
  table: TableView;
  thread: ThreadsView;
};

/** A kind of view. All platforms share one way to show, compare and export it. */
export type ViewKind = keyof OpenViews;

/** A view of one kind. */
export type ViewOf<K extends ViewKind> = {
  kind: K;
  /** Unique in the version and safe in a URL, e.g. `issues`. */
  id: string;
  /** Display name, e.g. "Issues". */
  label: string;
  /** Number of its parts, if that is known without opening it. */
  count?: number;
  /** Opens the view. Its content is not read before. */
  open(): Promise<OpenViews[K]>;
};

/**
 * A view of a version that resembles the item at the platform. A version may have several: a repository has its files
 * and its issues. A view renders nothing, its content is untrusted, and readers keep at most one page of it in memory.
 */
export type View = { [K in ViewKind]: ViewOf<K> }[ViewKind];
