import { levelIn, levelInGroup } from "../access.ts";
import { findNamespace } from "../namespaces.ts";
import { lookUpProject } from "../projects.ts";
import type { GitlabWorld, Group, Project, User } from "../state.ts";
import { forbidden, notFound, problem, type RestContext, unauthorized } from "./answers.ts";

/** The signed-in user, or a Response (401). */
export function requireUser(c: RestContext): User | Response {
  const viewer = c.get("viewer");
  return viewer.kind === "user" ? viewer.user : unauthorized(c);
}

/** A project and the viewer's access level in it. */
export type ReachedProject = { project: Project; level: number };

/**
 * Finds the project of a path (`:id`, a number or an encoded full path) for this viewer. Returns a Response when it is
 * not visible, has moved, or requires a higher level. An archived project accepts no changes.
 */
export function reachProject(
  c: RestContext,
  world: GitlabWorld,
  needs = 1,
  options: { isAllowedArchived?: boolean } = {},
): ReachedProject | Response {
  const lookup = lookUpProject(world, c.req.param("id") ?? "");
  if (lookup.kind === "missing") return notFound(c, "Project");
  const { project } = lookup;
  const viewer = c.get("viewer");
  const level = levelIn(world, viewer, project);
  if (level === 0) return notFound(c, "Project");
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  if (lookup.kind === "moved") {
    if (!isRead)
      return problem(c, 405, "405 Method Not Allowed - Non GET methods are not allowed for moved projects");
    const url = new URL(c.req.url);
    const rest = url.pathname.split("/").slice(5).join("/");
    const to = `${world.url}/api/v4/projects/${project.id}${rest === "" ? "" : `/${rest}`}${url.search}`;
    return c.redirect(to, 301);
  }
  if (!isRead && viewer.kind === "anonymous") return unauthorized(c);
  if (level < needs) return viewer.kind === "anonymous" ? unauthorized(c) : forbidden(c);
  if (!isRead && project.isArchived && options.isAllowedArchived !== true) return forbidden(c);
  return { project, level };
}

/** Finds the group of a path for this viewer. */
export function reachGroup(
  c: RestContext,
  world: GitlabWorld,
  needs = 1,
): { group: Group; level: number } | Response {
  const namespace = findNamespace(world, c.req.param("id") ?? "");
  if (namespace?.kind !== "group") return notFound(c, "Group");
  const level = levelInGroup(world, c.get("viewer"), namespace.group);
  if (level === 0) return notFound(c, "Group");
  if (level < needs) return c.get("viewer").kind === "anonymous" ? unauthorized(c) : forbidden(c);
  return { group: namespace.group, level };
}
