import type {
  BoardCard,
  BoardCardDetail,
  BoardColumn,
  BoardFacts,
  BoardNotes,
} from "#connectors/contract/board-view.ts";

/** One record or file of a version, in a list. */
export type EntryRow = {
  path: string;
  kind: string;
  /** What people call it; its path when it has no title. */
  title: string;
  sizeBytes: number;
  /** `record` can be read on a page, `stream` downloaded. */
  type: "record" | "stream";
};

/** One page of a version's entries. */
export type EntryPage = {
  rows: EntryRow[];
  /** Path to go on from; null at the end. */
  next: string | null;
  /** True when the page is short because the search was paused, not because there is no more. */
  isPaused: boolean;
};

/** A kind of entry with its words and its count. */
export type KindCount = { kind: string; one: string; many: string; count: number };

/** What a version holds, at a glance. */
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
};

/** What a record says, in the terms that most platforms share. */
export type Readable = {
  title: string | null;
  number: number | null;
  author: string | null;
  /** Epoch ms. */
  createdAt: number | null;
  updatedAt: number | null;
  state: string | null;
  labels: string[];
  /** Markdown as its author wrote it. */
  body: string | null;
  url: string | null;
  /** Everything else that is a plain value, in the order of the record. */
  facts: { name: string; value: string }[];
};

/** A record on its page. */
export type RecordView = {
  entry: EntryRow;
  readable: Readable;
  /** The record as it is stored, indented. */
  json: string;
};

/** A record with what hangs below it. */
export type RecordPage = RecordView & {
  parent: EntryRow | null;
  children: Pick<RecordView, "entry" | "readable">[];
  /** Path to go on from; null when all are shown. */
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

/** A tree of files at one place. */
export type TreePage = {
  trees: { name: string; label: string }[];
  tree: string;
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

/** A column with its first cards, or its next ones. */
export type ColumnPage = BoardColumn & {
  /** Of those that are wanted. */
  cardCount: number;
  cards: BoardCard[];
  /** Id of the card to go on behind; null at the end. */
  next: string | null;
};

/** A version as a board. */
export type BoardPage = {
  facts: BoardFacts;
  columns: ColumnPage[];
  /** Cards that are shown or can be, with this search and switch. */
  cardCount: number;
  /** Archived cards, and cards in archived columns, that the version holds. */
  archivedCount: number;
  archivedColumnCount: number;
};

/** An opened card. */
export type CardPage = {
  card: BoardCardDetail;
  /** Its column's title; null = the version has no such column. */
  column: string | null;
  comments: BoardNotes;
  history: BoardNotes;
};
