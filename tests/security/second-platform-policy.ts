import type { Line } from "./policy-line.ts";

const SECOND = "gitlab";
const at = (path: string) => `/api/${SECOND}/${path}`;

/** The status without a connected account, whatever the call contains. */
export const NOT_CONNECTED = 409;

/**
 * The calls of the second platform. The test organisations have no account there, so a permitted actor gets an error:
 * no account, or no such item. Another platform's item does not count.
 */
export const SECOND_PLATFORM: Readonly<Record<string, Line>> = {
  [`GET ${at("add-gitlab-user")}`]: { may: "managers", ok: 200 },
  [`GET ${at("change-gitlab-user")}`]: { may: "owner", ok: 409 },
  [`GET ${at("get-gitlab-users")}`]: { may: "members", ok: 200 },
  [`GET ${at("get-gitlab-groups")}`]: { may: "managers", ok: NOT_CONNECTED },
  [`GET ${at("get-gitlab-restore-places")}`]: { may: "managers", ok: NOT_CONNECTED },
  ...linesOfKind(at, {
    available: "get-available-projects-for-gitlab-user",
    list: "get-user-gitlab-projects",
    add: "add-gitlab-projects",
    externals: "projectsIds",
    remove: "delete-projects",
    backUp: "backup-now",
    item: "projectId",
    backUpAll: "backup-all-added-projects-now",
    restore: "restore-projects",
    zip: "gitlab-get-gzip",
  }),
  ...linesOfKind(at, {
    available: "get-available-snippets-for-gitlab-user",
    list: "get-user-gitlab-snippets",
    add: "add-gitlab-snippets",
    externals: "snippetsIds",
    remove: "delete-snippets",
    backUp: "backup-now-snippet",
    item: "snippetId",
    backUpAll: "backup-all-added-snippets-now",
    restore: "restore-gitlab-snippets",
    zip: "gitlab-snippet-get-zip",
  }),
  [`PUT ${at("update-daily-backup-items-statuses")}`]: {
    may: "managers",
    ok: NOT_CONNECTED,
    foreign: NOT_CONNECTED,
    ids: ["item"],
    notOurs: ["id", "snippetsIds"],
    send: ({ item }) => ({ body: { is_daily_backed_up: false, projectsIds: [item] } }),
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
  [`DELETE ${at("remove-account")}`]: {
    may: "owner",
    ok: NOT_CONNECTED,
    send: () => ({ body: { connection_id: "con_00000000000000000000000000" } }),
  },
  [`GET ${at("backup-all-items-now")}`]: {
    may: "managers",
    ok: NOT_CONNECTED,
    foreign: NOT_CONNECTED,
    ids: ["place"],
    send: ({ place }) => ({ query: { placeId: place } }),
  },
};

/** The calls of one item kind, with the names that the platform's dialect uses. */
export function linesOfKind(
  at: (path: string) => string,
  names: {
    available: string;
    list: string;
    add: string;
    externals: string;
    remove: string;
    /** Its list of ids. Default: `ids`. */
    removed?: string;
    backUp: string;
    item: string;
    backUpAll: string;
    restore: string;
    /** The field of a version's id. Default: `versionId`. */
    version?: string;
    /** The field of an item's place, if the dialect has one. */
    place?: string;
    zip: string;
    /** The field of a version's id in the request of a ZIP. Default: `versionId`. */
    zipVersion?: string;
  },
): Record<string, Line> {
  const { removed = "ids", version = "versionId", zipVersion = "versionId" } = names;
  return {
    [`GET ${at(names.available)}`]: {
      may: "managers",
      ok: NOT_CONNECTED,
      foreign: NOT_CONNECTED,
      ids: ["place"],
      send: ({ place }) => ({ query: { placeId: place } }),
    },
    [`GET ${at(names.list)}`]: {
      may: "users",
      ok: NOT_CONNECTED,
      foreign: NOT_CONNECTED,
      ids: ["place"],
      send: ({ place }) => ({ query: { placeId: place } }),
    },
    [`POST ${at(names.add)}`]: {
      may: "managers",
      ok: NOT_CONNECTED,
      foreign: NOT_CONNECTED,
      ids: ["place"],
      send: ({ place, spareItem }) => ({ body: { placeId: place, [names.externals]: [{ id: spareItem }] } }),
    },
    [`DELETE ${at(names.remove)}`]: {
      may: "managers",
      ok: NOT_CONNECTED,
      foreign: NOT_CONNECTED,
      ids: ["item"],
      notOurs: ["id", "placeId"],
      send: ({ item }) => ({ body: { [removed]: [item] } }),
    },
    [`POST ${at(names.backUp)}`]: {
      may: "managers",
      ok: 404,
      ids: ["item"],
      send: ({ item }) => ({ body: { [names.item]: item } }),
    },
    [`GET ${at(names.backUpAll)}`]: {
      may: "managers",
      ok: NOT_CONNECTED,
      foreign: NOT_CONNECTED,
      ids: ["place"],
      send: ({ place }) => ({ query: { placeId: place } }),
    },
    [`POST ${at(names.restore)}`]: {
      may: "managers",
      ok: NOT_CONNECTED,
      foreign: NOT_CONNECTED,
      ids: ["item", "snapshot", "place"],
      notOurs: ["externalId"],
      send: ({ item, snapshot, place }) => ({
        body: {
          placeId: place,
          items: [{ id: item, [version]: snapshot, ...(names.place ? { [names.place]: place } : {}) }],
        },
      }),
    },
    [`POST ${at(names.zip)}`]: {
      may: "managers",
      ok: 404,
      ids: ["item", "snapshot"],
      send: ({ item, snapshot }) => ({ body: { [names.item]: item, [zipVersion]: snapshot } }),
    },
  };
}
