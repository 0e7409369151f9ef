import type { TrelloCustomField, TrelloList } from "./payloads.ts";

/** New ids of what cards refer to, by the old ones. What is missing there did not come back. */
export type Frame = {
  lists: ReadonlyMap<string, string>;
  labels: ReadonlyMap<string, string>;
  fields: ReadonlyMap<string, string>;
  options: ReadonlyMap<string, string>;
  /** All fields of the version, also those that Trello refused: their values come back as text. */
  sourceFields: readonly TrelloCustomField[];
  sourceLists: readonly TrelloList[];
};
