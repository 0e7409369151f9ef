import { Hono } from "hono";
import { z } from "zod";
import { repositoryUrl } from "../render-issue.ts";
import { type GithubWorld, nextId, timestamp } from "../state.ts";
import { page, type RestEnv, readBody } from "./answers.ts";
import { invalid } from "./issues.ts";
import { type RouteNeeds, repositoryRouter } from "./repository-route.ts";

const ADMIN: RouteNeeds = { permission: "administration", reach: "admin", isHidden: true };
const key = z.object({ title: z.string().optional(), key: z.string(), read_only: z.boolean().optional() });
const autolink = z.object({
  key_prefix: z.string(),
  url_template: z.string(),
  is_alphanumeric: z.boolean().default(true),
});

/** Deploy keys and autolinks, which only administrators see (GitHub's OpenAPI document). The list of autolinks has one page. */
export function keyAndAutolinkRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const route = repositoryRouter(app, world);
  route("GET", "/keys", ADMIN, ({ c, repository, records }) =>
    page(c, world, records.settings.deployKeys ?? [], (one) => one, {
      path: `/repositories/${repository.id}/keys`,
    }),
  );
  route("POST", "/keys", ADMIN, async (asked) => {
    const { c, repository, records, login } = asked;
    const body = await readBody(c, world, key);
    if (body instanceof Response) return body;
    const { title = "", read_only = false } = body;
    const id = nextId(world.state);
    const made = { id, key: body.key, title, read_only, verified: true, added_by: login, enabled: true };
    const url = `${repositoryUrl(world, repository)}/keys/${id}`;
    const one = { ...made, url, created_at: timestamp(), last_used: null };
    records.settings.deployKeys = [...(records.settings.deployKeys ?? []), one];
    asked.save();
    return c.json(one, 201);
  });
  route("GET", "/autolinks", ADMIN, ({ c, records }) => c.json(records.settings.autolinks ?? []));
  route("POST", "/autolinks", ADMIN, async (asked) => {
    const { c, records } = asked;
    const body = await readBody(c, world, autolink);
    if (body instanceof Response) return body;
    const known = records.settings.autolinks ?? [];
    if (known.some(({ key_prefix }) => key_prefix === body.key_prefix))
      return invalid(asked, { field: "key_prefix", code: "already_exists" }, "KeyLink");
    const one = { id: nextId(world.state), ...body, updated_at: timestamp() };
    records.settings.autolinks = [...known, one];
    asked.save();
    return c.json(one, 201);
  });
  return app;
}
