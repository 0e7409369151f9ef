import type { EntryKinds } from "#connectors/contract/platform-connector.ts";

/** The names of Notion's entry kinds on screens. `blocks` and `roots` are parts of pages, so they have no name. */
export const entryKinds: EntryKinds = {
  workspace: { one: "workspace", many: "workspaces" },
  page: { one: "page", many: "pages" },
  database: { one: "database", many: "databases" },
  "data-source": { one: "data source", many: "data sources" },
  row: { one: "row", many: "rows" },
  template: { one: "template", many: "templates" },
  view: { one: "view", many: "views" },
  comment: { one: "comment", many: "comments" },
  file: { one: "file", many: "files" },
  user: { one: "person", many: "people" },
  emoji: { one: "custom emoji", many: "custom emojis" },
};
