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

/** Method and path of a shared operation, by item kind. */
export type ApiPaths = Partial<Record<SharedOperation, Record<string, { method: string; path: string }>>>;

/** Where the public API answers, by platform id. */
export const apiPaths: Readonly<Record<string, ApiPaths>> = {
  "github": {
    "list-connections": {
      "repository": {
        "method": "GET",
        "path": "/api/github/get-github-users"
      }
    },
    "list-places": {
      "repository": {
        "method": "GET",
        "path": "/api/github/get-available-user-places"
      }
    },
    "list-available-places": {
      "repository": {
        "method": "GET",
        "path": "/api/github/get-available-github-places"
      }
    },
    "add-places": {
      "repository": {
        "method": "POST",
        "path": "/api/github/add-places-for-user"
      }
    },
    "list-available-items": {
      "repository": {
        "method": "GET",
        "path": "/api/github/get-available-repos-for-github-user"
      }
    },
    "list-items": {
      "repository": {
        "method": "GET",
        "path": "/api/github/get-user-github-items"
      }
    },
    "add-items": {
      "repository": {
        "method": "POST",
        "path": "/api/github/add-github-repos"
      }
    },
    "delete-items": {
      "repository": {
        "method": "DELETE",
        "path": "/api/github/delete-repos"
      }
    },
    "back-up-now": {
      "repository": {
        "method": "POST",
        "path": "/api/github/backup-now"
      }
    },
    "back-up-all-now": {
      "repository": {
        "method": "GET",
        "path": "/api/github/backup-all-repos-now"
      }
    },
    "restore-items": {
      "repository": {
        "method": "POST",
        "path": "/api/github/restore-repos"
      }
    },
    "request-zip": {
      "repository": {
        "method": "POST",
        "path": "/api/github/github-get-zip"
      }
    },
    "set-daily-backup": {
      "repository": {
        "method": "PUT",
        "path": "/api/github/update-daily-backup-items-statuses"
      }
    }
  }
};
