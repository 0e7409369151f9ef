import type { Line } from "./policy-line.ts";
import { linesOfKind, NOT_CONNECTED } from "./second-platform-policy.ts";

const PLATFORM = "trello";
const at = (path: string) => `/api/${PLATFORM}/${path}`;

/** Calls of the board platform. The test organisations have no account there. */
export const BOARD_PLATFORM: Readonly<Record<string, Line>> = {
  [`GET ${at("login-trello")}`]: { may: "managers", ok: 200 },
  [`GET ${at("change-trello-user")}`]: { may: "owner", ok: NOT_CONNECTED },
  [`GET ${at("get-trello-user")}`]: { may: "members", ok: 200 },
  [`GET ${at("get-available-trello-organizations")}`]: { may: "managers", ok: NOT_CONNECTED },
  ...linesOfKind(at, {
    available: "get-available-trello-boards",
    list: "get-user-trello-boards",
    add: "add-boards",
    externals: "boardsIds",
    remove: "delete-boards",
    removed: "boardsIds",
    backUp: "backup-now",
    item: "boardId",
    backUpAll: "backup-all-items-now",
    restore: "restore-boards",
    version: "versions",
    place: "organizationId",
    zip: "trello-get-zip",
  }),
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
    send: ({ item }) => ({ body: { is_daily_backed_up: false, boardsIds: [item] } }),
  },
};
