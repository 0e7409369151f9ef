import type {
  BoardCard,
  BoardCardDetail,
  BoardColumn,
  BoardFacts,
  BoardWords,
} from "#connectors/contract/board-view.ts";
import type { Notes } from "#connectors/contract/note.ts";
import type { PageDetail, PageNode } from "#connectors/contract/pages-view.ts";
import type { RowDetail, TableColumn, TableFacts, TableRow } from "#connectors/contract/table-view.ts";
import type { ThreadDetail, ThreadNeighbours, ThreadRow } from "#connectors/contract/thread-view.ts";
import type { ViewKind } from "#connectors/contract/view.ts";
import type { Region } from "#core/kernel/platform-id.ts";

/** A view of a version, in the chooser of its page. */
export type ViewRow = {
  kind: ViewKind;
  id: string;
  label: string;
  /** Number of its parts. Absent = not known without opening it. */
  count?: number;
};

/** The views of a version, the main one first. Empty = it is browsed record by record. */
export type ViewList = { views: ViewRow[] };

/** Where people see an entry or a file of a version. */
export type VersionPlace =
  | { type: "part"; viewKind: Exclude<ViewKind, "files">; viewId: string; partId: string }
  | { type: "view"; viewKind: ViewKind; viewId: string }
  /** A table among pages. */
  | { type: "table"; viewId: string; tableId: string }
  | { type: "file"; viewId: string; ref: string; path: string }
  | { type: "record"; path: string };

/** What can be restored by itself, by path (`partPathOf`): the kind of each, and what one of the kind is called. */
export type RestorableParts = Readonly<Record<string, { kind: string; one: string }>>;

/** Lines of a list, in reading order. */
export type ListPage<T> = {
  rows: T[];
  /** Id or path to continue after; null at the end. */
  next: string | null;
  /** True when the page is short because the search was paused, not because there is no more. */
  isPaused: boolean;
};

/** One record or file of a version, in a list. */
export type EntryRow = {
  path: string;
  kind: string;
  /** Its title, or its path when it has none. */
  title: string;
  sizeBytes: number;
  /** `record` opens as a page, `stream` as a download. */
  type: "record" | "stream";
};

/** One page of a version's entries. Its `next` is a path. */
export type EntryPage = ListPage<EntryRow>;

/** A kind of entry with its labels and count. */
export type KindCount = { kind: string; one: string; many: string; count: number };

/** A summary of a version. */
export type VersionFacts = {
  itemId: string;
  itemName: string;
  platform: string;
  snapshotId: string;
  takenAt: number;
  sizeBytes: number;
  kinds: KindCount[];
  skippedCount: number;
  /** Null = not checked yet. */
  isSound: boolean | null;
  /** Epoch ms of the last check. */
  verifiedAt: number | null;
  /** Earliest expiry, epoch ms. */
  expiresAt: number;
  /** Where it is stored. */
  region: Region;
};

/** The content of a record, in terms that most platforms share. */
export type Readable = {
  title: string | null;
  number: number | null;
  author: string | null;
  /** Epoch ms. */
  createdAt: number | null;
  updatedAt: number | null;
  state: string | null;
  labels: string[];
  /** The author's Markdown. */
  body: string | null;
  url: string | null;
  /** All other plain values, in the order of the record. */
  facts: { name: string; value: string }[];
};

/** A record on its page. */
export type RecordView = {
  entry: EntryRow;
  readable: Readable;
  /** The stored record, indented. */
  json: string;
};

/** A record with its children. */
export type RecordPage = RecordView & {
  parent: EntryRow | null;
  children: Pick<RecordView, "entry" | "readable">[];
  /** Path to continue after; null when all are shown. */
  nextChild: string | null;
};

/** A branch or tag in a chooser. */
export type RefRow = {
  name: string;
  label: string;
  kind: "branch" | "tag" | "request" | "note" | "other";
  isDefault: boolean;
};

/** One line of a folder. */
export type NodeRow = { name: string; kind: "folder" | "file" | "link" | "submodule"; isExecutable: boolean };

/** How a file is shown. */
export type FileBody =
  | { type: "text"; text: string; isCut: boolean }
  | { type: "image"; mediaType: string }
  | { type: "binary" }
  | { type: "link"; target: string };

/** A tree of files at one path. */
export type TreePage = {
  view: ViewRow;
  obstacle: string | null;
  refs: RefRow[];
  refCount: number;
  ref: RefRow | null;
  path: string;
  /** Its last commits, newest first; only at the root. */
  commits: { id: string; title: string; author: string; at: number }[];
  at:
    | { type: "folder"; nodes: NodeRow[]; nodeCount: number }
    | { type: "file"; name: string; sizeBytes: number; body: FileBody }
    | null;
};

/** A column with a page of its cards. */
export type ColumnPage = BoardColumn & {
  /** The number of matching cards. */
  cardCount: number;
  cards: BoardCard[];
  /** Id of the card to continue after; null at the end. */
  next: string | null;
};

/** A version as a board. */
export type BoardPage = {
  view: ViewRow;
  words: BoardWords;
  facts: BoardFacts;
  columns: ColumnPage[];
  /** The number of cards that match the search and the switch for archived cards. */
  cardCount: number;
  /** Archived cards, including those in archived columns. */
  archivedCount: number;
  archivedColumnCount: number;
};

/** An opened card. */
export type CardPage = {
  view: ViewRow;
  words: BoardWords;
  card: BoardCardDetail;
  /** Its column's title; null = the version has no such column. */
  column: string | null;
  comments: Notes;
  history: Notes;
};

/** A list of threads. */
export type ThreadListPage = ListPage<ThreadRow> & {
  view: ViewRow;
  /** Names for one and for several. */
  words: { one: string; many: string };
  /** How many threads the version has, regardless of the filter. */
  count: number;
  hasStates: boolean;
};

/** An opened thread. */
export type ThreadPage = {
  view: ViewRow;
  /** Names for one and for several. */
  words: { one: string; many: string };
  thread: ThreadDetail;
  notes: Notes;
  /** How many comments and events it has; null = more than are counted. */
  noteCount: number | null;
  neighbours: ThreadNeighbours;
  /** What belongs to it, by kind: comments, events, files. */
  belongs: KindCount[];
};

/** Pages and tables below a page, or search results. */
export type PagesPage = ListPage<PageNode> & {
  view: ViewRow;
  pageCount: number;
  tableCount: number;
};

/** An opened page. `tables` has the tables that it shows with their first rows, by their ids. */
export type PagePage = {
  view: ViewRow;
  page: PageDetail;
  tables: Readonly<Record<string, TableRows>>;
  comments: Notes;
};

/** Some rows of a table in one of its layouts. */
export type TableRows = ListPage<TableRow> & {
  facts: TableFacts;
  /** Id of the layout whose filter and order apply; null = none: all rows, as they are stored. */
  layoutId: string | null;
  /** True when the table is too long to order its rows as the layout does. */
  isUnsorted: boolean;
};

/** A table with some of its rows. */
export type TablePage = TableRows & { view: ViewRow };

/** An opened row. */
export type RowPage = {
  view: ViewRow;
  /** Title of its table. */
  table: string;
  columns: TableColumn[];
  row: RowDetail;
  /** The tables that its text shows with their first rows, by their ids. */
  tables: Readonly<Record<string, TableRows>>;
  comments: Notes;
};
