import { defineEndpoints } from "#connectors/contract/endpoints.ts";

const board = "board";

/** How calls name a version of an item. */
const VERSION = { itemId: "id", snapshotId: "versionid" };

/** The platform's part of the public API: maps each path to a shared operation. */
export const endpoints = defineEndpoints({
  "GET get-jira-users": { does: "list-connections" },
  "GET get-available-jira-boards": { does: "list-available-items", kind: board },
  "GET get-user-jira-boards": { does: "list-items", kind: board },
  "POST add-boards": { does: "add-items", kind: board, fields: { externals: "boardsIds", externalId: "id" } },
  "DELETE delete-boards": { does: "delete-items", kind: board, fields: { itemIds: "boardsIds" } },
  "POST backup-now": { does: "back-up-now", kind: board, fields: { itemId: "boardId" } },
  "POST restore-boards": { does: "restore-items", kind: board, fields: VERSION },
  "POST jira-get-zip": {
    does: "request-zip",
    kind: board,
    fields: { itemId: "boardId", snapshotId: "versionId" },
  },
});
