import { defineEndpoints } from "#connectors/contract/endpoints.ts";

const project = "project";

/** Jira's dialect of the public API (spec part 2, section 7): the shared operation behind each path. */
export const endpoints = defineEndpoints({
  "GET get-jira-users": { does: "list-connections" },
  "GET add-jira-user": { does: "connect-by-consent" },
  "GET change-jira-user": { does: "change-by-consent" },
  "PUT update-user-workspace": { does: "choose-account-by-name" },
  "GET get-all-available-for-backup-jira-projects-list": {
    does: "list-available-items",
    kind: project,
    answers: { not_added: "available_projects" },
  },
  "GET get-user-jira-projects": { does: "list-items", kind: project },
  "POST add-jira-projects": {
    does: "add-items",
    kind: project,
    fields: { externals: "projectsIds", externalId: "id" },
    answers: { added: "projects_list" },
  },
  "DELETE delete-projects": { does: "delete-items", kind: project, fields: { itemIds: "ids" } },
  "POST backup-now": { does: "back-up-now", kind: project, fields: { itemId: "projectId" } },
  "POST restore-projects": {
    does: "restore-items",
    kind: project,
    fields: {
      itemId: "id",
      snapshotId: "versions",
      into: "restoredId",
      matches: "matchedColumns",
      backedUp: "backedUpProjectColumn",
      matchId: "transitionId",
      restored: "restoredProjectColumn",
    },
  },
  "POST jira-get-zip": {
    does: "request-zip",
    kind: project,
    fields: { itemId: "projectId", snapshotId: "versionId" },
  },
  "POST change-jira-user-token": { does: "replace-token", fields: { accessToken: "access_token" } },
  "PUT update-daily-backup-items-statuses": {
    does: "set-daily-backup",
    fields: { isDaily: "is_daily_backed_up" },
    lists: { [project]: "projectsIds" },
  },
});
