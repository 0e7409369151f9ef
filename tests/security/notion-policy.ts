import type { Line } from "./policy-line.ts";
import { linesOfKind, NOT_CONNECTED } from "./second-platform-policy.ts";

const PLATFORM = "notion";
const at = (path: string) => `/api/${PLATFORM}/${path}`;

/** Notion's calls. The test organisations have no account there. */
export const NOTION: Readonly<Record<string, Line>> = {
  // A consent is an item, which is the owner's to add (spec P-302).
  [`GET ${at("auth-url")}`]: { may: "owner", ok: 200 },
  [`GET ${at("change-notion-user")}`]: { may: "owner", ok: NOT_CONNECTED },
  [`GET ${at("get-notion-users")}`]: { may: "members", ok: 200 },
  ...linesOfKind(at, {
    available: "get-available-notion-workspaces",
    list: "get-user-workspaces",
    add: "add-workspaces",
    externals: "workspacesIds",
    remove: "delete-workspaces",
    backUp: "backup-now",
    item: "workspaceId",
    backUpAll: "backup-all-items-now",
    restore: "restore-boards",
    version: "versions",
    zip: "notion-get-zip",
    zipVersion: "workspaceVersionId",
  }),
  [`POST ${at("add-workspaces")}`]: {
    may: "owner",
    ok: NOT_CONNECTED,
    foreign: NOT_CONNECTED,
    ids: ["place"],
    send: ({ place, spareItem }) => ({ body: { placeId: place, workspacesIds: [{ id: spareItem }] } }),
  },
  [`POST ${at("backup-all-items-now")}`]: {
    may: "managers",
    ok: NOT_CONNECTED,
    foreign: NOT_CONNECTED,
    ids: ["place"],
    send: ({ place }) => ({ body: { placeId: place } }),
  },
  // A scope is read out of a version, so it needs the right to open versions.
  [`GET ${at("get-workspace-backup-scope")}`]: {
    may: "managers",
    ok: NOT_CONNECTED,
    foreign: NOT_CONNECTED,
    ids: ["item", "snapshot"],
    // A page of Notion's, looked up only inside the version.
    notOurs: ["parentId"],
    send: ({ item, snapshot }) => ({ query: { workspaceId: item, workspaceVersionId: snapshot } }),
  },
  [`GET ${at("get-account-candidates")}`]: {
    may: "owner",
    ok: 400,
    send: () => ({ query: { choice: "none" } }),
  },
  [`POST ${at("choose-accounts")}`]: {
    may: "owner",
    ok: 400,
    notOurs: ["ids"],
    send: () => ({ body: { choice: "none", ids: ["1"] } }),
  },
  [`DELETE ${at("remove-account")}`]: {
    may: "owner",
    ok: NOT_CONNECTED,
    send: () => ({ body: { ownerId: "con_00000000000000000000000000" } }),
  },
  [`PUT ${at("update-daily-backup-items-statuses")}`]: {
    may: "managers",
    ok: NOT_CONNECTED,
    foreign: NOT_CONNECTED,
    ids: ["item"],
    notOurs: ["id"],
    send: ({ item }) => ({ body: { is_daily_backed_up: false, workspacesIds: [item] } }),
  },
};
