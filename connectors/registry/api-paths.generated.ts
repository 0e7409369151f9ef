// Written by connectors/registry/generate.ts; run `npm run generate` after adding a platform or a storage.

import type { SharedOperation } from "#connectors/contract/endpoints.ts";

/** Method and path of a shared operation, and what our fields and our names in its answer are called there. */
export type ApiPath = {
  method: string;
  path: string;
  fields: Readonly<Record<string, string>>;
  answers?: Readonly<Record<string, string>>;
  /** The path serves every kind and is told which one is meant. */
  sendsKind?: boolean;
};

/** The addresses of the shared operations, by item kind. */
export type ApiPaths = Partial<Record<SharedOperation, Record<string, ApiPath>>>;

/** Where the public API answers, by platform id. */
export const apiPaths: Readonly<Record<string, ApiPaths>> = {
  "github": {
    "list-available-items": {
      "repository": {
        "method": "GET",
        "path": "/api/github/get-available-repos-for-github-user",
        "fields": {}
      },
      "gist": {
        "method": "GET",
        "path": "/api/github/get-available-gists-for-github-user",
        "fields": {}
      }
    },
    "list-items": {
      "repository": {
        "method": "GET",
        "path": "/api/github/get-user-github-items",
        "fields": {}
      },
      "gist": {
        "method": "GET",
        "path": "/api/github/get-user-github-gists",
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
      },
      "gist": {
        "method": "POST",
        "path": "/api/github/add-github-gists",
        "fields": {
          "externals": "gists",
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
      },
      "gist": {
        "method": "DELETE",
        "path": "/api/github/delete-gists",
        "fields": {
          "itemIds": "gistsIds"
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
      },
      "gist": {
        "method": "POST",
        "path": "/api/github/backup-now-gist",
        "fields": {
          "itemId": "id"
        }
      }
    },
    "back-up-all-now": {
      "repository": {
        "method": "GET",
        "path": "/api/github/backup-all-repos-now",
        "fields": {}
      },
      "gist": {
        "method": "GET",
        "path": "/api/github/backup-all-gists-now",
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
      },
      "gist": {
        "method": "POST",
        "path": "/api/github/restore-gists",
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
      },
      "gist": {
        "method": "POST",
        "path": "/api/github/github-gist-get-zip",
        "fields": {
          "itemId": "id",
          "snapshotId": "versionId"
        }
      }
    },
    "list-connections": {
      "repository": {
        "method": "GET",
        "path": "/api/github/get-github-users",
        "fields": {}
      },
      "gist": {
        "method": "GET",
        "path": "/api/github/get-github-users",
        "fields": {}
      }
    },
    "connect-by-consent": {
      "repository": {
        "method": "GET",
        "path": "/api/github/connect-url",
        "fields": {
          "name": "username"
        }
      },
      "gist": {
        "method": "GET",
        "path": "/api/github/connect-url",
        "fields": {
          "name": "username"
        }
      }
    },
    "connect-by-name": {
      "repository": {
        "method": "POST",
        "path": "/api/github/add-github-user",
        "fields": {
          "name": "username",
          "isAutoAdd": "auto_add"
        }
      },
      "gist": {
        "method": "POST",
        "path": "/api/github/add-github-user",
        "fields": {
          "name": "username",
          "isAutoAdd": "auto_add"
        }
      }
    },
    "change-by-name": {
      "repository": {
        "method": "POST",
        "path": "/api/github/change-github-user",
        "fields": {
          "name": "username"
        }
      },
      "gist": {
        "method": "POST",
        "path": "/api/github/change-github-user",
        "fields": {
          "name": "username"
        }
      }
    },
    "replace-token": {
      "repository": {
        "method": "POST",
        "path": "/api/github/change-github-owner-token",
        "fields": {
          "accessToken": "access_token"
        }
      },
      "gist": {
        "method": "POST",
        "path": "/api/github/change-github-owner-token",
        "fields": {
          "accessToken": "access_token"
        }
      }
    },
    "set-auto-add": {
      "repository": {
        "method": "POST",
        "path": "/api/github/change-github-user-auto-add",
        "fields": {
          "isAutoAdd": "auto_add"
        }
      },
      "gist": {
        "method": "POST",
        "path": "/api/github/change-github-user-auto-add",
        "fields": {
          "isAutoAdd": "auto_add"
        }
      }
    },
    "send-account-code": {
      "repository": {
        "method": "POST",
        "path": "/api/github/send-confirm-github-user",
        "fields": {}
      },
      "gist": {
        "method": "POST",
        "path": "/api/github/send-confirm-github-user",
        "fields": {}
      }
    },
    "confirm-account": {
      "repository": {
        "method": "POST",
        "path": "/api/github/confirm-code",
        "fields": {}
      },
      "gist": {
        "method": "POST",
        "path": "/api/github/confirm-code",
        "fields": {}
      }
    },
    "list-restore-places": {
      "repository": {
        "method": "GET",
        "path": "/api/github/get-places-for-deleted-items",
        "fields": {}
      },
      "gist": {
        "method": "GET",
        "path": "/api/github/get-places-for-deleted-items",
        "fields": {}
      }
    },
    "list-places": {
      "repository": {
        "method": "GET",
        "path": "/api/github/get-available-user-places",
        "fields": {}
      },
      "gist": {
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
      },
      "gist": {
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
      },
      "gist": {
        "method": "POST",
        "path": "/api/github/add-places-for-user",
        "fields": {
          "externalIds": "placesIds"
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
      },
      "gist": {
        "method": "PUT",
        "path": "/api/github/update-daily-backup-items-statuses",
        "fields": {
          "isDaily": "is_daily_backed_up",
          "itemIds": "gistsIds"
        }
      }
    }
  },
  "gitlab": {
    "list-available-items": {
      "project": {
        "method": "GET",
        "path": "/api/gitlab/get-available-projects-for-gitlab-user",
        "fields": {},
        "answers": {
          "not_added": "not_added_projects"
        }
      },
      "snippet": {
        "method": "GET",
        "path": "/api/gitlab/get-available-snippets-for-gitlab-user",
        "fields": {},
        "answers": {
          "not_added": "not_added_snippets"
        }
      }
    },
    "list-items": {
      "project": {
        "method": "GET",
        "path": "/api/gitlab/get-user-gitlab-projects",
        "fields": {}
      },
      "snippet": {
        "method": "GET",
        "path": "/api/gitlab/get-user-gitlab-snippets",
        "fields": {}
      }
    },
    "add-items": {
      "project": {
        "method": "POST",
        "path": "/api/gitlab/add-gitlab-projects",
        "fields": {
          "externals": "projectsIds",
          "externalId": "id",
          "nodeId": "node_id"
        },
        "answers": {
          "added": "projects_list"
        }
      },
      "snippet": {
        "method": "POST",
        "path": "/api/gitlab/add-gitlab-snippets",
        "fields": {
          "externals": "snippetsIds",
          "externalId": "id",
          "nodeId": "node_id"
        },
        "answers": {
          "added": "snippets_list"
        }
      }
    },
    "delete-items": {
      "project": {
        "method": "DELETE",
        "path": "/api/gitlab/delete-projects",
        "fields": {
          "itemIds": "ids"
        }
      },
      "snippet": {
        "method": "DELETE",
        "path": "/api/gitlab/delete-snippets",
        "fields": {
          "itemIds": "ids"
        }
      }
    },
    "back-up-now": {
      "project": {
        "method": "POST",
        "path": "/api/gitlab/backup-now",
        "fields": {
          "itemId": "projectId"
        }
      },
      "snippet": {
        "method": "POST",
        "path": "/api/gitlab/backup-now-snippet",
        "fields": {
          "itemId": "snippetId"
        }
      }
    },
    "back-up-all-now": {
      "project": {
        "method": "GET",
        "path": "/api/gitlab/backup-all-added-projects-now",
        "fields": {}
      },
      "snippet": {
        "method": "GET",
        "path": "/api/gitlab/backup-all-added-snippets-now",
        "fields": {}
      }
    },
    "restore-items": {
      "project": {
        "method": "POST",
        "path": "/api/gitlab/restore-projects",
        "fields": {
          "itemId": "id",
          "snapshotId": "versionId"
        }
      },
      "snippet": {
        "method": "POST",
        "path": "/api/gitlab/restore-gitlab-snippets",
        "fields": {
          "itemId": "id",
          "snapshotId": "versionId"
        }
      }
    },
    "request-zip": {
      "project": {
        "method": "POST",
        "path": "/api/gitlab/gitlab-get-gzip",
        "fields": {
          "itemId": "projectId",
          "snapshotId": "versionId"
        }
      },
      "snippet": {
        "method": "POST",
        "path": "/api/gitlab/gitlab-snippet-get-zip",
        "fields": {
          "itemId": "snippetId",
          "snapshotId": "versionId"
        }
      }
    },
    "list-connections": {
      "project": {
        "method": "GET",
        "path": "/api/gitlab/get-gitlab-users",
        "fields": {}
      },
      "snippet": {
        "method": "GET",
        "path": "/api/gitlab/get-gitlab-users",
        "fields": {}
      }
    },
    "connect-by-consent": {
      "project": {
        "method": "GET",
        "path": "/api/gitlab/add-gitlab-user",
        "fields": {
          "name": "username"
        }
      },
      "snippet": {
        "method": "GET",
        "path": "/api/gitlab/add-gitlab-user",
        "fields": {
          "name": "username"
        }
      }
    },
    "change-by-consent": {
      "project": {
        "method": "GET",
        "path": "/api/gitlab/change-gitlab-user",
        "fields": {
          "name": "username"
        }
      },
      "snippet": {
        "method": "GET",
        "path": "/api/gitlab/change-gitlab-user",
        "fields": {
          "name": "username"
        }
      }
    },
    "list-available-places": {
      "project": {
        "method": "GET",
        "path": "/api/gitlab/get-gitlab-groups",
        "fields": {}
      },
      "snippet": {
        "method": "GET",
        "path": "/api/gitlab/get-gitlab-groups",
        "fields": {}
      }
    },
    "list-restore-places": {
      "project": {
        "method": "GET",
        "path": "/api/gitlab/get-gitlab-restore-places",
        "fields": {}
      },
      "snippet": {
        "method": "GET",
        "path": "/api/gitlab/get-gitlab-restore-places",
        "fields": {}
      }
    },
    "set-daily-backup": {
      "project": {
        "method": "PUT",
        "path": "/api/gitlab/update-daily-backup-items-statuses",
        "fields": {
          "isDaily": "is_daily_backed_up",
          "itemIds": "projectsIds"
        }
      },
      "snippet": {
        "method": "PUT",
        "path": "/api/gitlab/update-daily-backup-items-statuses",
        "fields": {
          "isDaily": "is_daily_backed_up",
          "itemIds": "snippetsIds"
        }
      }
    }
  },
  "trello": {
    "list-available-items": {
      "board": {
        "method": "GET",
        "path": "/api/trello/get-available-trello-boards",
        "fields": {},
        "answers": {
          "not_added": "not_added_boards"
        }
      }
    },
    "list-items": {
      "board": {
        "method": "GET",
        "path": "/api/trello/get-user-trello-boards",
        "fields": {}
      }
    },
    "add-items": {
      "board": {
        "method": "POST",
        "path": "/api/trello/add-boards",
        "fields": {
          "externals": "boardsIds",
          "externalId": "id",
          "nodeId": "node_id"
        },
        "answers": {
          "added": "boards_list"
        }
      }
    },
    "delete-items": {
      "board": {
        "method": "DELETE",
        "path": "/api/trello/delete-boards",
        "fields": {
          "itemIds": "boardsIds"
        }
      }
    },
    "back-up-now": {
      "board": {
        "method": "POST",
        "path": "/api/trello/backup-now",
        "fields": {
          "itemId": "boardId"
        }
      }
    },
    "restore-items": {
      "board": {
        "method": "POST",
        "path": "/api/trello/restore-boards",
        "fields": {
          "itemId": "id",
          "snapshotId": "versions",
          "place": "organizationId"
        }
      }
    },
    "request-zip": {
      "board": {
        "method": "POST",
        "path": "/api/trello/trello-get-zip",
        "fields": {
          "itemId": "boardId",
          "snapshotId": "versionId"
        }
      }
    },
    "back-up-all-now": {
      "board": {
        "method": "GET",
        "path": "/api/trello/backup-all-items-now",
        "fields": {},
        "sendsKind": true
      }
    },
    "list-connections": {
      "board": {
        "method": "GET",
        "path": "/api/trello/get-trello-user",
        "fields": {}
      }
    },
    "connect-by-consent": {
      "board": {
        "method": "GET",
        "path": "/api/trello/login-trello",
        "fields": {}
      }
    },
    "change-by-consent": {
      "board": {
        "method": "GET",
        "path": "/api/trello/change-trello-user",
        "fields": {}
      }
    },
    "list-restore-places": {
      "board": {
        "method": "GET",
        "path": "/api/trello/get-available-trello-organizations",
        "fields": {}
      }
    },
    "set-daily-backup": {
      "board": {
        "method": "PUT",
        "path": "/api/trello/update-daily-backup-items-statuses",
        "fields": {
          "isDaily": "is_daily_backed_up",
          "itemIds": "boardsIds"
        }
      }
    }
  }
};
