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
};

/** What differs of one tree of files. */
export type TreeDifference = {
  tree: string;
  label: string;
  obstacle: string | null;
  refs: RefDifference[];
  refCount: number;
};

/** Everything that two versions do not agree on. */
export type Comparison = {
  before: { snapshotId: string; takenAt: number; sizeBytes: number };
  after: { snapshotId: string; takenAt: number; sizeBytes: number };
  kinds: KindDifference[];
  trees: TreeDifference[];
  /** True when the versions differ in more than is looked at. */
  isCut: boolean;
};

/** One piece of two texts. */
export type TextPiece = { change: "same" | "added" | "removed"; line: number; text: string };
/** Pieces that stand together, with the lines around them. Null = too long or too different to be told line by line. */
export type TextDifference = TextPiece[][] | null;

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
/** How two tips differ: commits on one side only, and files. */
export type TipComparison = {
  gained: { id: string; title: string; author: string; at: number }[];
  lost: { id: string; title: string; author: string; at: number }[];
  isMore: boolean;
  files: FileDifference[];
  isFilesCut: boolean;
};
