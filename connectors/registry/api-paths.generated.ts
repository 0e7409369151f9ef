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
        "fields": {
          "connectionId": "connection_id"
        }
      },
      "gist": {
        "method": "GET",
        "path": "/api/github/get-available-gists-for-github-user",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "list-items": {
      "repository": {
        "method": "GET",
        "path": "/api/github/get-user-github-items",
        "fields": {
          "connectionId": "connection_id"
        }
      },
      "gist": {
        "method": "GET",
        "path": "/api/github/get-user-github-gists",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "add-items": {
      "repository": {
        "method": "POST",
        "path": "/api/github/add-github-repos",
        "fields": {
          "connectionId": "connection_id",
          "externals": "reposIds",
          "externalId": "id"
        }
      },
      "gist": {
        "method": "POST",
        "path": "/api/github/add-github-gists",
        "fields": {
          "connectionId": "connection_id",
          "externals": "gists",
          "externalId": "id"
        }
      }
    },
    "delete-items": {
      "repository": {
        "method": "DELETE",
        "path": "/api/github/delete-repos",
        "fields": {
          "connectionId": "connection_id",
          "itemIds": "reposIds"
        }
      },
      "gist": {
        "method": "DELETE",
        "path": "/api/github/delete-gists",
        "fields": {
          "connectionId": "connection_id",
          "itemIds": "gistsIds"
        }
      }
    },
    "back-up-now": {
      "repository": {
        "method": "POST",
        "path": "/api/github/backup-now",
        "fields": {
          "connectionId": "connection_id",
          "itemId": "repoName"
        }
      },
      "gist": {
        "method": "POST",
        "path": "/api/github/backup-now-gist",
        "fields": {
          "connectionId": "connection_id",
          "itemId": "id"
        }
      }
    },
    "back-up-all-now": {
      "repository": {
        "method": "GET",
        "path": "/api/github/backup-all-repos-now",
        "fields": {
          "connectionId": "connection_id"
        }
      },
      "gist": {
        "method": "GET",
        "path": "/api/github/backup-all-gists-now",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "restore-items": {
      "repository": {
        "method": "POST",
        "path": "/api/github/restore-repos",
        "fields": {
          "connectionId": "connection_id",
          "itemId": "id",
          "snapshotId": "versionid"
        }
      },
      "gist": {
        "method": "POST",
        "path": "/api/github/restore-gists",
        "fields": {
          "connectionId": "connection_id",
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
          "connectionId": "connection_id",
          "itemId": "repoId",
          "snapshotId": "versionId"
        }
      },
      "gist": {
        "method": "POST",
        "path": "/api/github/github-gist-get-zip",
        "fields": {
          "connectionId": "connection_id",
          "itemId": "id",
          "snapshotId": "versionId"
        }
      }
    },
    "list-account-candidates": {
      "repository": {
        "method": "GET",
        "path": "/api/github/get-account-candidates",
        "fields": {
          "connectionId": "connection_id",
          "choiceId": "choice"
        }
      },
      "gist": {
        "method": "GET",
        "path": "/api/github/get-account-candidates",
        "fields": {
          "connectionId": "connection_id",
          "choiceId": "choice"
        }
      }
    },
    "choose-accounts": {
      "repository": {
        "method": "POST",
        "path": "/api/github/choose-accounts",
        "fields": {
          "connectionId": "connection_id",
          "choiceId": "choice",
          "externalIds": "ids"
        }
      },
      "gist": {
        "method": "POST",
        "path": "/api/github/choose-accounts",
        "fields": {
          "connectionId": "connection_id",
          "choiceId": "choice",
          "externalIds": "ids"
        }
      }
    },
    "remove-account": {
      "repository": {
        "method": "DELETE",
        "path": "/api/github/remove-account",
        "fields": {
          "connectionId": "connection_id"
        }
      },
      "gist": {
        "method": "DELETE",
        "path": "/api/github/remove-account",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "list-connections": {
      "repository": {
        "method": "GET",
        "path": "/api/github/get-github-users",
        "fields": {
          "connectionId": "connection_id"
        }
      },
      "gist": {
        "method": "GET",
        "path": "/api/github/get-github-users",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "connect-by-consent": {
      "repository": {
        "method": "GET",
        "path": "/api/github/connect-url",
        "fields": {
          "connectionId": "connection_id",
          "name": "username"
        }
      },
      "gist": {
        "method": "GET",
        "path": "/api/github/connect-url",
        "fields": {
          "connectionId": "connection_id",
          "name": "username"
        }
      }
    },
    "connect-by-name": {
      "repository": {
        "method": "POST",
        "path": "/api/github/add-github-user",
        "fields": {
          "connectionId": "connection_id",
          "name": "username",
          "isAutoAdd": "auto_add"
        }
      },
      "gist": {
        "method": "POST",
        "path": "/api/github/add-github-user",
        "fields": {
          "connectionId": "connection_id",
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
          "connectionId": "connection_id",
          "name": "username"
        }
      },
      "gist": {
        "method": "POST",
        "path": "/api/github/change-github-user",
        "fields": {
          "connectionId": "connection_id",
          "name": "username"
        }
      }
    },
    "replace-token": {
      "repository": {
        "method": "POST",
        "path": "/api/github/change-github-owner-token",
        "fields": {
          "connectionId": "connection_id",
          "accessToken": "access_token"
        }
      },
      "gist": {
        "method": "POST",
        "path": "/api/github/change-github-owner-token",
        "fields": {
          "connectionId": "connection_id",
          "accessToken": "access_token"
        }
      }
    },
    "set-auto-add": {
      "repository": {
        "method": "POST",
        "path": "/api/github/change-github-user-auto-add",
        "fields": {
          "connectionId": "connection_id",
          "isAutoAdd": "auto_add"
        }
      },
      "gist": {
        "method": "POST",
        "path": "/api/github/change-github-user-auto-add",
        "fields": {
          "connectionId": "connection_id",
          "isAutoAdd": "auto_add"
        }
      }
    },
    "send-account-code": {
      "repository": {
        "method": "POST",
        "path": "/api/github/send-confirm-github-user",
        "fields": {
          "connectionId": "connection_id"
        }
      },
      "gist": {
        "method": "POST",
        "path": "/api/github/send-confirm-github-user",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "confirm-account": {
      "repository": {
        "method": "POST",
        "path": "/api/github/confirm-code",
        "fields": {
          "connectionId": "connection_id"
        }
      },
      "gist": {
        "method": "POST",
        "path": "/api/github/confirm-code",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "list-restore-places": {
      "repository": {
        "method": "GET",
        "path": "/api/github/get-places-for-deleted-items",
        "fields": {
          "connectionId": "connection_id"
        }
      },
      "gist": {
        "method": "GET",
        "path": "/api/github/get-places-for-deleted-items",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "list-places": {
      "repository": {
        "method": "GET",
        "path": "/api/github/get-available-user-places",
        "fields": {
          "connectionId": "connection_id"
        }
      },
      "gist": {
        "method": "GET",
        "path": "/api/github/get-available-user-places",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "list-available-places": {
      "repository": {
        "method": "GET",
        "path": "/api/github/get-available-github-places",
        "fields": {
          "connectionId": "connection_id"
        }
      },
      "gist": {
        "method": "GET",
        "path": "/api/github/get-available-github-places",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "add-places": {
      "repository": {
        "method": "POST",
        "path": "/api/github/add-places-for-user",
        "fields": {
          "connectionId": "connection_id",
          "externalIds": "placesIds"
        }
      },
      "gist": {
        "method": "POST",
        "path": "/api/github/add-places-for-user",
        "fields": {
          "connectionId": "connection_id",
          "externalIds": "placesIds"
        }
      }
    },
    "set-daily-backup": {
      "repository": {
        "method": "PUT",
        "path": "/api/github/update-daily-backup-items-statuses",
        "fields": {
          "connectionId": "connection_id",
          "isDaily": "is_daily_backed_up",
          "itemIds": "reposIds"
        }
      },
      "gist": {
        "method": "PUT",
        "path": "/api/github/update-daily-backup-items-statuses",
        "fields": {
          "connectionId": "connection_id",
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
        "fields": {
          "connectionId": "connection_id"
        },
        "answers": {
          "not_added": "not_added_projects"
        }
      },
      "snippet": {
        "method": "GET",
        "path": "/api/gitlab/get-available-snippets-for-gitlab-user",
        "fields": {
          "connectionId": "connection_id"
        },
        "answers": {
          "not_added": "not_added_snippets"
        }
      }
    },
    "list-items": {
      "project": {
        "method": "GET",
        "path": "/api/gitlab/get-user-gitlab-projects",
        "fields": {
          "connectionId": "connection_id"
        }
      },
      "snippet": {
        "method": "GET",
        "path": "/api/gitlab/get-user-gitlab-snippets",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "add-items": {
      "project": {
        "method": "POST",
        "path": "/api/gitlab/add-gitlab-projects",
        "fields": {
          "connectionId": "connection_id",
          "externals": "projectsIds",
          "externalId": "id"
        },
        "answers": {
          "added": "projects_list"
        }
      },
      "snippet": {
        "method": "POST",
        "path": "/api/gitlab/add-gitlab-snippets",
        "fields": {
          "connectionId": "connection_id",
          "externals": "snippetsIds",
          "externalId": "id"
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
          "connectionId": "connection_id",
          "itemIds": "ids"
        }
      },
      "snippet": {
        "method": "DELETE",
        "path": "/api/gitlab/delete-snippets",
        "fields": {
          "connectionId": "connection_id",
          "itemIds": "ids"
        }
      }
    },
    "back-up-now": {
      "project": {
        "method": "POST",
        "path": "/api/gitlab/backup-now",
        "fields": {
          "connectionId": "connection_id",
          "itemId": "projectId"
        }
      },
      "snippet": {
        "method": "POST",
        "path": "/api/gitlab/backup-now-snippet",
        "fields": {
          "connectionId": "connection_id",
          "itemId": "snippetId"
        }
      }
    },
    "back-up-all-now": {
      "project": {
        "method": "GET",
        "path": "/api/gitlab/backup-all-added-projects-now",
        "fields": {
          "connectionId": "connection_id"
        }
      },
      "snippet": {
        "method": "GET",
        "path": "/api/gitlab/backup-all-added-snippets-now",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "restore-items": {
      "project": {
        "method": "POST",
        "path": "/api/gitlab/restore-projects",
        "fields": {
          "connectionId": "connection_id",
          "itemId": "id",
          "snapshotId": "versionId"
        }
      },
      "snippet": {
        "method": "POST",
        "path": "/api/gitlab/restore-gitlab-snippets",
        "fields": {
          "connectionId": "connection_id",
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
          "connectionId": "connection_id",
          "itemId": "projectId",
          "snapshotId": "versionId"
        }
      },
      "snippet": {
        "method": "POST",
        "path": "/api/gitlab/gitlab-snippet-get-zip",
        "fields": {
          "connectionId": "connection_id",
          "itemId": "snippetId",
          "snapshotId": "versionId"
        }
      }
    },
    "list-account-candidates": {
      "project": {
        "method": "GET",
        "path": "/api/gitlab/get-account-candidates",
        "fields": {
          "connectionId": "connection_id",
          "choiceId": "choice"
        }
      },
      "snippet": {
        "method": "GET",
        "path": "/api/gitlab/get-account-candidates",
        "fields": {
          "connectionId": "connection_id",
          "choiceId": "choice"
        }
      }
    },
    "choose-accounts": {
      "project": {
        "method": "POST",
        "path": "/api/gitlab/choose-accounts",
        "fields": {
          "connectionId": "connection_id",
          "choiceId": "choice",
          "externalIds": "ids"
        }
      },
      "snippet": {
        "method": "POST",
        "path": "/api/gitlab/choose-accounts",
        "fields": {
          "connectionId": "connection_id",
          "choiceId": "choice",
          "externalIds": "ids"
        }
      }
    },
    "remove-account": {
      "project": {
        "method": "DELETE",
        "path": "/api/gitlab/remove-account",
        "fields": {
          "connectionId": "connection_id"
        }
      },
      "snippet": {
        "method": "DELETE",
        "path": "/api/gitlab/remove-account",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "list-connections": {
      "project": {
        "method": "GET",
        "path": "/api/gitlab/get-gitlab-users",
        "fields": {
          "connectionId": "connection_id"
        }
      },
      "snippet": {
        "method": "GET",
        "path": "/api/gitlab/get-gitlab-users",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "connect-by-consent": {
      "project": {
        "method": "GET",
        "path": "/api/gitlab/add-gitlab-user",
        "fields": {
          "connectionId": "connection_id",
          "name": "username"
        }
      },
      "snippet": {
        "method": "GET",
        "path": "/api/gitlab/add-gitlab-user",
        "fields": {
          "connectionId": "connection_id",
          "name": "username"
        }
      }
    },
    "change-by-consent": {
      "project": {
        "method": "GET",
        "path": "/api/gitlab/change-gitlab-user",
        "fields": {
          "connectionId": "connection_id",
          "name": "username"
        }
      },
      "snippet": {
        "method": "GET",
        "path": "/api/gitlab/change-gitlab-user",
        "fields": {
          "connectionId": "connection_id",
          "name": "username"
        }
      }
    },
    "list-available-places": {
      "project": {
        "method": "GET",
        "path": "/api/gitlab/get-gitlab-groups",
        "fields": {
          "connectionId": "connection_id"
        }
      },
      "snippet": {
        "method": "GET",
        "path": "/api/gitlab/get-gitlab-groups",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "list-restore-places": {
      "project": {
        "method": "GET",
        "path": "/api/gitlab/get-gitlab-restore-places",
        "fields": {
          "connectionId": "connection_id"
        }
      },
      "snippet": {
        "method": "GET",
        "path": "/api/gitlab/get-gitlab-restore-places",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "set-daily-backup": {
      "project": {
        "method": "PUT",
        "path": "/api/gitlab/update-daily-backup-items-statuses",
        "fields": {
          "connectionId": "connection_id",
          "isDaily": "is_daily_backed_up",
          "itemIds": "projectsIds"
        }
      },
      "snippet": {
        "method": "PUT",
        "path": "/api/gitlab/update-daily-backup-items-statuses",
        "fields": {
          "connectionId": "connection_id",
          "isDaily": "is_daily_backed_up",
          "itemIds": "snippetsIds"
        }
      }
    }
  },
  "jira": {
    "list-available-items": {
      "project": {
        "method": "GET",
        "path": "/api/jira/get-all-available-for-backup-jira-projects-list",
        "fields": {
          "connectionId": "connection_id"
        },
        "answers": {
          "not_added": "available_projects"
        }
      }
    },
    "list-items": {
      "project": {
        "method": "GET",
        "path": "/api/jira/get-user-jira-projects",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "add-items": {
      "project": {
        "method": "POST",
        "path": "/api/jira/add-jira-projects",
        "fields": {
          "connectionId": "connection_id",
          "externals": "projectsIds",
          "externalId": "id"
        },
        "answers": {
          "added": "projects_list"
        }
      }
    },
    "delete-items": {
      "project": {
        "method": "DELETE",
        "path": "/api/jira/delete-projects",
        "fields": {
          "connectionId": "connection_id",
          "itemIds": "ids"
        }
      }
    },
    "back-up-now": {
      "project": {
        "method": "POST",
        "path": "/api/jira/backup-now",
        "fields": {
          "connectionId": "connection_id",
          "itemId": "projectId"
        }
      }
    },
    "restore-items": {
      "project": {
        "method": "POST",
        "path": "/api/jira/restore-projects",
        "fields": {
          "connectionId": "connection_id",
          "itemId": "id",
          "snapshotId": "versions",
          "into": "restoredId",
          "matches": "matchedColumns",
          "backedUp": "backedUpProjectColumn",
          "matchId": "transitionId",
          "restored": "restoredProjectColumn"
        }
      }
    },
    "request-zip": {
      "project": {
        "method": "POST",
        "path": "/api/jira/jira-get-zip",
        "fields": {
          "connectionId": "connection_id",
          "itemId": "projectId",
          "snapshotId": "versionId"
        }
      }
    },
    "back-up-all-now": {
      "project": {
        "method": "GET",
        "path": "/api/jira/backup-all-items-now",
        "fields": {
          "connectionId": "connection_id"
        },
        "sendsKind": true
      }
    },
    "list-account-candidates": {
      "project": {
        "method": "GET",
        "path": "/api/jira/get-account-candidates",
        "fields": {
          "connectionId": "connection_id",
          "choiceId": "choice"
        }
      }
    },
    "choose-accounts": {
      "project": {
        "method": "POST",
        "path": "/api/jira/choose-accounts",
        "fields": {
          "connectionId": "connection_id",
          "choiceId": "choice",
          "externalIds": "ids"
        }
      }
    },
    "remove-account": {
      "project": {
        "method": "DELETE",
        "path": "/api/jira/remove-account",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "list-connections": {
      "project": {
        "method": "GET",
        "path": "/api/jira/get-jira-users",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "connect-by-consent": {
      "project": {
        "method": "GET",
        "path": "/api/jira/add-jira-user",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "change-by-consent": {
      "project": {
        "method": "GET",
        "path": "/api/jira/change-jira-user",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "choose-account-by-name": {
      "project": {
        "method": "PUT",
        "path": "/api/jira/update-user-workspace",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "replace-token": {
      "project": {
        "method": "POST",
        "path": "/api/jira/change-jira-user-token",
        "fields": {
          "connectionId": "connection_id",
          "accessToken": "access_token"
        }
      }
    },
    "set-daily-backup": {
      "project": {
        "method": "PUT",
        "path": "/api/jira/update-daily-backup-items-statuses",
        "fields": {
          "connectionId": "connection_id",
          "isDaily": "is_daily_backed_up",
          "itemIds": "projectsIds"
        }
      }
    }
  },
  "notion": {
    "list-available-items": {
      "workspace": {
        "method": "GET",
        "path": "/api/notion/get-available-notion-workspaces",
        "fields": {
          "connectionId": "ownerId"
        },
        "answers": {
          "not_added": "available_workspaces"
        }
      }
    },
    "list-items": {
      "workspace": {
        "method": "GET",
        "path": "/api/notion/get-user-workspaces",
        "fields": {
          "connectionId": "ownerId"
        }
      }
    },
    "add-items": {
      "workspace": {
        "method": "POST",
        "path": "/api/notion/add-workspaces",
        "fields": {
          "connectionId": "ownerId",
          "externals": "workspacesIds",
          "externalId": "id"
        },
        "answers": {
          "added": "workspaces_list"
        }
      }
    },
    "delete-items": {
      "workspace": {
        "method": "DELETE",
        "path": "/api/notion/delete-workspaces",
        "fields": {
          "connectionId": "ownerId",
          "itemIds": "ids"
        }
      }
    },
    "back-up-now": {
      "workspace": {
        "method": "POST",
        "path": "/api/notion/backup-now",
        "fields": {
          "connectionId": "ownerId",
          "itemId": "workspaceId"
        }
      }
    },
    "back-up-all-now": {
      "workspace": {
        "method": "POST",
        "path": "/api/notion/backup-all-items-now",
        "fields": {
          "connectionId": "ownerId"
        }
      }
    },
    "restore-items": {
      "workspace": {
        "method": "POST",
        "path": "/api/notion/restore-boards",
        "fields": {
          "connectionId": "ownerId",
          "itemId": "id",
          "snapshotId": "versions"
        }
      }
    },
    "request-zip": {
      "workspace": {
        "method": "POST",
        "path": "/api/notion/notion-get-zip",
        "fields": {
          "connectionId": "ownerId",
          "itemId": "workspaceId",
          "snapshotId": "workspaceVersionId"
        }
      }
    },
    "list-account-candidates": {
      "workspace": {
        "method": "GET",
        "path": "/api/notion/get-account-candidates",
        "fields": {
          "connectionId": "connection_id",
          "choiceId": "choice"
        }
      }
    },
    "choose-accounts": {
      "workspace": {
        "method": "POST",
        "path": "/api/notion/choose-accounts",
        "fields": {
          "connectionId": "connection_id",
          "choiceId": "choice",
          "externalIds": "ids"
        }
      }
    },
    "remove-account": {
      "workspace": {
        "method": "DELETE",
        "path": "/api/notion/remove-account",
        "fields": {
          "connectionId": "ownerId"
        }
      }
    },
    "list-connections": {
      "workspace": {
        "method": "GET",
        "path": "/api/notion/get-notion-users",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "connect-by-consent": {
      "workspace": {
        "method": "GET",
        "path": "/api/notion/auth-url",
        "fields": {
          "connectionId": "ownerId"
        }
      }
    },
    "change-by-consent": {
      "workspace": {
        "method": "GET",
        "path": "/api/notion/change-notion-user",
        "fields": {
          "connectionId": "ownerId"
        }
      }
    },
    "set-daily-backup": {
      "workspace": {
        "method": "PUT",
        "path": "/api/notion/update-daily-backup-items-statuses",
        "fields": {
          "connectionId": "ownerId",
          "isDaily": "is_daily_backed_up",
          "itemIds": "workspacesIds"
        }
      }
    }
  },
  "trello": {
    "list-available-items": {
      "board": {
        "method": "GET",
        "path": "/api/trello/get-available-trello-boards",
        "fields": {
          "connectionId": "connection_id"
        },
        "answers": {
          "not_added": "not_added_boards"
        }
      }
    },
    "list-items": {
      "board": {
        "method": "GET",
        "path": "/api/trello/get-user-trello-boards",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "add-items": {
      "board": {
        "method": "POST",
        "path": "/api/trello/add-boards",
        "fields": {
          "connectionId": "connection_id",
          "externals": "boardsIds",
          "externalId": "id"
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
          "connectionId": "connection_id",
          "itemIds": "boardsIds"
        }
      }
    },
    "back-up-now": {
      "board": {
        "method": "POST",
        "path": "/api/trello/backup-now",
        "fields": {
          "connectionId": "connection_id",
          "itemId": "boardId"
        }
      }
    },
    "restore-items": {
      "board": {
        "method": "POST",
        "path": "/api/trello/restore-boards",
        "fields": {
          "connectionId": "connection_id",
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
          "connectionId": "connection_id",
          "itemId": "boardId",
          "snapshotId": "versionId"
        }
      }
    },
    "back-up-all-now": {
      "board": {
        "method": "GET",
        "path": "/api/trello/backup-all-items-now",
        "fields": {
          "connectionId": "connection_id"
        },
        "sendsKind": true
      }
    },
    "list-account-candidates": {
      "board": {
        "method": "GET",
        "path": "/api/trello/get-account-candidates",
        "fields": {
          "connectionId": "connection_id",
          "choiceId": "choice"
        }
      }
    },
    "choose-accounts": {
      "board": {
        "method": "POST",
        "path": "/api/trello/choose-accounts",
        "fields": {
          "connectionId": "connection_id",
          "choiceId": "choice",
          "externalIds": "ids"
        }
      }
    },
    "remove-account": {
      "board": {
        "method": "DELETE",
        "path": "/api/trello/remove-account",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "list-connections": {
      "board": {
        "method": "GET",
        "path": "/api/trello/get-trello-user",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "connect-by-consent": {
      "board": {
        "method": "GET",
        "path": "/api/trello/login-trello",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "change-by-consent": {
      "board": {
        "method": "GET",
        "path": "/api/trello/change-trello-user",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "list-restore-places": {
      "board": {
        "method": "GET",
        "path": "/api/trello/get-available-trello-organizations",
        "fields": {
          "connectionId": "connection_id"
        }
      }
    },
    "set-daily-backup": {
      "board": {
        "method": "PUT",
        "path": "/api/trello/update-daily-backup-items-statuses",
        "fields": {
          "connectionId": "connection_id",
          "isDaily": "is_daily_backed_up",
          "itemIds": "boardsIds"
        }
      }
    }
  }
};
