import { defineEndpoints } from "#connectors/contract/endpoints.ts";

const project = "project";
const snippet = "snippet";

/** How calls name a version of an item. */
const VERSION = { itemId: "id", snapshotId: "versionId" };

/** GitLab's dialect of the public API (spec part 2, section 7): the shared operation behind each path. */
export const endpoints = defineEndpoints({
  "GET get-gitlab-users": { does: "list-connections" },
  "GET add-gitlab-user": { does: "connect-by-consent", fields: { name: "username" } },
  "GET change-gitlab-user": { does: "change-by-consent", fields: { name: "username" } },
  "GET get-gitlab-groups": { does: "list-available-places" },
  "GET get-gitlab-restore-places": { does: "list-restore-places" },
  "GET get-available-projects-for-gitlab-user": {
    does: "list-available-items",
    kind: project,
    answers: { not_added: "not_added_projects" },
  },
  "GET get-user-gitlab-projects": { does: "list-items", kind: project },
  "POST add-gitlab-projects": {
    does: "add-items",
    kind: project,
    fields: { externals: "projectsIds", externalId: "id" },
    answers: { added: "projects_list" },
  },
  "DELETE delete-projects": { does: "delete-items", kind: project, fields: { itemIds: "ids" } },
  "POST backup-now": { does: "back-up-now", kind: project, fields: { itemId: "projectId" } },
  "GET backup-all-added-projects-now": { does: "back-up-all-now", kind: project },
  "POST restore-projects": { does: "restore-items", kind: project, fields: VERSION },
  "POST gitlab-get-gzip": {
    does: "request-zip",
    kind: project,
    fields: { itemId: "projectId", snapshotId: "versionId" },
  },
  "GET get-available-snippets-for-gitlab-user": {
    does: "list-available-items",
    kind: snippet,
    answers: { not_added: "not_added_snippets" },
  },
  "GET get-user-gitlab-snippets": { does: "list-items", kind: snippet },
  "POST add-gitlab-snippets": {
    does: "add-items",
    kind: snippet,
    fields: { externals: "snippetsIds", externalId: "id" },
    answers: { added: "snippets_list" },
  },
  "DELETE delete-snippets": { does: "delete-items", kind: snippet, fields: { itemIds: "ids" } },
  "POST backup-now-snippet": { does: "back-up-now", kind: snippet, fields: { itemId: "snippetId" } },
  "GET backup-all-added-snippets-now": { does: "back-up-all-now", kind: snippet },
  "POST restore-gitlab-snippets": { does: "restore-items", kind: snippet, fields: VERSION },
  "POST gitlab-snippet-get-zip": {
    does: "request-zip",
    kind: snippet,
    fields: { itemId: "snippetId", snapshotId: "versionId" },
  },
  "PUT update-daily-backup-items-statuses": {
    does: "set-daily-backup",
    fields: { isDaily: "is_daily_backed_up" },
    lists: { [project]: "projectsIds", [snippet]: "snippetsIds" },
  },
});
