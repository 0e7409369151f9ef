/** A colour of a label or cover. Screens choose what it looks like in light and dark. */
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

/** A label: a word, a colour, or both. */
export type BoardTag = {
  /** Empty = the colour is all there is. */
  name: string;
  hue: BoardHue | null;
  shade: "light" | "normal" | "dark";
};

/** What the board as a whole says. */
export type BoardFacts = {
  title: string;
  /** Markdown as its author wrote it; empty = none. */
  text: string;
  /** Where it stands at the platform. */
  url: string | null;
  isArchived: boolean;
};

/** A column: a list, a status. */
export type BoardColumn = {
  /** Unique among the columns and fit for an address. */
  id: string;
  /** Path of its entry in the version; null = it is no entry of its own. */
  path: string | null;
  title: string;
  isArchived: boolean;
};

/** The front of a card: what is seen without opening it. */
export type BoardCard = {
  /** Unique in the board and fit for an address. */
  id: string;
  /** Path of its entry in the version. */
  path: string;
  columnId: string;
  /** One line; anything at all may stand in it. */
  title: string;
  isArchived: boolean;
  /** What kind of card it is where it is no usual one, e.g. "Template". */
  role: string | null;
  tags: BoardTag[];
  cover: {
    hue: BoardHue | null;
    shade: BoardTag["shade"] /** Path of a picture's entry. */;
    picture: string | null;
  } | null;
  /** Epoch ms. */
  startAt: number | null;
  dueAt: number | null;
  isDone: boolean;
  /** Names of who is on it. */
  people: string[];
  /** Items of its checklists; null = it has none. */
  checks: { done: number; total: number } | null;
  commentCount: number;
  fileCount: number;
  voteCount: number;
  hasText: boolean;
  /** Names of its stickers, in words. */
  stickers: string[];
};

/** A card as a search sees it. */
export type SearchedCard = BoardCard & {
  /** What else is written on it: its text, items of checklists, values of fields. */
  words: string;
};

/** An item of a checklist. */
export type BoardCheck = { text: string; isDone: boolean; dueAt: number | null; person: string | null };

/** A file or link of a card. */
export type BoardFile = {
  name: string;
  /** Path of its entry in the version; null = a link, or its bytes are not in the version. */
  path: string | null;
  /** Address of a link; null = a file. */
  url: string | null;
  sizeBytes: number | null;
};

/** An opened card. */
export type BoardCardDetail = BoardCard & {
  /** Where it stands among the cards of its column, ascending. */
  rank: number;
  url: string | null;
  /** Markdown as its author wrote it; empty = none. */
  text: string;
  /** What else it says, in words: fields, places, who voted. Unlike names may be equal. */
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
  /** A comment's Markdown; of the history a sentence that goes on behind its author. */
  text: string;
  reactions: { sign: string; count: number }[];
};

/** Notes of a card, newest first. */
export type BoardNotes = {
  notes: BoardNote[];
  /** Path to go on from towards older ones; null at the end. */
  next: string | null;
};

/** What an entry of a version is to the board. */
export type BoardPart =
  | { type: "column"; id: string }
  | { type: "card"; id: string }
  /** Something that belongs to the card of that id. */
  | { type: "comment" | "file"; cardId: string };

/**
 * A version as a board of columns and cards, as people know it. Whatever a connector calls a board can be shown and compared
 * by it; nothing in it is rendered or trusted.
 */
export interface BoardView {
  facts(): Promise<BoardFacts>;
  /** All columns from left to right, archived ones too. */
  columns(): Promise<readonly BoardColumn[]>;
  /** All cards, archived ones too, from the top of each column down. */
  cards(): Promise<readonly SearchedCard[]>;
  /** One card; null when the version has none of that id. */
  card(id: string): Promise<BoardCardDetail | null>;
  comments(cardId: string, page: { before: string | null; most: number }): Promise<BoardNotes>;
  /** One comment by the path of its entry; null when there is none. */
  comment(path: string): Promise<BoardNote | null>;
  /** What was done to a card, without its comments. */
  history(cardId: string, page: { before: string | null; most: number }): Promise<BoardNotes>;
  /** What an entry is to the board; null = nothing that it shows. */
  partOf(entry: { path: string; kind: string }): BoardPart | null;
}
