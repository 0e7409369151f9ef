import { Hono } from "hono";
import type { z } from "zod";
import { grantControl } from "./grant-control.ts";
import type { OauthApplication, OauthDesk } from "./oauth-desk.ts";
import { getPerson } from "./storage-site.ts";

/**
 * Events that our code does not cause and every storage has: ended grants, expired uploads, changed quotas and
 * settings. Each storage adds its own.
 */
export function storageControl(
  path: string,
  world: {
    desk: OauthDesk;
    settings: OauthApplication & { scopes: readonly string[] };
    state: {
      people: readonly { id: string; login: string; email: string }[];
      sessions: readonly { startedAt: number }[];
    };
    save(): void;
  },
  orders: {
    /** One person's quota and usage. */
    space: z.ZodType<{ login: string }>;
    settings: z.ZodType<object>;
  },
): Hono {
  const app = new Hono().basePath(path);
  app.onError((error, c) => c.json({ message: error.message }, 400));
  const personIdOf = (login: string) => getPerson(world.state, login).id;
  app.route("/", grantControl(world.desk, { scopes: world.settings.scopes, personIdOf }));
  app.post("/expire-sessions", (c) => {
    for (const session of world.state.sessions) session.startedAt = 0;
    world.save();
    return c.body(null, 204);
  });
  app.post("/space", async (c) => {
    const { login, ...space } = orders.space.parse(await c.req.json());
    Object.assign(getPerson(world.state, login), space);
    world.save();
    return c.body(null, 204);
  });
  app.post("/settings", async (c) => {
    Object.assign(world.settings, orders.settings.parse(await c.req.json()));
    return c.body(null, 204);
  });
  return app;
}
