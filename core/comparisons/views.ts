/** One record that two versions do not agree on. */
export type RecordDifference = {
  path: string;
  kind: string;
  title: string;
  change: "added" | "changed" | "removed";
  type: "record" | "stream";
};

/** What differs of one kind. The rows are the first ones, the counts tell of all. */
export type KindDifference = {
  kind: string;
  one: string;
  many: string;
  added: number;
  changed: number;
  removed: number;
  rows: RecordDifference[];
};

/** What happened to a branch or tag. */
export type RefDifference = {
  name: string;
  label: string;
  kind: "branch" | "tag" | "request" | "note" | "other";
  isDefault: boolean;
  change: "added" | "changed" | "removed";
  before: string | null;
  after: string | null;
  /** Null = not followed. Rewritten = commits that it had are no longer on it. */
  isRewritten: boolean | null;
  /** Commits gained and lost; `isMore` = at least so many. */
  gained: { count: number; isMore: boolean } | null;
  lost: { count: number; isMore: boolean } | null;
  /** The default branch that a new or deleted ref was held against; null = against itself. */
  against: string | null;
};

/** What differs of one tree of files. */
export type TreeDifference = {
  tree: string;
  label: string;
  obstacle: string | null;
  refs: RefDifference[];
  refCount: number;
};

/** What every card has; a value that differs is told under one of these, or under the name of a field of its own. */
export type CardField =
  | "title"
  | "text"
  | "column"
  | "archived"
  | "role"
  | "tags"
  | "people"
  | "start"
  | "due"
  | "done"
  | "cover"
  | "files"
  | "votes"
  | "stickers";

/** One thing that happened to a card. */
export type CardChange =
  /** Into another column. */
  | { type: "moved"; from: string; to: string }
  /** Up or down in its column. */
  | { type: "reordered" }
  | { type: "archived" }
  | { type: "returned" }
  | { type: "field"; field: Exclude<CardField, "column" | "archived"> }
  /** A checklist, or a field that the board itself has defined. */
  | { type: "own"; name: string }
  | { type: "comments"; added: number; changed: number; removed: number }
  /** Something that the board does not show. */
  | { type: "other" };

/** A card that two versions do not agree on. */
export type CardDifference = {
  cardId: string;
  /** Path of its entry. */
  path: string;
  title: string;
  change: "added" | "changed" | "removed";
  /** Its column in the version that has it, the newer one if both have; null = the version has no such column. */
  column: string | null;
  /** Empty for a card that came or went. */
  what: CardChange[];
};

/** What happened to a column. */
export type ColumnDifference = {
  columnId: string;
  path: string;
  title: string;
  change: "added" | "changed" | "removed";
  what: (
    | { type: "renamed"; from: string }
    | { type: "archived" }
    | { type: "returned" }
    | { type: "reordered" }
  )[];
};

/** What differs of a board. The rows are the first ones, the counts tell of all. */
export type BoardDifference = {
  columns: { added: number; changed: number; removed: number; rows: ColumnDifference[] };
  cards: { added: number; changed: number; removed: number; rows: CardDifference[] };
};

/** How one card differs. */
export type CardComparison = {
  cardId: string;
  fields: {
    /** Null = a field of its own, which `name` tells. */
    field: CardField | null;
    name: string;
    /** True = the values are moments, in epoch ms. */
    isTime: boolean;
    before: string | null;
    after: string | null;
    text: TextDifference | null;
  }[];
  comments: {
    path: string;
    change: "added" | "changed" | "removed";
    author: string | null;
    at: number | null;
    before: string | null;
    after: string | null;
    text: TextDifference | null;
  }[];
  /** True when more comments differ than are told. */
  areCommentsCut: boolean;
};

/** Everything that two versions do not agree on. */
export type Comparison = {
  before: { snapshotId: string; takenAt: number; sizeBytes: number };
  after: { snapshotId: string; takenAt: number; sizeBytes: number };
  /** Null = the item is no board. */
  board: BoardDifference | null;
  kinds: KindDifference[];
  trees: TreeDifference[];
  /** True when the versions differ in more than is looked at. */
  isCut: boolean;
};

/** One line of two texts. */
export type TextPiece = {
  change: "same" | "added" | "removed";
  line: number;
  /** The line, or a part of it around its change when it is very long. */
  text: string;
  /** Where in `text` the part is that this line does not share with its counterpart: begin and end. */
  mark: [from: number, to: number] | null;
  /** True when letters before or behind `text` are left out. */
  isCutStart: boolean;
  isCutEnd: boolean;
  /** True for a last line without a line break behind it, where the other text has one or another line. */
  isUnended: boolean;
};
/** Lines that stand together, with the lines around them. Null = too long or too different to be told line by line. */
export type TextDifference = {
  parts: TextPiece[][];
  /** True when there are more lines than are told. */
  isCut: boolean;
  /** True when one text has Windows' line breaks and the other Unix's; lines are compared without them. */
  areBreaksChanged: boolean;
} | null;

/** How one record differs. */
export type RecordComparison = {
  path: string;
  kind: string;
  title: string;
  change: RecordDifference["change"];
  fields: { name: string; before: string | null; after: string | null; text: TextDifference | null }[];
};

/** One file that two tips do not agree on. */
export type FileDifference = { path: string; change: "added" | "changed" | "removed" };
/** What a file is on one side. */
export type FileSide = { kind: "file" | "link" | "submodule"; isExecutable: boolean; sizeBytes: number };

/** How one file differs between two tips. */
export type FileComparison = {
  path: string;
  change: FileDifference["change"];
  before: FileSide | null;
  after: FileSide | null;
  body:
    | { type: "text"; difference: TextDifference }
    /** The bytes are the same; only what the file is allowed to do changed. */
    | { type: "same" }
    | { type: "binary" }
    /** Too large to be compared on a page. */
    | { type: "large" }
    /** Where a link leads, or at which commit a submodule stands. */
    | { type: "target"; before: string | null; after: string | null };
};

/** How two tips differ: commits on one side only, and files. */
export type TipComparison = {
  /** The default branch that a new or deleted ref was held against; its files are not compared. */
  against: string | null;
  gained: { id: string; title: string; author: string; at: number }[];
  lost: { id: string; title: string; author: string; at: number }[];
  isMore: boolean;
  files: FileDifference[];
  isFilesCut: boolean;
};
