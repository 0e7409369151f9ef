import { Hono } from "hono";
import type { NotionEnv } from "../api-context.ts";
import type { NotionWorld } from "../state.ts";
import { blockRoutes } from "./block-routes.ts";

/** The calls that write. */
export function writingRoutes(world: NotionWorld): Hono<NotionEnv> {
  const app = new Hono<NotionEnv>();
  app.route("/", blockRoutes(world));
  return app;
}
