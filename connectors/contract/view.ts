import type { BoardView } from "./board-view.ts";
import type { FileTree } from "./file-tree.ts";
import type { PagesView } from "./pages-view.ts";
import type { TableView } from "./table-view.ts";
import type { ThreadsView } from "./thread-view.ts";

/** What a view of each kind opens. */
export type OpenViews = {
  files: FileTree;
  board: BoardView;
  pages: PagesView;
  table: TableView;
  thread: ThreadsView;
};

/** A kind of view. Each is shown, compared and exported in one way, whatever the platform. */
export type ViewKind = keyof OpenViews;

/** A view of one kind. */
export type ViewOf<K extends ViewKind> = {
  kind: K;
  /** Unique in the version and fit for an address, e.g. `issues`. */
  id: string;
  /** What people call it, e.g. "Issues". */
  label: string;
  /** Opens it. What only its content tells is not read before. */
  open(): Promise<OpenViews[K]>;
};

/**
 * One way to look at a version as people know it at the platform. A version has several: a repository its files and its
 * issues. Nothing in a view is rendered or trusted, and no reader keeps more of it than the page that it reads.
 */
export type View = { [K in ViewKind]: ViewOf<K> }[ViewKind];
