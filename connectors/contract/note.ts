import type { FileLink } from "./field.ts";

/** A comment, or a line of the history. */
export type Note = {
  /** Path of its entry; unique among the notes of one part. */
  path: string;
  /** Of an event, the text is a sentence that goes on behind its author. */
  type: "comment" | "event";
  author: string | null;
  /** Epoch ms. */
  at: number | null;
  editedAt: number | null;
  /** A comment's Markdown as its author wrote it, or an event's sentence. */
  text: string;
  /** What it is about, or what it decided, in words: `src/app.ts, line 12`, `Approved`. Null = the part as a whole. */
  about: string | null;
  /** Path of the note that it answers; null = none. */
  answers: string | null;
  reactions: Reaction[];
  files: FileLink[];
};

/** A sign that people left, and how many of them. */
export type Reaction = { sign: string; count: number };

/** Notes in the order in which their list gives them. */
export type Notes = {
  notes: Note[];
  /** The mark to go on behind; null at the end. */
  next: string | null;
};

/** Which notes: at most so many, behind the mark that a page ended with. A mark that nobody gave is ignored or found empty. */
export type NoteRange = { after: string | null; most: number };
