// Written by connectors/registry/generate.ts; run `npm run generate` after adding a platform.

import type { PlatformDescriptor } from "#connectors/contract/descriptor.ts";
import type { SharedOperation } from "#connectors/contract/endpoints.ts";
import type { PlatformUi } from "#connectors/contract/platform-ui.ts";
import { descriptor as githubDescriptor } from "#connectors/platforms/github/descriptor.ts";
import { ui as githubUi } from "#connectors/platforms/github/ui.tsx";

/** Every platform's facts, in order of its id. Safe for the browser. */
export const descriptors: readonly PlatformDescriptor[] = [githubDescriptor];

/** Marks and words by platform id. */
export const uis: Readonly<Record<string, PlatformUi>> = { "github": githubUi };

/** Method and path of a shared operation, and what our fields are called there. */
export type ApiPath = { method: string; path: string; fields: Readonly<Record<string, string>> };

/** The addresses of the shared operations, by item kind. */
export type ApiPaths = Partial<Record<SharedOperation, Record<string, ApiPath>>>;

/** Where the public API answers, by platform id. */
export const apiPaths: Readonly<Record<string, ApiPaths>> = {
  "github": {
    "list-connections": {
      "repository": {
        "method": "GET",
        "path": "/api/github/get-github-users",
        "fields": {}
      }
    },
    "list-places": {
      "repository": {
        "method": "GET",
        "path": "/api/github/get-available-user-places",
        "fields": {}
      }
    },
    "list-available-places": {
      "repository": {
        "method": "GET",
        "path": "/api/github/get-available-github-places",
        "fields": {}
      }
    },
    "add-places": {
      "repository": {
        "method": "POST",
        "path": "/api/github/add-places-for-user",
        "fields": {
          "externalIds": "placesIds"
        }
      }
    },
    "list-available-items": {
      "repository": {
        "method": "GET",
        "path": "/api/github/get-available-repos-for-github-user",
        "fields": {}
      }
    },
    "list-items": {
      "repository": {
        "method": "GET",
        "path": "/api/github/get-user-github-items",
        "fields": {}
      }
    },
    "add-items": {
      "repository": {
        "method": "POST",
        "path": "/api/github/add-github-repos",
        "fields": {
          "externals": "reposIds",
          "externalId": "id",
          "nodeId": "node_id"
        }
      }
    },
    "delete-items": {
      "repository": {
        "method": "DELETE",
        "path": "/api/github/delete-repos",
        "fields": {
          "itemIds": "reposIds"
        }
      }
    },
    "back-up-now": {
      "repository": {
        "method": "POST",
        "path": "/api/github/backup-now",
        "fields": {
          "itemId": "repoName"
        }
      }
    },
    "back-up-all-now": {
      "repository": {
        "method": "GET",
        "path": "/api/github/backup-all-repos-now",
        "fields": {}
      }
    },
    "restore-items": {
      "repository": {
        "method": "POST",
        "path": "/api/github/restore-repos",
        "fields": {
          "itemId": "id",
          "snapshotId": "versionid"
        }
      }
    },
    "request-zip": {
      "repository": {
        "method": "POST",
        "path": "/api/github/github-get-zip",
        "fields": {
          "itemId": "repoId",
          "snapshotId": "versionId"
        }
      }
    },
    "set-daily-backup": {
      "repository": {
        "method": "PUT",
        "path": "/api/github/update-daily-backup-items-statuses",
        "fields": {
          "isDaily": "is_daily_backed_up",
          "itemIds": "reposIds"
        }
      }
    }
  }
};
