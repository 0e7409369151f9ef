import type { ItemListView } from "#core/inventory/views.ts";
import type { ListQuery } from "./list-query.ts";
import type { OpenDialog } from "./open-dialog.ts";
import type { ItemListPage } from "./queries.server.ts";
import type { ItemActions } from "./use-item-actions.ts";
import type { Words } from "./words.ts";

/** What the parts of the list page share. */
export type ListFrame = {
  page: ItemListPage;
  query: ListQuery;
  words: Words;
  list: ItemListView;
  now: number;
  actions: ItemActions;
  /** The address's own words for the query. */
  search: URLSearchParams;
  /** Shows the list of a changed query. */
  go: (change: Partial<ListQuery>) => void;
  onOpen: (dialog: OpenDialog) => void;
};
