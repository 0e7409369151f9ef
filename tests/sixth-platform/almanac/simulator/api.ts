import { type Context, Hono } from "hono";
import { z } from "zod";
import type { OauthDesk } from "#connectors/toolkit/simulator/oauth-desk.ts";
import { addingRoutes } from "./adding-routes.ts";
import type { AlmanacEnv } from "./api-context.ts";
import { countRequest, rateLimitAnswer } from "./rate-limit.ts";
import { readingRoutes } from "./reading-routes.ts";
import { Refused } from "./refused.ts";
import type { AlmanacWorld } from "./state.ts";

/** Almanac's API: lists in pages by cursor, and requests that make things once by their ids. */
export function apiApp(world: AlmanacWorld, desk: OauthDesk): Hono<AlmanacEnv> {
  const app = new Hono<AlmanacEnv>();
  app.onError((error, c) => {
    const status = error instanceof Refused ? error.status : error instanceof z.ZodError ? 400 : 500;
    const message = error instanceof z.ZodError ? z.prettifyError(error) : error.message;
    if (status === 400 || status === 500) note(world, c, status, message);
    return c.json({ message }, status);
  });
  app.use("*", async (c, next) => {
    const token = /^Bearer (.+)$/.exec(c.req.header("authorization") ?? "")?.[1];
    const identity = token === undefined ? null : desk.identify(token);
    const grant = identity?.kind === "live" ? identity.grant : null;
    const person = world.state.people.find(({ id }) => id === grant?.personId);
    if (grant === null || person === undefined) return c.json({ message: "The token is not valid." }, 401);
    const needed = c.req.path.endsWith("/readers") ? "readers" : "books";
    const isForAll = /\/sites(\/[^/]+)?$/.test(c.req.path);
    if (!isForAll && !grant.scopes.includes(needed))
      return c.json({ message: `The scope ${needed} was not granted.` }, 403);
    const isUpload = c.req.method === "POST" && c.req.path.endsWith("/files");
    const wait = countRequest(world, grant.id, isUpload);
    if (wait !== null) {
      const limit = { kind: "rate-limit", shape: "site", retryAfter: String(wait) } as const;
      const { status, headers, body } = rateLimitAnswer(limit);
      return new Response(body, { status, headers });
    }
    c.set("person", person);
    await next();
    if (c.req.method !== "GET") world.save();
  });
  app.route("/", readingRoutes(world));
  app.route("/", addingRoutes(world));
  app.notFound((c) => {
    note(world, c, 404, "There is no such call.");
    return c.json({ message: "There is no such call." }, 404);
  });
  return app;
}

function note(world: AlmanacWorld, c: Context, status: number, reason: string): void {
  const { method, path } = c.req;
  world.refuse({ kind: status === 404 ? "unknown" : "refused", method, path, status, reason });
}
