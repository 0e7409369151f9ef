import { defineEndpoints } from "#connectors/contract/endpoints.ts";

const workspace = "workspace";
/** Notion's accounts are called owners, and every path names one by the id of its row (spec P-133). */
const owner = { connectionId: "ownerId" };

/** Notion's dialect of the public API (spec part 2, section 7): the shared operation behind each path. */
export const endpoints = defineEndpoints({
  "GET get-notion-users": { does: "list-connections" },
  "GET auth-url": { does: "connect-by-consent", fields: owner },
  "GET change-notion-user": { does: "change-by-consent", fields: owner },
  "DELETE remove-account": { does: "remove-account", fields: owner },
  "GET get-available-notion-workspaces": {
    does: "list-available-items",
    kind: workspace,
    fields: owner,
    answers: { not_added: "available_workspaces" },
  },
  "GET get-user-workspaces": { does: "list-items", kind: workspace, fields: owner },
  "POST add-workspaces": {
    does: "add-items",
    kind: workspace,
    fields: { ...owner, externals: "workspacesIds", externalId: "id" },
    answers: { added: "workspaces_list" },
  },
  "DELETE delete-workspaces": {
    does: "delete-items",
    kind: workspace,
    fields: { ...owner, itemIds: "ids" },
  },
  "POST backup-now": {
    does: "back-up-now",
    kind: workspace,
    fields: { ...owner, itemId: "workspaceId" },
  },
  "POST backup-all-items-now": { does: "back-up-all-now", kind: workspace, fields: owner },
  "GET backup-all-items-now": { does: "back-up-all-now", fields: owner },
  "POST restore-boards": {
    does: "restore-items",
    kind: workspace,
    fields: { ...owner, itemId: "id", snapshotId: "versions" },
  },
  "POST notion-get-zip": {
    does: "request-zip",
    kind: workspace,
    fields: { ...owner, itemId: "workspaceId", snapshotId: "workspaceVersionId" },
  },
  "PUT update-daily-backup-items-statuses": {
    does: "set-daily-backup",
    fields: { ...owner, isDaily: "is_daily_backed_up" },
    lists: { [workspace]: "workspacesIds" },
  },
});
