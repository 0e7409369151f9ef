import type { EntryKinds } from "#connectors/contract/platform-connector.ts";

/** Display names of the entry kinds. */
export const entryKinds: EntryKinds = {
  book: { one: "book", many: "books" },
  page: { one: "page", many: "pages" },
  register: { one: "register", many: "registers" },
  row: { one: "row", many: "rows" },
  comment: { one: "comment", many: "comments" },
  file: { one: "file", many: "files" },
  readers: { one: "list of readers", many: "lists of readers" },
};
