import { defineEndpoints } from "#connectors/contract/endpoints.ts";

const board = "board";

/** Trello's dialect of the public API (spec part 2, section 7): the shared operation behind each path. */
export const endpoints = defineEndpoints({
  "GET get-trello-user": { does: "list-connections" },
  "GET login-trello": { does: "connect-by-consent" },
  "GET change-trello-user": { does: "change-by-consent" },
  "GET get-available-trello-boards": {
    does: "list-available-items",
    kind: board,
    answers: { not_added: "not_added_boards" },
  },
  "GET get-user-trello-boards": { does: "list-items", kind: board },
  "GET get-available-trello-organizations": { does: "list-restore-places" },
  "POST add-boards": {
    does: "add-items",
    kind: board,
    fields: { externals: "boardsIds", externalId: "id" },
    answers: { added: "boards_list" },
  },
  "DELETE delete-boards": { does: "delete-items", kind: board, fields: { itemIds: "boardsIds" } },
  "POST backup-now": { does: "back-up-now", kind: board, fields: { itemId: "boardId" } },
  "POST restore-boards": {
    does: "restore-items",
    kind: board,
    fields: { itemId: "id", snapshotId: "versions", place: "organizationId" },
  },
  "POST trello-get-zip": {
    does: "request-zip",
    kind: board,
    fields: { itemId: "boardId", snapshotId: "versionId" },
  },
  "PUT update-daily-backup-items-statuses": {
    does: "set-daily-backup",
    fields: { isDaily: "is_daily_backed_up" },
    lists: { [board]: "boardsIds" },
  },
});
