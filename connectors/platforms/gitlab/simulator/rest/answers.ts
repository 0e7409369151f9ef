import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Viewer } from "../access.ts";
import type { GitlabWorld } from "../state.ts";

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
