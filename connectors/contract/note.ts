import type { FileLink } from "./field.ts";

/** A comment, or a line of the history. */
export type Note = {
  /** Path of its entry; unique among the notes of one part. */
  path: string;
  /** The text of an event is a sentence whose subject is the author. */
  type: "comment" | "event";
  author: string | null;
  /** Epoch ms. */
  at: number | null;
  editedAt: number | null;
  /** A comment's Markdown as its author wrote it, or an event's sentence. */
  text: string;
  /** Its subject or verdict, as text: `src/app.ts, line 12`, `Approved`. Null = it is about the whole part. */
  about: string | null;
  /** Path of the note that it replies to; null = none. */
  answers: string | null;
  reactions: Reaction[];
  files: FileLink[];
  /** What an event is about; absent = nothing in particular. */
  topic?: EventTopic;
};

/** What an event is about. Screens show it as an icon beside its sentence. */
export type EventTopic =
  | "label"
  | "person"
  | "state"
  | "merge"
  | "branch"
  | "link"
  | "text"
  | "date"
  | "file"
  | "check"
  | "move";

/** An emoji and how many people reacted with it. */
export type Reaction = { sign: string; count: number };

/** A page of notes, in list order. */
export type Notes = {
  notes: Note[];
  /** The mark after which the next page starts; null at the end. */
  next: string | null;
};

/** Selects at most `most` notes after a `next` mark. An invalid mark is ignored or gives an empty page. */
export type NoteRange = { after: string | null; most: number };
