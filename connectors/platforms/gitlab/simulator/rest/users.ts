import { Hono } from "hono";
import { z } from "zod";
import { findNamespace, findUser, groupLevel, namespaceById, namespacePath } from "../namespaces.ts";
import type { GitlabWorld } from "../state.ts";
import { notFound, type RestEnv } from "./answers.ts";
import { page } from "./pages.ts";
import { bool, readParameters } from "./parameters.ts";
import { requireUser } from "./reach.ts";
import { renderNamespaceBrief, renderUser, renderUserBrief } from "./render-users.ts";

/** `/user`, `/users…`, `/namespaces…`, `/version` and `/metadata`. */
export function userRoutes(world: GitlabWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/user", (c) => {
    const user = requireUser(c);
    return user instanceof Response ? user : c.json(renderUser(world, user, "own"));
  });
  app.get("/users", async (c) => {
    const query = await readParameters(
      c,
      world,
      z.object({ username: z.string().optional(), search: z.string().optional() }),
    );
    if (query instanceof Response) return query;
    const search = query.search?.toLowerCase();
    const found = world.state.users.filter(
      ({ username, name }) =>
        (query.username === undefined || username.toLowerCase() === query.username.toLowerCase()) &&
        (search === undefined || `${username} ${name}`.toLowerCase().includes(search)),
    );
    return page(c, world, found, ({ id }) => renderUserBrief(world, id));
  });
  app.get("/users/:user_id", (c) => {
    const user = world.state.users.find(({ id }) => id === Number(c.req.param("user_id")));
    return user ? c.json(renderUser(world, user, "public")) : notFound(c, "User");
  });
  app.get("/users/:user_id/status", (c) => {
    const user = findUser(world, c.req.param("user_id"));
    if (!user) return notFound(c, "User");
    return c.json({
      emoji: null,
      message: null,
      availability: null,
      message_html: "",
      clear_status_at: null,
    });
  });
  app.get("/version", (c) => c.json({ version: "18.6.0-pre", revision: "8a3f0c1d2e4" }));
  app.get("/metadata", (c) =>
    c.json({
      version: "18.6.0-pre",
      revision: "8a3f0c1d2e4",
      kas: { enabled: true, externalUrl: null, version: "18.6.0" },
      enterprise: true,
    }),
  );
  app.route("/", namespaceRoutes(world));
  return app;
}

/** `/namespaces…`. */
function namespaceRoutes(world: GitlabWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/namespaces", async (c) => {
    const user = requireUser(c);
    if (user instanceof Response) return user;
    const query = await readParameters(
      c,
      world,
      z.object({
        search: z.string().optional(),
        owned_only: bool.optional(),
        top_level_only: bool.optional(),
      }),
    );
    if (query instanceof Response) return query;
    const groups = world.state.groups
      .filter((group) => groupLevel(world, user.id, group) >= (query.owned_only ? 50 : 10))
      .filter(({ parentId }) => !query.top_level_only || parentId === null)
      .map((group) => ({ kind: "group" as const, group }));
    const search = query.search?.toLowerCase() ?? "";
    const found = [{ kind: "user" as const, user }, ...groups].filter((namespace) =>
      namespacePath(world, namespace).toLowerCase().includes(search),
    );
    return page(c, world, found, (namespace) => ({
      ...renderNamespaceBrief(world, namespace),
      plan: "premium",
      trial: false,
    }));
  });
  app.get("/namespaces/:id", (c) => {
    const user = requireUser(c);
    if (user instanceof Response) return user;
    const key = c.req.param("id");
    const namespace = /^\d+$/.test(key) ? namespaceById(world, Number(key)) : findNamespace(world, key);
    const isOwn = namespace?.kind === "user" && namespace.user.id === user.id;
    const isMember = namespace?.kind === "group" && groupLevel(world, user.id, namespace.group) > 0;
    if (!namespace || !(isOwn || isMember)) return notFound(c, "Namespace");
    return c.json({ ...renderNamespaceBrief(world, namespace), plan: "premium", trial: false });
  });
  return app;
}
