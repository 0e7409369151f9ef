import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import { entryKinds } from "./entry-kinds.ts";

/** Display names of what restores create, in display order. */
export const restoredKinds = {
  "top-page": { one: "page that holds the workspace", many: "pages that hold the workspace", isExtra: true },
  page: entryKinds.page!,
  database: entryKinds.database!,
  "data-source": entryKinds["data-source"]!,
  row: entryKinds.row!,
  view: entryKinds.view!,
  comment: entryKinds.comment!,
  file: entryKinds.file!,
} satisfies PlatformConnector["restoredKinds"];
