/**
 * The role of a version's entry in a view. A part is what people open individually: a card, a thread, a page, a row. An
 * entry that two views show is compared in the first one.
 */
export type EntryRole =
  /** A column of a board. */
  | { role: "column"; id: string }
  | { role: "part"; id: string }
  /**
   * Belongs to the part `partId`. An event is a line of its history. A note is a comment or an event; only its content
   * shows which. A value is shown among the facts of the part, not as a thing of its own.
   */
  | { role: "comment" | "event" | "note" | "file" | "value"; partId: string };
