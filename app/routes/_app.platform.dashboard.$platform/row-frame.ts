import type { OpenDialog } from "./item-dialogs.tsx";
import type { ItemListPage } from "./queries.server.ts";
import type { ItemActions } from "./use-item-actions.ts";
import type { Words } from "./words.ts";

/** Props of every row, besides its item. */
export type RowFrame = {
  page: ItemListPage;
  words: Words;
  actions: ItemActions;
  onOpen: (dialog: OpenDialog) => void;
  isTokenValid: boolean;
  timeZone: string;
  now: number;
};
