import { Hono } from "hono";
import { z } from "zod";
import type { Hook } from "../records.ts";
import type { Body } from "../render.ts";
import { repositoryUrl } from "../render-issue.ts";
import { type GithubWorld, nextId, type Repository, timestamp } from "../state.ts";
import { notFound, page, type RestEnv, readBody } from "./answers.ts";
import { invalid } from "./issues.ts";
import { type RouteNeeds, repositoryRouter } from "./repository-route.ts";

const config = z.object({
  url: z.string().optional(),
  content_type: z.string().optional(),
  secret: z.string().optional(),
  insecure_ssl: z.union([z.string(), z.number()]).optional(),
});
const creation = z.object({
  name: z.string().optional(),
  config,
  events: z.array(z.string()).default(["push"]),
  active: z.boolean().default(true),
});
const NEEDS: RouteNeeds = { permission: "repository_hooks", reach: "admin", isHidden: true };
const ONE = "/hooks/:hook{[0-9]+}";

/** `/repos/…/hooks`. Secrets are returned as asterisks. */
export function hookRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const route = repositoryRouter(app, world);
  route("GET", "/hooks", NEEDS, ({ c, repository, records }) =>
    page(c, world, records.settings.hooks, (hook) => renderHook(world, repository, hook), {
      path: `/repositories/${repository.id}/hooks`,
    }),
  );
  route("GET", ONE, NEEDS, ({ c, repository, records }) => {
    const hook = records.settings.hooks.find(({ id }) => id === Number(c.req.param("hook")));
    return hook ? c.json(renderHook(world, repository, hook)) : notFound(c);
  });
  route("POST", "/hooks", NEEDS, async (asked) => {
    const { c, repository, records } = asked;
    const body = await readBody(c, world, creation);
    if (body instanceof Response) return body;
    const custom = (message: string) => invalid(asked, { field: "url", code: "custom", message }, "Hook");
    if (!body.config.url) return custom("url cannot be blank");
    const isTwin = records.settings.hooks.some(({ config: known }) => known.url === body.config.url);
    if (isTwin) return custom("Hook already exists on this repository");
    const now = timestamp();
    const entries = Object.entries(body.config).map(([key, value]) => [key, String(value)]);
    const hook: Hook = {
      id: nextId(world.state),
      events: body.events,
      isActive: body.active,
      config: { content_type: "form", insecure_ssl: "0", ...Object.fromEntries(entries) },
      createdAt: now,
      updatedAt: now,
    };
    records.settings.hooks.push(hook);
    asked.save();
    return c.json(renderHook(world, repository, hook), 201);
  });
  route("DELETE", ONE, NEEDS, (asked) => {
    const id = Number(asked.c.req.param("hook"));
    const { settings } = asked.records;
    settings.hooks = settings.hooks.filter((hook) => hook.id !== id);
    asked.save();
    return asked.c.body(null, 204);
  });
  return app;
}

function renderHook(world: GithubWorld, repository: Repository, hook: Hook): Body {
  const url = `${repositoryUrl(world, repository)}/hooks/${hook.id}`;
  const { secret, ...shown } = hook.config;
  return {
    type: "Repository",
    id: hook.id,
    name: "web",
    active: hook.isActive,
    events: hook.events,
    config: secret === undefined ? shown : { ...shown, secret: "********" },
    updated_at: hook.updatedAt,
    created_at: hook.createdAt,
    url,
    test_url: `${url}/test`,
    ping_url: `${url}/pings`,
    deliveries_url: `${url}/deliveries`,
    last_response: { code: null, status: "unused", message: null },
  };
}
