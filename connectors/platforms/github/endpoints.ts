import { defineEndpoints } from "#connectors/contract/endpoints.ts";

const repository = "repository";
const gist = "gist";

/** How calls name a version of an item. */
const VERSION = { itemId: "id", snapshotId: "versionid" };

/** GitHub's part of the public API (spec part 2, section 7): maps each path to a shared operation. */
export const endpoints = defineEndpoints({
  "GET get-github-users": { does: "list-connections" },
  "GET connect-url": { does: "connect-by-consent", fields: { name: "username" } },
  "POST add-github-user": {
    does: "connect-by-name",
    fields: { name: "username", isAutoAdd: "auto_add" },
  },
  "POST change-github-user": { does: "change-by-name", fields: { name: "username" } },
  "POST change-github-owner-token": { does: "replace-token", fields: { accessToken: "access_token" } },
  "POST change-github-user-auto-add": { does: "set-auto-add", fields: { isAutoAdd: "auto_add" } },
  "POST send-confirm-github-user": { does: "send-account-code" },
  "POST confirm-code": { does: "confirm-account" },
  "GET get-places-for-deleted-items": { does: "list-restore-places" },
  "GET get-available-user-places": { does: "list-places" },
  "GET get-available-github-places": { does: "list-available-places" },
  "POST add-places-for-user": { does: "add-places", fields: { externalIds: "placesIds" } },
  "GET get-available-repos-for-github-user": { does: "list-available-items", kind: repository },
  "GET get-user-github-items": { does: "list-items", kind: repository },
  "POST add-github-repos": {
    does: "add-items",
    kind: repository,
    fields: { externals: "reposIds", externalId: "id" },
  },
  "DELETE delete-repos": { does: "delete-items", kind: repository, fields: { itemIds: "reposIds" } },
  "POST backup-now": { does: "back-up-now", kind: repository, fields: { itemId: "repoName" } },
  "GET backup-all-repos-now": { does: "back-up-all-now", kind: repository },
  "POST restore-repos": { does: "restore-items", kind: repository, fields: VERSION },
  "POST github-get-zip": {
    does: "request-zip",
    kind: repository,
    fields: { itemId: "repoId", snapshotId: "versionId" },
  },
  "GET get-available-gists-for-github-user": { does: "list-available-items", kind: gist },
  "GET get-user-github-gists": { does: "list-items", kind: gist },
  "POST add-github-gists": {
    does: "add-items",
    kind: gist,
    fields: { externals: "gists", externalId: "id" },
  },
  "DELETE delete-gists": { does: "delete-items", kind: gist, fields: { itemIds: "gistsIds" } },
  "POST backup-now-gist": { does: "back-up-now", kind: gist, fields: { itemId: "id" } },
  "GET backup-all-gists-now": { does: "back-up-all-now", kind: gist },
  "POST restore-gists": { does: "restore-items", kind: gist, fields: VERSION },
  "POST github-gist-get-zip": {
    does: "request-zip",
    kind: gist,
    fields: { itemId: "id", snapshotId: "versionId" },
  },
  "PUT update-daily-backup-items-statuses": {
    does: "set-daily-backup",
    fields: { isDaily: "is_daily_backed_up" },
    lists: { [repository]: "reposIds", [gist]: "gistsIds" },
  },
});
