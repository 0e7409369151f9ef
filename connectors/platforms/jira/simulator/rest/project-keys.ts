import { Hono } from "hono";
import type { RestEnv } from "./reach.ts";

const KEY = /^[A-Z][A-Z0-9]{1,9}$/;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Whether a key of a project is free: Jira returns it, or another one that is. Keys in the trash are taken, too. */
export function projectKeyRoutes(): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/projectvalidate/validProjectKey", (c) => {
    const { site } = c.get("viewer");
    const isFree = (key: string) => KEY.test(key) && !site.projects.some((project) => project.key === key);
    let key = c.req.query("key") ?? "";
    while (!isFree(key))
      key = Array.from({ length: 4 }, () => LETTERS[Math.floor(Math.random() * LETTERS.length)]).join("");
    return c.json(key);
  });
  return app;
}
