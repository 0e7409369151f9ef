import type { BoardCheck } from "#connectors/contract/board-view.ts";
import type { Field, Tag } from "#connectors/contract/field.ts";
import type { Reaction } from "#connectors/contract/note.ts";
import type { Tint } from "#connectors/contract/page-block.ts";
import type { SortKey } from "#connectors/contract/table-order.ts";
import type { TableColumn, TableLayout } from "#connectors/contract/table-view.ts";
import type { ViewKind } from "#connectors/contract/view.ts";

/**
 * The data that the offline page of a ZIP reads. `index.html` holds the cover. Each view has a catalogue
 * (`viewer/<view>/index.js`) and its parts in numbered files beside it. An absent member is empty or unknown.
 */
export type ViewerCover = {
  title: string;
  /** Name of the platform, e.g. "GitHub". */
  platform: string;
  /** Its logo: an SVG path in a box of 24 by 24. */
  logo?: string;
  /** Kind of the item, e.g. "repository". */
  kind: string;
  /** Where the item is at its platform, e.g. the organisation. */
  place?: string;
  /** Epoch ms. */
  takenAt: number;
  verifiedAt?: number;
  /** Counts in words, e.g. "57 cards". */
  inside?: string[];
  leftOut?: ViewerLeftOut;
  /** Hash of the version's content. */
  checksum: string;
  views: ViewerView[];
};

/** A view on the cover. `count` is the number of its parts. */
export type ViewerView = { kind: ViewKind; label: string; count?: number };

/** What could not be read when the version was taken. */
export type ViewerLeftOut = {
  /** Kinds in words, e.g. "attachments". */
  kinds: string[];
  /** The first of them, each with its reason. */
  things: { path: string; reason: string }[];
  /** Number of all of them. */
  count: number;
};

/** Written after the parts of a view. */
export type ViewerCatalogue = {
  /** Number of part files, named `1.js` and so on. */
  fileCount: number;
  /** Number of parts written, and number in the version. Absent = all. */
  cut?: { shown: number; all: number | null };
  /** Why the view is empty, as a sentence. */
  obstacle?: string;
  /** Names for one part and for several. */
  words?: { one: string; many: string };
  board?: {
    text?: string;
    url?: string;
    columns: { id: string; title: string; isArchived?: true }[];
    /** What the platform calls a column, the people on a card, and what is not shown at first. */
    words: { column: string; people: string; away: string };
  };
  files?: ViewerFiles;
};

/** A summary of a tree of files. The files themselves are in the ZIP. */
export type ViewerFiles = {
  /** The branch or tag of `commits`, `nodes` and `readme`. */
  ref?: string;
  refs: { label: string; kind: string; id: string }[];
  refCount: number;
  commits: { id: string; title: string; author: string; at: number }[];
  nodes: { name: string; kind: string }[];
  nodeCount: number;
  /** Its name and its Markdown. */
  readme?: { name: string; text: string };
};

/** A card, thread, page, table or row. */
export type ViewerPart = {
  type: "card" | "thread" | "page" | "table" | "row";
  id: string;
  key?: string;
  title: string;
  icon?: string;
  /** Id of its column, of the page above it, or of its table. */
  group?: string;
  rank?: number | string;
  isArchived?: true;
  state?: { label: string; isOpen: boolean };
  tags?: Tag[];
  /** Short texts on the front of a card. */
  badges?: string[];
  people?: string[];
  author?: string;
  /** Epoch ms. */
  at?: number;
  editedAt?: number;
  startAt?: number;
  dueAt?: number;
  isDone?: true;
  url?: string;
  fields?: Field[];
  checklists?: { title: string; items: BoardCheck[] }[];
  blocks?: ViewerBlock[];
  files?: ViewerFile[];
  reactions?: Reaction[];
  /** Comments and events, the oldest first. */
  notes?: ViewerNote[];
  /** True when some notes are left out. */
  areNotesCut?: true;
  /** Of a table. */
  columns?: TableColumn[];
  layouts?: TableLayout[];
  /** Of a row: its cells in words, by the ids of columns. */
  cells?: Record<string, string>;
  /** Of a row: the columns of boards in which it is, by the ids of the columns that group them. */
  groups?: Record<string, string[]>;
  /** Of a row: its days, by the ids of columns of dates. Epoch ms. */
  days?: Record<string, number>;
  /** Of a row: the layouts that leave it out, and what orders it in those that have an order, by their ids. */
  hiddenIn?: string[];
  keys?: Record<string, SortKey[]>;
};

/** A block of a part's content. */
export type ViewerBlock =
  | { type: "text"; text: string; isCut?: true; tint?: Tint }
  | { type: "file"; file: ViewerFile }
  | { type: "page"; id: string; title: string }
  | { type: "table"; id: string; title: string; isInline?: true }
  | { type: "inset"; look: "box" | "indent"; icon?: string; blocks: ViewerBlock[]; tint?: Tint }
  | { type: "toggle"; title: string; blocks: ViewerBlock[]; tint?: Tint }
  | { type: "columns"; columns: { share: number; blocks: ViewerBlock[] }[] }
  | { type: "absent"; reason: string; url?: string };

/** A file of the ZIP or a link. */
export type ViewerFile = {
  name: string;
  /** For a file: its path in the ZIP, URL-encoded. For a link: its URL. */
  href?: string;
  isLink?: true;
  sizeBytes?: number;
};

/** A comment or event. */
export type ViewerNote = {
  isEvent?: true;
  author?: string;
  at?: number;
  editedAt?: number;
  text: string;
  about?: string;
  reactions?: Reaction[];
  files?: ViewerFile[];
};
