/**
 * What an entry of a version is to a view. A part is what people open by itself: a card, a thread, a page, a row. An entry
 * that two views show is compared in the first one.
 */
export type EntryRole =
  /** A column of a board. */
  | { role: "column"; id: string }
  | { role: "part"; id: string }
  /** Belongs to the part of that id. An event is a line of its history; a note is a comment or an event, which only reading tells. */
  | { role: "comment" | "event" | "note" | "file"; partId: string };
