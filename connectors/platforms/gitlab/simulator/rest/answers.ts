import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { levelIn, levelInGroup, type Viewer } from "../access.ts";
import { findNamespace } from "../namespaces.ts";
import { lookUpProject } from "../projects.ts";
import type { GitlabWorld, Group, Project, User } from "../state.ts";

/** What the middleware passes to the routes. */
export type RestEnv = { Variables: { viewer: Viewer } };
/** A route's context. */
export type RestContext = Context<RestEnv>;
/** A JSON body. */
export type Body = Record<string, unknown>;

/** A response to a request that is itself wrong; recorded as a refusal. */
export function fault(c: Context, world: GitlabWorld, status: ContentfulStatusCode, body: Body): Response {
  const reason = JSON.stringify(body);
  world.refuse({ kind: "refused", method: c.req.method, path: c.req.path, status, reason });
  return c.json(body, status);
}

/** An ordinary error response; `message` is a text, a list, or errors by field. */
export function problem(c: Context, status: ContentfulStatusCode, message: unknown): Response {
  return c.json({ message }, status);
}

/** The response for things that do not exist or are not visible. */
export function notFound(c: Context, what?: string): Response {
  return problem(c, 404, what === undefined ? "404 Not Found" : `404 ${what} Not Found`);
}

/** The response for actions that the viewer may not take on a visible thing. */
export function forbidden(c: Context): Response {
  return problem(c, 403, "403 Forbidden");
}

/** The response when a sign-in is required. */
export function unauthorized(c: Context): Response {
  return problem(c, 401, "401 Unauthorized");
}

/** The signed-in user; a Response (401) without one. */
export function requireUser(c: RestContext): User | Response {
  const viewer = c.get("viewer");
  return viewer.kind === "user" ? viewer.user : unauthorized(c);
}

/** A project and the viewer's level in it. */
export type ReachedProject = { project: Project; level: number };

/**
 * Finds the project of a path (`:id`, an id or an encoded full path) for this viewer; a Response when it is not
 * visible, has moved, or requires a higher level. An archived project is read-only.
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
