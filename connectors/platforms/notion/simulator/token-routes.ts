import { randomUUID } from "node:crypto";
import { type Context, Hono } from "hono";
import type { Json } from "#core/kernel/canonical-json.ts";
import { findGrant, redeemCode, refreshGrant } from "./grants.ts";
import { renderPerson } from "./reading/users.ts";
import type { Fields, Grant, NotionWorld } from "./state.ts";

/** `/v1/oauth/token`, `revoke` and `introspect`: JSON with the client's Basic authentication. Source: contract. */
export function tokenRoutes(world: NotionWorld): Hono {
  const app = new Hono();
  app.post("/token", async (c) => {
    c.header("Cache-Control", "no-store");
    const body = await readBody(world, c);
    if (body instanceof Response) return body;
    if (body.grant_type === "refresh_token") {
      const grant = only(body, ["grant_type", "refresh_token"])
        ? refreshGrant(world, String(body.refresh_token))
        : null;
      return grant ? c.json(tokenAnswer(world, grant)) : fault(world, c, "invalid_grant");
    }
    const isRight =
      body.grant_type === "authorization_code" && only(body, ["grant_type", "code", "redirect_uri"]);
    if (!isRight) return fault(world, c, "invalid_request");
    const grant = redeemCode(world, String(body.code), body.redirect_uri as string | undefined);
    return grant ? c.json(tokenAnswer(world, grant)) : fault(world, c, "invalid_grant");
  });
  app.post("/revoke", async (c) => {
    const body = await readBody(world, c);
    if (body instanceof Response) return body;
    const grant = findGrant(world, body.token as string | undefined);
    if (grant) grant.isRevoked = true;
    return c.json({ request_id: randomUUID() });
  });
  app.post("/introspect", async (c) => {
    const body = await readBody(world, c);
    if (body instanceof Response) return body;
    const grant = findGrant(world, body.token as string | undefined);
    const about = grant === null ? {} : { scope: grant.capabilities.join(" "), iat: grant.createdAt };
    return c.json({ active: grant !== null, ...about, request_id: randomUUID() });
  });
  return app;
}

function tokenAnswer(world: NotionWorld, grant: Grant): Fields {
  const workspace = world.state.workspaces.find(({ id }) => id === grant.workspaceId)!;
  const person = world.state.people.find(({ id }) => id === grant.personId)!;
  const isWithEmail = grant.capabilities.includes("read_emails");
  const isWithPeople = grant.capabilities.includes("read_users");
  // Without the capability for people the contract has a short form, with the id alone.
  const user: Json =
    isWithPeople && isWithEmail ? renderPerson(world, person, true) : { object: "user", id: person.id };
  return {
    ...{ access_token: grant.token, token_type: "bearer", refresh_token: grant.refreshToken },
    ...{ bot_id: grant.botId, workspace_icon: workspace.icon, workspace_name: workspace.name },
    ...{ workspace_id: workspace.id, owner: { type: "user", user }, duplicated_template_id: null },
    request_id: randomUUID(),
  };
}

/** The body of a request of our client, or the refusal. */
async function readBody(world: NotionWorld, c: Context): Promise<Fields | Response> {
  const basic = /^basic\s+(.+)$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? "";
  const { clientId, clientSecret } = world.settings;
  if (Buffer.from(basic, "base64").toString() !== `${clientId}:${clientSecret}`)
    return fault(world, c, "invalid_client");
  const isJson = c.req.header("content-type")?.includes("application/json") === true;
  const body: unknown = isJson ? await c.req.json().catch(() => null) : null;
  return body !== null && typeof body === "object" ? (body as Fields) : fault(world, c, "invalid_request");
}

const only = (body: Fields, names: readonly string[]): boolean =>
  Object.keys(body).every((name) => names.includes(name));

/**
 * The refusals of Notion's table of status codes, which has OAuth's words beside its own. No recording has one.
 * Only a code or token that no longer works is something that may happen to a client without a mistake.
 */
function fault(
  world: NotionWorld,
  c: Context,
  code: "invalid_client" | "invalid_grant" | "invalid_request",
): Response {
  const status = code === "invalid_client" ? 401 : 400;
  const { method, path } = c.req;
  if (code !== "invalid_grant") world.refuse({ kind: "refused", method, path, status, reason: code });
  return c.json(
    { object: "error", status, code, message: `OAuth: ${code}`, request_id: randomUUID() },
    status,
  );
}
