import type { TrelloCustomField, TrelloList } from "../payloads.ts";

/** New ids of what cards reference, by old id. Missing ids were not restored. */
export type Frame = {
  lists: ReadonlyMap<string, string>;
  labels: ReadonlyMap<string, string>;
  fields: ReadonlyMap<string, string>;
  options: ReadonlyMap<string, string>;
  /** All fields of the version. Values of fields that Trello refused are restored as text. */
  sourceFields: readonly TrelloCustomField[];
  sourceLists: readonly TrelloList[];
};
