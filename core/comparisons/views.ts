import type { BoardWords } from "#connectors/contract/board-view.ts";
import type { RestorableParts } from "#core/browsing/index.ts";

/** A record that differs between two versions. */
export type RecordDifference = {
  path: string;
  kind: string;
  title: string;
  change: "added" | "changed" | "removed";
  type: "record" | "stream";
};

/** The differences of one kind. `rows` holds the first ones; the counts include all. */
export type KindDifference = {
  kind: string;
  one: string;
  many: string;
  added: number;
  changed: number;
  removed: number;
  rows: RecordDifference[];
};

/** A branch or tag that differs. */
export type RefDifference = {
  name: string;
  label: string;
  kind: "branch" | "tag" | "request" | "note" | "other";
  isDefault: boolean;
  change: "added" | "changed" | "removed";
  before: string | null;
  after: string | null;
  /** True when commits that it had are no longer on it. Null = history not followed. */
  isRewritten: boolean | null;
  /** Commits gained and lost; `isMore` = at least this many. */
  gained: { count: number; isMore: boolean } | null;
  lost: { count: number; isMore: boolean } | null;
  /** The default branch that a new or deleted ref was compared with; null = compared with itself. */
  against: string | null;
};

/** The differences of one tree of files. */
export type TreeDifference = {
  obstacle: string | null;
  refs: RefDifference[];
  refCount: number;
};

/**
 * Fields that parts have in common. A difference is reported under one of these, or under the name of a custom field.
 */
export type PartField =
  | "title"
  | "text"
  | "column"
  | "archived"
  | "role"
  | "state"
  | "tags"
  | "people"
  | "start"
  | "due"
  | "done"
  | "cover"
  | "files"
  | "place";

/** One change of a part: a card, thread, page or row. */
export type PartChange =
  /** Moved to another column, or below another page. */
  | { type: "moved"; from: string; to: string }
  /** Moved within its column. */
  | { type: "reordered" }
  | { type: "archived" }
  | { type: "returned" }
  | { type: "field"; field: Exclude<PartField, "column" | "archived" | "place"> }
  /** A custom field of the item, such as a checklist or a property. */
  | { type: "own"; name: string }
  | { type: "comments"; added: number; changed: number; removed: number }
  /** Only events were added or removed. */
  | { type: "events" }
  /** Something that the view does not show. */
  | { type: "other" };

/** A part that differs between two versions. */
export type PartDifference = {
  partId: string;
  /** Path of its entry. */
  path: string;
  /** A short name that people use besides the title, e.g. `#12`; null = none. */
  key: string | null;
  title: string;
  change: "added" | "changed" | "removed";
  /** Its column or parent page, in the newer version that has the part; null = none. */
  place: string | null;
  /** Empty for an added or removed part. */
  what: PartChange[];
};

/** A column that differs. */
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

/** Rows that differ. `rows` holds the first ones; the counts include all. */
export type Differences<T> = { added: number; changed: number; removed: number; rows: T[] };

/** What differs in one view. */
export type ViewDifference = {
  id: string;
  label: string;
} /** `isCloned`: its tree is what `git clone` gets from the older version. */ & (
  | { kind: "files"; tree: TreeDifference; isCloned: boolean }
  | {
      kind: "board";
      words: BoardWords;
      columns: Differences<ColumnDifference>;
      parts: Differences<PartDifference>;
    }
  | { kind: "thread" | "pages" | "table"; parts: Differences<PartDifference> }
);

/** How one part differs. */
export type PartComparison = {
  partId: string;
  key: string | null;
  title: string;
  fields: {
    /** Null = a custom field, named by `name`. */
    field: PartField | null;
    name: string;
    /** True when the values are times in epoch ms. */
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
  /** True when more comments differ than are listed. */
  areCommentsCut: boolean;
};

/** All differences between two versions. */
export type Comparison = {
  before: { snapshotId: string; takenAt: number; sizeBytes: number };
  after: { snapshotId: string; takenAt: number; sizeBytes: number };
  /** Views with differences, in the version's order. */
  views: ViewDifference[];
  /** Records that no view shows. */
  kinds: KindDifference[];
  /** What of the listed differences can be restored by itself from the older version, by path. */
  parts: RestorableParts;
  /** True when there are more differences than the limit. */
  isCut: boolean;
};

/** One line of a text difference. */
export type TextPiece = {
  change: "same" | "added" | "removed";
  line: number;
  /** The line, or the part around its change when it is very long. */
  text: string;
  /** The range of `text` that differs from the counterpart of this line. */
  mark: [from: number, to: number] | null;
  /** True when text before or after `text` is left out. */
  isCutStart: boolean;
  isCutEnd: boolean;
  /** True for a last line without a line break, if the other text has a break or another line there. */
  isUnended: boolean;
};
/** Groups of adjacent lines, with context. Null = too long or too different to compare line by line. */
export type TextDifference = {
  parts: TextPiece[][];
  /** True when there are more lines than are included. */
  isCut: boolean;
  /** True when one text has Windows line breaks and the other Unix ones. Lines are compared without them. */
  areBreaksChanged: boolean;
} | null;

/** The differences of one record. */
export type RecordComparison = {
  path: string;
  kind: string;
  title: string;
  change: RecordDifference["change"];
  fields: { name: string; before: string | null; after: string | null; text: TextDifference | null }[];
};

/** A file that differs between two tips. */
export type FileDifference = { path: string; change: "added" | "changed" | "removed" };
/** A file on one side of a comparison. */
export type FileSide = { kind: "file" | "link" | "submodule"; isExecutable: boolean; sizeBytes: number };

/** The differences of one file between two tips. */
export type FileComparison = {
  path: string;
  change: FileDifference["change"];
  before: FileSide | null;
  after: FileSide | null;
  body:
    | { type: "text"; difference: TextDifference }
    /** The bytes are equal; only the file mode changed. */
    | { type: "same" }
    | { type: "binary" }
    /** Too large to compare on a page. */
    | { type: "large" }
    /** The target of a link, or the commit of a submodule. */
    | { type: "target"; before: string | null; after: string | null };
};

/** The differences of two tips: commits on one side only, and files. */
export type TipComparison = {
  /** The default branch that a new or deleted ref was compared with; its files are not compared. */
  against: string | null;
  gained: { id: string; title: string; author: string; at: number }[];
  lost: { id: string; title: string; author: string; at: number }[];
  isMore: boolean;
  files: FileDifference[];
  isFilesCut: boolean;
};

/** How a part of a view is in one version, compared with the version before it. */
export type PartVersion = {
  snapshotId: string;
  /** Epoch ms. */
  takenAt: number;
  /** `absent` = the version does not have the part. The oldest version that has it counts as changed. */
  state: "changed" | "same" | "absent";
};

/** The versions around an open one and how a part is in each, newest first. */
export type PartVersions = {
  versions: PartVersion[];
  /** True when the item has older versions that were not looked through. */
  isCut: boolean;
};

/** The commits that a pull request proposes, newest first, and the files that they change. */
export type ProposalComparison = Pick<TipComparison, "isMore" | "files" | "isFilesCut"> & {
  /** Why they cannot be shown, as a sentence; null = they can. */
  obstacle: string | null;
  commits: TipComparison["gained"];
  /** The lines of one of the files; null = none was asked for. */
  file: FileComparison | null;
};
