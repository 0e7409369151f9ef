/** The colour of a label or cover. Screens choose the shades for light and dark mode. */
export type BoardHue =
  | "green"
  | "yellow"
  | "orange"
  | "red"
  | "purple"
  | "blue"
  | "sky"
  | "lime"
  | "pink"
  | "gray";

/** A label: a name, a colour, or both. */
export type BoardTag = {
  /** Empty = the label has a colour only. */
  name: string;
  hue: BoardHue | null;
  shade: "light" | "normal" | "dark";
};

/** Facts about the board itself. */
export type BoardFacts = {
  title: string;
  /** Markdown as its author wrote it; empty = none. */
  text: string;
  /** Its address at the platform. */
  url: string | null;
  isArchived: boolean;
};

/** A column, e.g. a list or a status. */
export type BoardColumn = {
  /** Unique among the columns and safe in a URL. */
  id: string;
  /** Path of its entry in the version; null = it has no entry of its own. */
  path: string | null;
  title: string;
  isArchived: boolean;
};

/** The front of a card: what a user sees without opening it. */
export type BoardCard = {
  /** Unique in the board and safe in a URL. */
  id: string;
  /** Path of its entry in the version. */
  path: string;
  columnId: string;
  /** One line; may contain any characters. */
  title: string;
  isArchived: boolean;
  /** The kind of card, unless it is an ordinary one, e.g. "Template". */
  role: string | null;
  tags: BoardTag[];
  cover: {
    hue: BoardHue | null;
    shade: BoardTag["shade"];
    /** Path of the picture's entry. */
    picture: string | null;
  } | null;
  /** Epoch ms. */
  startAt: number | null;
  dueAt: number | null;
  isDone: boolean;
  /** Names of its members. */
  people: string[];
  /** Checklist items; null = the card has no checklists. */
  checks: { done: number; total: number } | null;
  commentCount: number;
  fileCount: number;
  voteCount: number;
  hasText: boolean;
  /** Names of its stickers. */
  stickers: string[];
};

/** A card with the text that search looks at. */
export type SearchedCard = BoardCard & {
  /** The card's other text: description, checklist items, field values. */
  words: string;
};

/** An item of a checklist. */
export type BoardCheck = { text: string; isDone: boolean; dueAt: number | null; person: string | null };

/** A file or link of a card. */
export type BoardFile = {
  name: string;
  /** Path of its entry in the version; null = a link, or a file whose bytes are not in the version. */
  path: string | null;
  /** URL of a link; null = a file. */
  url: string | null;
  sizeBytes: number | null;
};

/** An opened card. */
export type BoardCardDetail = BoardCard & {
  /** Sort key within its column, ascending. */
  rank: number;
  url: string | null;
  /** Markdown as its author wrote it; empty = none. */
  text: string;
  /** Further facts as text: fields, places, voters. Names may repeat. */
  fields: { name: string; value: string }[];
  checklists: { title: string; items: BoardCheck[] }[];
  files: BoardFile[];
};

/** A comment, or a line of the history. */
export type BoardNote = {
  /** Path of its entry. Later notes have higher paths. */
  path: string;
  author: string | null;
  /** Epoch ms. */
  at: number | null;
  editedAt: number | null;
  /** A comment's Markdown. For history, the rest of a sentence that starts with the author. */
  text: string;
  reactions: { sign: string; count: number }[];
};

/** Notes of a card, newest first. */
export type BoardNotes = {
  notes: BoardNote[];
  /** Pass as `before` to read older notes; null at the end. */
  next: string | null;
};

/** The part of the board that an entry represents. */
export type BoardPart =
  | { type: "column"; id: string }
  | { type: "card"; id: string }
  /** Belongs to the card with this id. */
  | { type: "comment" | "file"; cardId: string };

/**
 * A version as a board of columns and cards. Screens can show and compare any version that has this view. The view
 * renders nothing, and its content is untrusted.
 */
export interface BoardView {
  facts(): Promise<BoardFacts>;
  /** All columns from left to right, including archived ones. */
  columns(): Promise<readonly BoardColumn[]>;
  /** All cards, including archived ones, ordered from top to bottom within each column. */
  cards(): Promise<readonly SearchedCard[]>;
  /** Finds a card, or null. */
  card(id: string): Promise<BoardCardDetail | null>;
  comments(cardId: string, page: { before: string | null; most: number }): Promise<BoardNotes>;
  /** Finds a comment by the path of its entry, or null. */
  comment(path: string): Promise<BoardNote | null>;
  /** Changes to a card, without its comments. */
  history(cardId: string, page: { before: string | null; most: number }): Promise<BoardNotes>;
  /** The part of the board that an entry represents; null = the board does not show it. */
  partOf(entry: { path: string; kind: string }): BoardPart | null;
}
