import { Hono } from "hono";
import { z } from "zod";
import type { OauthDesk } from "./oauth-desk.ts";

const tokenOrder = z.strictObject({ login: z.string(), scopes: z.array(z.string()).optional() });
const whose = z.strictObject({ login: z.string().optional() });

/**
 * Grant events that our code does not cause: tokens without a consent page, revoked grants, expired tokens.
 * `personIdOf` throws for an unknown login.
 */
export function grantControl(
  desk: OauthDesk,
  { scopes: usual, personIdOf }: { scopes: readonly string[]; personIdOf: (login: string) => string },
): Hono {
  const app = new Hono();
  app.post("/token", async (c) => {
    const { login, scopes = [...usual] } = tokenOrder.parse(await c.req.json());
    const grant = desk.allow({ personId: personIdOf(login), scopes, isOffline: true });
    return c.json({ token: desk.issueAccess(grant).value, refreshToken: grant.refreshToken });
  });
  for (const [path, how] of [
    ["/token/revoke", "revoke"],
    ["/expire-tokens", "expire"],
  ] as const) {
    app.post(path, async (c) => {
      const { login } = whose.parse(JSON.parse((await c.req.text()) || "{}"));
      desk.endGrants(how, login === undefined ? undefined : personIdOf(login));
      return c.body(null, 204);
    });
  }
  return app;
}
