import type { PlatformConnector, PlatformPlace } from "#connectors/contract/platform-connector.ts";
import type { HttpCall, HttpClient } from "#connectors/toolkit/http-client.ts";
import { gitlabClient, LARGEST_PAGE, paths } from "./client.ts";
import { accountSchema, type GitlabGroup, groupsSchema } from "./payloads.ts";

/** Most groups to read: people choose from this list. */
const MOST_GROUPS = 1_000;
/** GitLab's access levels; each includes those below. */
const ROLES = { guest: 10, maintainer: 40, owner: 50 } as const;
const GROUP = /^group-([0-9]+)$/;

/** The account's own namespace, then the groups and subgroups it is a member of, by path. */
export const listPlaces: PlatformConnector["listPlaces"] = async (session, { page, perPage }) => {
  const client = gitlabClient(session);
  const [user, groups, maintained, owned] = await Promise.all([
    client.request({ method: "GET", path: paths.user, about: "your account" }, accountSchema),
    groupsOf(client, ROLES.guest),
    groupsOf(client, ROLES.maintainer),
    groupsOf(client, ROLES.owner),
  ]);
  const own = { externalId: user.id, name: user.username, type: "User", isOwn: true, details: null };
  const places = [...groups.values()]
    .map((group) => placeOf(group, { isMaintainer: maintained.has(group.id), isOwner: owned.has(group.id) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const all = [own, ...places];
  const end = (page + 1) * perPage;
  return { items: all.slice(page * perPage, end), total: all.length, hasMore: all.length > end };
};

/** The id of the place's group; null = a user's namespace. */
export function groupId({ externalId }: Pick<PlatformPlace, "externalId">): string | null {
  return GROUP.exec(externalId)?.[1] ?? null;
}

/** Groups in which the account has at least this role, inherited roles included. */
async function groupsOf(client: HttpClient, role: number): Promise<Map<string, GitlabGroup>> {
  const call: HttpCall = {
    method: "GET",
    path: paths.groups,
    query: { min_access_level: role, order_by: "id", sort: "asc", per_page: LARGEST_PAGE },
    about: "your groups",
    missing: "forbidden",
  };
  const found = new Map<string, GitlabGroup>();
  for await (const group of client.members(call, groupsSchema, ({ id }) => id)) {
    found.set(group.id, group);
    if (found.size === MOST_GROUPS) break;
  }
  return found;
}

/**
 * Ids of users and groups may collide, so a group's `externalId` has a prefix. In many groups a developer may create
 * projects, but cannot set up what a restore needs: protected branches, settings, a protected default branch.
 */
function placeOf(group: GitlabGroup, role: { isMaintainer: boolean; isOwner: boolean }): PlatformPlace {
  const place: PlatformPlace = {
    externalId: `group-${group.id}`,
    name: group.full_path,
    type: "group",
    isOwn: false,
    details: null,
  };
  if (!mayCreate(group, role)) return { ...place, restores: "no" };
  return role.isOwner ? place : { ...place, restores: "partly" };
}

function mayCreate(
  { project_creation_level, archived, marked_for_deletion_on }: GitlabGroup,
  { isMaintainer, isOwner }: { isMaintainer: boolean; isOwner: boolean },
): boolean {
  if (archived === true || marked_for_deletion_on !== null) return false;
  switch (project_creation_level) {
    case "noone":
    case "administrator":
      return false;
    case "owner":
      return isOwner;
    default:
      return isMaintainer;
  }
}
