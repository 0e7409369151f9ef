import { Hono } from "hono";
import type { NotionEnv } from "../api-context.ts";
import type { NotionWorld } from "../state.ts";
import { blockRoutes } from "./block-routes.ts";
import { commentRoutes } from "./comment-routes.ts";
import { databaseRoutes } from "./database-routes.ts";
import { fileUploadRoutes } from "./file-upload-routes.ts";
import { markdownRoutes } from "./markdown-routes.ts";
import { pageRoutes } from "./page-routes.ts";
import { viewRoutes } from "./view-routes.ts";

/** The calls that write. Calls of the contract that are missing here, such as making meeting notes, are unknown. */
export function writingRoutes(world: NotionWorld): Hono<NotionEnv> {
  const app = new Hono<NotionEnv>();
  app.route("/", pageRoutes(world));
  app.route("/", markdownRoutes(world));
  app.route("/", blockRoutes(world));
  app.route("/", databaseRoutes(world));
  app.route("/", viewRoutes(world));
  app.route("/", commentRoutes(world));
  app.route("/", fileUploadRoutes(world));
  return app;
}
