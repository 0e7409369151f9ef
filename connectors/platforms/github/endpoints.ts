import { defineEndpoints } from "#connectors/contract/endpoints.ts";

const repository = "repository";

/** GitHub's dialect of the public API (spec part 2, section 7): which shared operation answers which path. */
export const endpoints = defineEndpoints({
  "GET get-github-users": { does: "list-connections" },
  "GET get-available-user-places": { does: "list-places" },
  "GET get-available-github-places": { does: "list-available-places" },
  "POST add-places-for-user": { does: "add-places", fields: { externalIds: "placesIds" } },
  "GET get-available-repos-for-github-user": { does: "list-available-items", kind: repository },
  "GET get-user-github-items": { does: "list-items", kind: repository },
  "POST add-github-repos": {
    does: "add-items",
    kind: repository,
    fields: { externals: "reposIds", externalId: "id", nodeId: "node_id" },
  },
  "DELETE delete-repos": { does: "delete-items", kind: repository, fields: { itemIds: "reposIds" } },
  "POST backup-now": { does: "back-up-now", kind: repository, fields: { itemId: "repoName" } },
  "GET backup-all-repos-now": { does: "back-up-all-now", kind: repository },
  "POST restore-repos": {
    does: "restore-items",
    kind: repository,
    fields: { itemId: "id", snapshotId: "versionid" },
  },
  "POST github-get-zip": {
    does: "request-zip",
    kind: repository,
    fields: { itemId: "repoId", snapshotId: "versionId" },
  },
  "PUT update-daily-backup-items-statuses": {
    does: "set-daily-backup",
    kind: repository,
    fields: { isDaily: "is_daily_backed_up", itemIds: "reposIds" },
  },
});
