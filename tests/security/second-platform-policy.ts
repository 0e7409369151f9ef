import type { Line } from "./access-policy.ts";

const SECOND = "gitlab";
const at = (path: string) => `/api/${SECOND}/${path}`;

/** What is told where no account is connected, whatever else the call names. */
const NOT_CONNECTED = 409;

/**
 * The calls of the second platform. The organisations of the tests have nothing there, so whoever may make a call is
 * told that there is no account, or no such item: an item of another platform is none of this one.
 */
export const SECOND_PLATFORM: Readonly<Record<string, Line>> = {
  [`GET ${at("add-gitlab-user")}`]: { may: "managers", ok: 200 },
  [`GET ${at("change-gitlab-user")}`]: { may: "owner", ok: 409 },
  [`GET ${at("get-gitlab-users")}`]: { may: "members", ok: 200 },
  [`GET ${at("get-gitlab-groups")}`]: { may: "managers", ok: NOT_CONNECTED },
  [`GET ${at("get-gitlab-restore-places")}`]: { may: "managers", ok: NOT_CONNECTED },
  ...ofKind({
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
  ...ofKind({
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
  [`GET ${at("backup-all-items-now")}`]: {
    may: "managers",
    ok: NOT_CONNECTED,
    foreign: NOT_CONNECTED,
    ids: ["place"],
    send: ({ place }) => ({ query: { placeId: place } }),
  },
};

function ofKind(names: {
  available: string;
  list: string;
  add: string;
  externals: string;
  remove: string;
  backUp: string;
  item: string;
  backUpAll: string;
  restore: string;
  zip: string;
}): Record<string, Line> {
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
      notOurs: ["node_id"],
      send: ({ place, spareItem }) => ({ body: { placeId: place, [names.externals]: [{ id: spareItem }] } }),
    },
    [`DELETE ${at(names.remove)}`]: {
      may: "managers",
      ok: NOT_CONNECTED,
      foreign: NOT_CONNECTED,
      ids: ["item"],
      notOurs: ["id", "placeId"],
      send: ({ item }) => ({ body: { ids: [item] } }),
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
        body: { placeId: place, items: [{ id: item, versionId: snapshot }] },
      }),
    },
    [`POST ${at(names.zip)}`]: {
      may: "managers",
      ok: 404,
      ids: ["item", "snapshot"],
      send: ({ item, snapshot }) => ({ body: { [names.item]: item, versionId: snapshot } }),
    },
  };
}
