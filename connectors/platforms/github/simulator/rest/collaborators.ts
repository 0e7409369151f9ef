import { Hono } from "hono";
import { z } from "zod";
import { userReach } from "../access.ts";
import { type Body, nodeId, renderRepository } from "../render.ts";
import { renderLogin, repositoryUrl } from "../render-issue.ts";
import { fullName } from "../repositories.ts";
import { findAccount, type GithubWorld, nextId, type Repository, timestamp } from "../state.ts";
import { notFound, page, problem, type RestEnv, readBody, readQuery } from "./answers.ts";
import { type Asked, type RouteNeeds, repositoryRouter } from "./repository-route.ts";

type Role = "read" | "triage" | "write" | "maintain" | "admin";

const listQuery = z.object({ affiliation: z.enum(["outside", "direct", "all"]).default("all") });
const ROLES: Readonly<Record<string, Role>> = {
  pull: "read",
  triage: "triage",
  push: "write",
  maintain: "maintain",
  admin: "admin",
};
const READ: RouteNeeds = { permission: "metadata", reach: "write" };
const WRITE: RouteNeeds = { permission: "administration", reach: "admin" };

/** `/repos/…/collaborators`: invited people and, for organisations, also their members. */
export function collaboratorRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const route = repositoryRouter(app, world);
  route("GET", "/collaborators", READ, ({ c, repository, records }) => {
    const query = readQuery(c, world, listQuery);
    if (query instanceof Response) return query;
    const members = query.affiliation === "all" ? membersOf(world, repository) : [];
    const invited = records.settings.collaborators.filter(
      ({ login }) => !members.some((member) => member.login === login),
    );
    return page(c, world, [...members, ...invited], ({ login, role }) => renderRole(world, login, role), {
      path: `/repositories/${repository.id}/collaborators`,
    });
  });
  route("PUT", "/collaborators/:login", WRITE, invite);
  route("DELETE", "/collaborators/:login", WRITE, (asked) => {
    const { settings } = asked.records;
    settings.collaborators = settings.collaborators.filter(
      ({ login }) => login !== asked.c.req.param("login"),
    );
    asked.save();
    return asked.c.body(null, 204);
  });
  return app;
}

function membersOf(world: GithubWorld, repository: Repository): { login: string; role: Role }[] {
  const owner = findAccount(world, repository.owner);
  if (owner?.type === "User") return [{ login: owner.login, role: "admin" }];
  return Object.entries(owner?.members ?? {}).map(([login, role]) => ({
    login,
    role: role === "admin" ? ("admin" as const) : ("write" as const),
  }));
}

function renderRole(world: GithubWorld, login: string, role: Role): Body {
  const order: Role[] = ["read", "triage", "write", "maintain", "admin"];
  const rank = order.indexOf(role);
  const permissions = {
    pull: true,
    triage: rank >= 1,
    push: rank >= 2,
    maintain: rank >= 3,
    admin: rank >= 4,
  };
  return { ...renderLogin(world, login), permissions, role_name: role };
}

async function invite(asked: Asked): Promise<Response> {
  const { c, world, viewer, repository, records } = asked;
  const hasBody = Number(c.req.header("content-length") ?? "0") > 0;
  const body = hasBody ? await readBody(c, world, z.object({ permission: z.string().optional() })) : {};
  if (body instanceof Response) return body;
  const account = findAccount(world, c.req.param("login") ?? "");
  if (!account) return notFound(c);
  const role = ROLES[body.permission ?? "push"];
  if (!role) return problem(c, 422, "Validation Failed");
  const known = records.settings.collaborators.find(({ login }) => login === account.login);
  const isMember = userReach(world, account.login, repository) !== "none";
  if (known) known.role = role;
  else records.settings.collaborators.push({ login: account.login, role });
  asked.save();
  if (known || isMember) return c.body(null, 204);
  const id = nextId(world.state);
  return c.json(
    {
      id,
      node_id: nodeId("RI", id),
      repository: renderRepository(world, viewer, repository),
      invitee: renderLogin(world, account.login),
      inviter: renderLogin(world, asked.login),
      permissions: role,
      created_at: timestamp(),
      expired: false,
      url: `${repositoryUrl(world, repository)}/invitations/${id}`,
      html_url: `${world.webUrl}/${fullName(repository)}/invitations`,
    },
    201,
  );
}
