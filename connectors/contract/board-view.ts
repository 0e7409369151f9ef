import type { EntryRole } from "./entry-role.ts";
import type { Field, FileLink, Hue, Tag } from "./field.ts";
import type { Note, NoteRange, Notes } from "./note.ts";

/** Facts about the board itself. */
export type BoardFacts = {
  title: string;
  /** Markdown as its author wrote it; empty = none. */
  text: string;
  /** Its address at the platform. */
  url: string | null;
  isArchived: boolean;
};

/** What the platform calls the things on a board, in the middle of a sentence. */
export type BoardWords = {
  card: { one: string; many: string };
  column: { one: string; many: string };
  /** Those whose names stand on a card, e.g. "members". */
  people: string;
  /** State of a card or column that is not shown at first: "archived", or "hidden" where nothing is archived. */
  away: string;
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
  /** Sorts the cards of a column, ascending. All ranks of a board have the same type. */
  rank: number | string;
  /** A short name shown beside the title, e.g. `OPS-1188`; null = none. */
  key: string | null;
  /** One line; may contain any characters. */
  title: string;
  isArchived: boolean;
  /** A special kind of card, e.g. "Template"; null = an ordinary card. */
  role: string | null;
  tags: Tag[];
  cover: {
    hue: Hue | null;
    shade: Tag["shade"];
    /** Path of a picture's entry. */
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
  hasText: boolean;
  /** Other facts on its front, as text: `2 votes`, `High`. The fields of the opened card repeat them. */
  badges: string[];
};

/** A card with its searchable text. */
export type SearchedCard = BoardCard & {
  /** The card's other text: description, checklist items, field values; for a search its comments too. */
  words: string;
};

/** An item of a checklist. */
export type BoardCheck = { text: string; isDone: boolean; dueAt: number | null; person: string | null };

/** An opened card. */
export type BoardCardDetail = BoardCard & {
  url: string | null;
  /** Markdown as its author wrote it; empty = none. */
  text: string;
  /** Other facts, as text: fields, places, voters. */
  fields: Field[];
  checklists: { title: string; items: BoardCheck[] }[];
  files: FileLink[];
};

/**
 * A version as a board of columns and cards. Screens can show and compare any version that has this view. The view
 * renders nothing, and its content is untrusted.
 */
export interface BoardView {
  words: BoardWords;
  facts(): Promise<BoardFacts>;
  /** All columns from left to right, including archived ones. */
  columns(): Promise<readonly BoardColumn[]>;
  /**
   * All cards, including archived ones, in the order of their entries. Reads one card at a time, on demand, and keeps
   * nothing of it when it reads the next one.
   *
   * @param wanted `comments`: `words` has the texts of the card's comments too, which costs a read for each.
   */
  cards(wanted?: { comments: boolean }): AsyncIterable<SearchedCard>;
  /** Finds a card by its id, or null. */
  card(id: string): Promise<BoardCardDetail | null>;
  /** Comments of a card, newest first. */
  comments(cardId: string, range: NoteRange): Promise<Notes>;
  /** Finds a comment by the path of its entry, or null. */
  comment(path: string): Promise<Note | null>;
  /** Events of a card, without its comments, newest first. */
  history(cardId: string, range: NoteRange): Promise<Notes>;
  /** The role of an entry in the board; null = the board does not show it. */
  roleOf(entry: { path: string; kind: string }): EntryRole | null;
}
