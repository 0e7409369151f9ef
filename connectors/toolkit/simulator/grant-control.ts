import { Hono } from "hono";
import { z } from "zod";
import type { OauthDesk } from "./oauth-desk.ts";

const tokenOrder = z.strictObject({ login: z.string(), scopes: z.array(z.string()).optional() });
const whose = z.strictObject({ login: z.string().optional() });
async function readWhose(request: Request): Promise<string | undefined> {
  return whose.parse(JSON.parse((await request.text()) || "{}")).login;
}

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
      const login = await readWhose(c.req.raw);
      desk.endGrants(how, login === undefined ? undefined : personIdOf(login));
      return c.body(null, 204);
    });
  }
  return app;
}

/**
 * The same for a site that keeps its own tokens. `/token/revoke` revokes them and `/expire-tokens` expires them, for
 * all people or for one.
 * @param tokensOf The tokens of a login; undefined = all tokens
 */
export function tokenControl(world: {
  tokensOf(login: string | undefined): readonly { isRevoked: boolean; expiresAt: number | null }[];
  save(): void;
}): Hono {
  const app = new Hono();
  app.post("/token/revoke", async (c) => {
    for (const token of world.tokensOf(await readWhose(c.req.raw))) token.isRevoked = true;
    world.save();
    return c.body(null, 204);
  });
  app.post("/expire-tokens", async (c) => {
    for (const token of world.tokensOf(await readWhose(c.req.raw))) token.expiresAt = 0;
    world.save();
    return c.body(null, 204);
  });
  return app;
}
