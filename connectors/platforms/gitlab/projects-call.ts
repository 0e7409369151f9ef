import type { PlatformPlace } from "#connectors/contract/platform-connector.ts";
import type { HttpCall } from "#connectors/toolkit/http-client.ts";
import { LARGEST_PAGE, paths } from "./client.ts";
import { groupId } from "./places.ts";

/** The order must be total, or a project could be on two pages and another on none. */
const ORDER = { order_by: "id", sort: "asc", per_page: LARGEST_PAGE } as const;

/** Lists the projects of a place, subgroups included; without a place, all of the account's projects. */
export function projectsCall(place: PlatformPlace | null): HttpCall {
  if (place === null) {
    const query = { membership: "true", ...ORDER };
    return { method: "GET", path: paths.projects, query, about: "your projects", missing: "forbidden" };
  }
  const id = groupId(place);
  if (id === null) {
    const path = paths.userProjects(place.externalId);
    return { method: "GET", path, query: ORDER, about: "the projects of this place", missing: "forbidden" };
  }
  // Leaves out a group's public projects of which the account is not a member.
  const query = { include_subgroups: "true", with_shared: "false", min_access_level: 10, ...ORDER };
  const about = "the projects of this group";
  return { method: "GET", path: paths.groupProjects(id), query, about, missing: "forbidden" };
}
