import type { Line } from "./policy-line.ts";
import { linesOfKind, NOT_CONNECTED } from "./second-platform-policy.ts";

const PLATFORM = "jira";
const at = (path: string) => `/api/${PLATFORM}/${path}`;

/** Jira's calls. The test organisations have no account there. */
export const JIRA: Readonly<Record<string, Line>> = {
  [`GET ${at("add-jira-user")}`]: { may: "managers", ok: 200 },
  [`GET ${at("change-jira-user")}`]: { may: "owner", ok: NOT_CONNECTED },
  [`GET ${at("get-jira-users")}`]: { may: "members", ok: 200 },
  ...linesOfKind(at, {
    available: "get-all-available-for-backup-jira-projects-list",
    list: "get-user-jira-projects",
    add: "add-jira-projects",
    externals: "projectsIds",
    remove: "delete-projects",
    backUp: "backup-now",
    item: "projectId",
    backUpAll: "backup-all-items-now",
    restore: "restore-projects",
    version: "versions",
    zip: "jira-get-zip",
  }),
  [`GET ${at("get-all-available-user-jira-projects")}`]: { may: "managers", ok: NOT_CONNECTED },
  [`POST ${at("get-projects-columns")}`]: {
    may: "managers",
    ok: NOT_CONNECTED,
    foreign: NOT_CONNECTED,
    ids: ["item", "snapshot"],
    notOurs: ["restoredProjectId"],
    send: ({ item, snapshot }) => ({
      body: { backedUpProjectId: item, restoredProjectId: "10000", versions: snapshot },
    }),
  },
  [`GET ${at("get-account-candidates")}`]: {
    may: "managers",
    ok: 400,
    send: () => ({ query: { choice: "none" } }),
  },
  [`POST ${at("choose-accounts")}`]: {
    may: "managers",
    ok: 400,
    notOurs: ["ids"],
    send: () => ({ body: { choice: "none", ids: ["1"] } }),
  },
  [`PUT ${at("update-user-workspace")}`]: {
    may: "managers",
    ok: 400,
    send: () => ({ body: { name: "None" } }),
  },
  [`POST ${at("change-jira-user-token")}`]: {
    may: "owner",
    ok: NOT_CONNECTED,
    send: () => ({ body: { access_token: "none" } }),
  },
  [`DELETE ${at("remove-account")}`]: {
    may: "owner",
    ok: NOT_CONNECTED,
    send: () => ({ body: { connection_id: "con_00000000000000000000000000" } }),
  },
  [`PUT ${at("update-daily-backup-items-statuses")}`]: {
    may: "managers",
    ok: NOT_CONNECTED,
    foreign: NOT_CONNECTED,
    ids: ["item"],
    notOurs: ["id"],
    send: ({ item }) => ({ body: { is_daily_backed_up: false, projectsIds: [item] } }),
  },
};
