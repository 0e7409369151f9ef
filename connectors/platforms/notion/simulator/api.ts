import { randomUUID } from "node:crypto";
import { type Context, Hono } from "hono";
import type { NotionEnv } from "./api-context.ts";
import { countRequest, rateLimitAnswer } from "./rate-limit.ts";
import { readingRoutes } from "./reading/reading-routes.ts";
import { Refused } from "./refused.ts";
import type { Fields, NotionWorld } from "./state.ts";
import { tokenRoutes } from "./token-routes.ts";
import { writingRoutes } from "./writing/writing-routes.ts";

/** The version that contract and recordings speak. Others are refused, so that a change of it is noticed. */
export const API_VERSION = "2025-09-03";

/** Notion's API below `/v1`. */
export function apiApp(world: NotionWorld): Hono<NotionEnv> {
  const app = new Hono<NotionEnv>();
  app.onError((error, c) => refusalOf(world, c, error));
  app.use("*", async (c, next) => {
    await next();
    if (c.req.method !== "GET") world.save();
  });
  // The token endpoints authenticate the client by Basic; all others a bot by its token.
  app.route("/oauth", tokenRoutes(world));
  app.use("*", async (c, next) => {
    const token = /^Bearer (.+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
    const grant = world.state.grants.find((known) => known.token === token && !known.isRevoked);
    if (grant === undefined) throw new Refused("unauthorized", "API token is invalid.");
    checkVersion(c);
    const wait = countRequest(world, grant.botId);
    if (wait !== null) return tooMany(wait);
    c.set("grant", grant);
    await next();
  });
  app.route("/", readingRoutes(world));
  app.route("/", writingRoutes(world));
  app.all("*", () => {
    throw new Refused("invalid_request_url", "Invalid request URL.");
  });
  return app;
}

/** @throws Refused without the header, or with another version */
export function checkVersion(c: Context): void {
  const version = c.req.header("notion-version");
  if (version === undefined)
    throw new Refused("missing_version", "Notion-Version header failed validation: it should be defined.");
  if (version !== API_VERSION)
    throw new Refused(
      "validation_error",
      `Notion-Version header should be "${API_VERSION}" here, instead was "${version}".`,
    );
}

function tooMany(wait: number): Response {
  const { status, headers, body } = rateLimitAnswer({
    ...{ kind: "rate-limit", shape: "requests", retryAfter: String(wait) },
  });
  return new Response(body, { status, headers });
}

/** The error of an answer. What no real caller would send is noted, so that tests find it. */
function refusalOf(world: NotionWorld, c: Context, error: Error): Response {
  const refused = error instanceof Refused ? error : null;
  const { status, code } = refused ?? { status: 500 as const, code: "internal_server_error" as const };
  const { method, path } = c.req;
  if (status === 400 || status === 500) {
    const kind = code === "invalid_request_url" ? "unknown" : "refused";
    world.refuse({ kind, method, path, status, reason: error.message });
  }
  const body: Fields = {
    ...{ object: "error", status, code, message: error.message, request_id: randomUUID() },
    ...(refused?.additionalData === undefined ? {} : { additional_data: refused.additionalData }),
  };
  return c.json(body, status);
}
