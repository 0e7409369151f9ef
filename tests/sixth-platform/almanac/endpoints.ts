import { defineEndpoints } from "#connectors/contract/endpoints.ts";

const book = "book";

/** Almanac's dialect of the public API: the shared operation behind each path. */
export const endpoints = defineEndpoints({
  "GET get-almanac-sites": { does: "list-connections" },
  "GET login-almanac": { does: "connect-by-consent" },
  "GET change-almanac-site": { does: "change-by-consent" },
  "GET get-available-almanac-books": { does: "list-available-items", kind: book },
  "GET get-user-almanac-books": { does: "list-items", kind: book },
  "POST add-books": {
    does: "add-items",
    kind: book,
    fields: { externals: "booksIds", externalId: "id" },
    answers: { added: "books_list" },
  },
  "DELETE delete-books": { does: "delete-items", kind: book, fields: { itemIds: "booksIds" } },
  "POST backup-now": { does: "back-up-now", kind: book, fields: { itemId: "bookId" } },
  "POST restore-books": {
    does: "restore-items",
    kind: book,
    fields: { itemId: "id", snapshotId: "versions" },
  },
  "POST almanac-get-zip": {
    does: "request-zip",
    kind: book,
    fields: { itemId: "bookId", snapshotId: "versionId" },
  },
  "PUT update-daily-backup-items-statuses": {
    does: "set-daily-backup",
    fields: { isDaily: "is_daily_backed_up" },
    lists: { [book]: "booksIds" },
  },
});
