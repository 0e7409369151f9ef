import { Hono } from "hono";
import { z } from "zod";
import { covers, userReach } from "../access.ts";
import { appPermissions, nodeId, renderInstallation, renderRepository, renderSimpleUser } from "../render.ts";
import { listRepositories } from "../repositories.ts";
import { type Account, type GithubWorld, type Installation, timestamp } from "../state.ts";
import { issueInstallationToken, revokeGrant, revokeToken } from "../tokens.ts";
import {
  notFound,
  page,
  problem,
  type RestContext,
  type RestEnv,
  readBody,
  requiresAuthentication,
} from "./answers.ts";

const tokenOrder = z.object({
  repositories: z.array(z.string()).max(500).optional(),
  repository_ids: z.array(z.number().int()).max(500).optional(),
  permissions: z.record(z.string(), z.string()).optional(),
});
const revocation = z.object({ access_token: z.string() });

/** The App, its installations and its tokens. */
export function installationRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/app", (c) => {
    if (c.get("viewer").kind !== "app") return requiresAuthentication(c);
    return c.json(renderApp(world));
  });
  app.get("/app/installations", (c) => {
    if (c.get("viewer").kind !== "app") return requiresAuthentication(c);
    return page(c, world, world.state.installations, (installation) =>
      renderInstallation(world, installation),
    );
  });
  app.get("/app/installations/:id", (c) => {
    if (c.get("viewer").kind !== "app") return requiresAuthentication(c);
    const installation = find(world, c.req.param("id"));
    return installation ? c.json(renderInstallation(world, installation)) : notFound(c);
  });
  app.post("/app/installations/:id/access_tokens", (c) => createInstallationToken(c, world));
  app.get("/installation/repositories", (c) => {
    const viewer = c.get("viewer");
    if (viewer.kind !== "installation") return requiresAuthentication(c);
    return listCovered(c, world, viewer.installation, null);
  });
  app.get("/user/installations", (c) => {
    const viewer = c.get("viewer");
    if (viewer.kind !== "user") return requiresAuthentication(c);
    const seen = installationsOf(world, viewer.account);
    return page(c, world, seen, (installation) => renderInstallation(world, installation), {
      envelope: (installations) => ({ total_count: seen.length, installations }),
    });
  });
  app.get("/user/installations/:id/repositories", (c) => {
    const viewer = c.get("viewer");
    if (viewer.kind !== "user") return requiresAuthentication(c);
    const installation = installationsOf(world, viewer.account).find(
      ({ id }) => String(id) === c.req.param("id"),
    );
    if (!installation || installation.isSettlingIn) return notFound(c);
    return listCovered(c, world, installation, viewer.account);
  });
  app.delete("/applications/:client/grant", (c) => revoke(c, world, revokeGrant));
  app.delete("/applications/:client/token", (c) => revoke(c, world, revokeToken));
  return app;
}

function find(world: GithubWorld, id: string | undefined): Installation | null {
  listRepositories(world);
  return world.state.installations.find((installation) => String(installation.id) === id) ?? null;
}

function installationsOf(world: GithubWorld, user: Account): Installation[] {
  listRepositories(world);
  const owners = world.state.accounts.filter(
    (account) => account.login === user.login || account.members[user.login] !== undefined,
  );
  return world.state.installations.filter(({ account }) => owners.some(({ login }) => login === account));
}

function listCovered(
  c: RestContext,
  world: GithubWorld,
  installation: Installation,
  user: Account | null,
): Response {
  if (installation.suspendedAt) return problem(c, 403, "This installation has been suspended");
  const repositories = listRepositories(world).filter(
    (repository) =>
      covers(installation, repository) &&
      (user === null || userReach(world, user.login, repository) !== "none"),
  );
  const selection = installation.repositoryIds === null ? "all" : "selected";
  return page(c, world, repositories, (repository) => renderRepository(world, c.get("viewer"), repository), {
    envelope: (rendered) => ({
      total_count: repositories.length,
      repository_selection: selection,
      repositories: rendered,
    }),
  });
}

async function createInstallationToken(c: RestContext, world: GithubWorld): Promise<Response> {
  if (c.get("viewer").kind !== "app") {
    return problem(c, 401, "A JSON web token could not be decoded");
  }
  const installation = find(world, c.req.param("id"));
  if (!installation) return notFound(c);
  if (installation.suspendedAt) return problem(c, 403, "This installation has been suspended");
  const hasBody = Number(c.req.header("content-length") ?? "0") > 0;
  const order = hasBody ? await readBody(c, world, tokenOrder) : {};
  if (order instanceof Response) return order;
  const token = issueInstallationToken(world, installation);
  return c.json(
    {
      token: token.value,
      expires_at: timestamp(token.expiresAt),
      permissions: order.permissions ?? appPermissions(world),
      repository_selection: installation.repositoryIds === null ? "all" : "selected",
    },
    201,
  );
}

/** Deleting a token or a whole grant needs the client's own credentials. */
async function revoke(
  c: RestContext,
  world: GithubWorld,
  act: (world: GithubWorld, value: string) => boolean,
): Promise<Response> {
  const { clientId, clientSecret } = world.settings;
  const expected = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
  if (c.req.header("authorization") !== expected) return requiresAuthentication(c);
  if (c.req.param("client") !== clientId) return notFound(c);
  const order = await readBody(c, world, revocation);
  if (order instanceof Response) return order;
  if (!act(world, order.access_token)) return problem(c, 422, "Validation Failed");
  return c.body(null, 204);
}

function renderApp(world: GithubWorld): Record<string, unknown> {
  const owner = world.state.accounts[0];
  return {
    id: world.settings.appId,
    slug: world.settings.appSlug,
    node_id: nodeId("A", world.settings.appId),
    client_id: world.settings.clientId,
    owner: owner ? renderSimpleUser(world, owner) : null,
    name: "Holdfast",
    description: "Backs repositories up and gives them back.",
    external_url: "https://holdfast.example",
    html_url: `${world.webUrl}/apps/${world.settings.appSlug}`,
    created_at: "2025-01-14T09:00:00Z",
    updated_at: "2025-01-14T09:00:00Z",
    permissions: appPermissions(world),
    events: [],
    installations_count: world.state.installations.length,
  };
}
