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
  /** Where it stands among the cards of its column, ascending. A board ranks all its cards by numbers, or all by texts. */
  rank: number | string;
  /** What people call it beside its title, e.g. `OPS-1188`; null = nothing. */
  key: string | null;
  /** One line; anything at all may stand in it. */
  title: string;
  isArchived: boolean;
  /** The kind of card, unless it is an ordinary one, e.g. "Template". */
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
  /** What else its front shows, in words: `2 votes`, `High`. The fields of the opened card say it too. */
  badges: string[];
};

/** A card with the text that search looks at. */
export type SearchedCard = BoardCard & {
  /** The card's other text: description, checklist items, field values. */
  words: string;
};

/** An item of a checklist. */
export type BoardCheck = { text: string; isDone: boolean; dueAt: number | null; person: string | null };

/** An opened card. */
export type BoardCardDetail = BoardCard & {
  url: string | null;
  /** Markdown as its author wrote it; empty = none. */
  text: string;
  /** What else it says, in words: fields, places, who voted. */
  fields: Field[];
  checklists: { title: string; items: BoardCheck[] }[];
  files: FileLink[];
};

/**
 * A version as a board of columns and cards. Screens can show and compare any version that has this view. The view
 * renders nothing, and its content is untrusted.
 */
export interface BoardView {
  facts(): Promise<BoardFacts>;
  /** All columns from left to right, including archived ones. */
  columns(): Promise<readonly BoardColumn[]>;
  /**
   * All cards, archived ones too, in the order of their entries. They are read one by one as they are asked for: nothing of
   * a card is kept when the next one is read.
   */
  cards(): AsyncIterable<SearchedCard>;
  /** One card; null when the version has none of that id. */
  card(id: string): Promise<BoardCardDetail | null>;
  /** Comments of a card, newest first. */
  comments(cardId: string, range: NoteRange): Promise<Notes>;
  /** One comment by the path of its entry; null when there is none. */
  comment(path: string): Promise<Note | null>;
  /** What was done to a card, without its comments, newest first. */
  history(cardId: string, range: NoteRange): Promise<Notes>;
  /** What an entry is to the board; null = nothing that it shows. */
  roleOf(entry: { path: string; kind: string }): EntryRole | null;
}
