import { Hono } from "hono";
import { z } from "zod";
import { reachOf, userReach, type Viewer } from "../access.ts";
import { countPoints, countRequest } from "../rate-limit.ts";
import { renderRepository, renderSimpleOrganisation, renderSimpleUser, renderUser } from "../render.ts";
import { fullName, listRepositories, pushedAt } from "../repositories.ts";
import { type Account, findAccount, type GithubWorld, type Repository } from "../state.ts";
import {
  notFound,
  page,
  problem,
  type RestContext,
  type RestEnv,
  readQuery,
  requiresAuthentication,
} from "./answers.ts";

/** The order of repository lists, in GitHub's terms. */
export const sortSchema = {
  sort: z.enum(["created", "updated", "pushed", "full_name"]).optional(),
  direction: z.enum(["asc", "desc"]).optional(),
};

const ownQuery = z.object({
  ...sortSchema,
  visibility: z.enum(["all", "public", "private"]).optional(),
  affiliation: z
    .string()
    .regex(/^(owner|collaborator|organization_member)(,\s*(owner|collaborator|organization_member))*$/)
    .optional(),
  type: z.enum(["all", "owner", "public", "private", "member"]).optional(),
});
const theirQuery = z.object({ ...sortSchema, type: z.enum(["all", "owner", "member"]).optional() });

/** `/user…`, `/users…` and `/rate_limit`. */
export function userRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/user", (c) => {
    const viewer = c.get("viewer");
    if (viewer.kind === "installation") return problem(c, 403, "Resource not accessible by integration");
    if (viewer.kind !== "user") return requiresAuthentication(c);
    return c.json(renderUser(world, viewer.account, "private"));
  });
  app.get("/user/orgs", (c) => {
    const viewer = c.get("viewer");
    if (viewer.kind !== "user") return requiresAuthentication(c);
    return page(c, world, organisationsOf(world, viewer.account), (organisation) =>
      renderSimpleOrganisation(world, organisation),
    );
  });
  app.get("/user/memberships/orgs", (c) => {
    const viewer = c.get("viewer");
    if (viewer.kind !== "user") return requiresAuthentication(c);
    return page(c, world, organisationsOf(world, viewer.account), (organisation) => ({
      url: `${world.apiUrl}/orgs/${organisation.login}/memberships/${viewer.account.login}`,
      state: "active",
      role: organisation.members[viewer.account.login],
      organization_url: `${world.apiUrl}/orgs/${organisation.login}`,
      organization: renderSimpleOrganisation(world, organisation),
      user: renderSimpleUser(world, viewer.account),
    }));
  });
  app.get("/user/repos", (c) => listOwn(c, world));
  app.get("/users/:login", (c) => {
    const account = findAccount(world, c.req.param("login"));
    return account ? c.json(renderUser(world, account, "public")) : notFound(c);
  });
  app.get("/users/:login/repos", (c) => listTheirs(c, world, findAccount(world, c.req.param("login"))));
  app.get("/user/:id{[0-9]+}/repos", (c) =>
    listTheirs(c, world, world.state.accounts.find(({ id }) => id === Number(c.req.param("id"))) ?? null),
  );
  app.get("/rate_limit", (c) => {
    const quota = countRequest(world, c.get("viewer"), 0);
    const core = {
      limit: quota.limit,
      used: quota.used,
      remaining: Math.max(0, quota.limit - quota.used),
      reset: Math.floor(quota.resetAt / 1000),
    };
    const search = { limit: 30, used: 0, remaining: 30, reset: core.reset };
    const points = countPoints(world, c.get("viewer"), 0);
    const graphql = {
      limit: points.limit,
      used: points.used,
      remaining: Math.max(0, points.limit - points.used),
      reset: Math.floor(points.resetAt / 1000),
    };
    return c.json({ resources: { core, search, graphql }, rate: core });
  });
  return app;
}

function organisationsOf(world: GithubWorld, user: Account): Account[] {
  // Organisations below `SIM_GIT_ROOT` are created when their repositories are read.
  listRepositories(world);
  return world.state.accounts.filter((account) => account.members[user.login] !== undefined);
}

function listOwn(c: RestContext, world: GithubWorld): Response {
  const viewer = c.get("viewer");
  if (viewer.kind === "installation") return problem(c, 403, "Resource not accessible by integration");
  if (viewer.kind !== "user") return requiresAuthentication(c);
  const query = readQuery(c, world, ownQuery);
  if (query instanceof Response) return query;
  if (query.type && (query.visibility || query.affiliation)) {
    const reason = "type together with visibility or affiliation";
    world.refuse({ kind: "refused", method: "GET", path: c.req.path, status: 422, reason });
    return problem(c, 422, "If you specify visibility or affiliation, you cannot specify type.");
  }
  const affiliations = (query.affiliation ?? "owner,collaborator,organization_member").split(/,\s*/);
  const { login } = viewer.account;
  const repositories = listRepositories(world).filter((repository) => {
    const isOwner = repository.owner === login;
    if (userReach(world, login, repository) === "none" || reachOf(world, viewer, repository) === "none")
      return false;
    const isMember = findAccount(world, repository.owner)?.members[login] !== undefined;
    const affiliation = isOwner ? "owner" : isMember ? "organization_member" : "collaborator";
    if (!affiliations.includes(affiliation)) return false;
    if (query.type === "owner" && !isOwner) return false;
    if (query.type === "member" && isOwner) return false;
    const visibility = query.visibility ?? query.type;
    return visibility === "public" || visibility === "private" ? repository.visibility === visibility : true;
  });
  return page(c, world, sorted(world, repositories, query), (repository) =>
    renderRepository(world, viewer, repository),
  );
}

function listTheirs(c: RestContext, world: GithubWorld, account: Account | null): Response {
  const query = readQuery(c, world, theirQuery);
  if (query instanceof Response) return query;
  if (!account) return notFound(c);
  // This list contains only public repositories, even for their owner.
  const repositories = listRepositories(world).filter(
    ({ owner, visibility }) => owner === account.login && visibility === "public",
  );
  return page(
    c,
    world,
    sorted(world, repositories, query),
    (repository) => renderRepository(world, c.get("viewer"), repository),
    { path: `/user/${account.id}/repos` },
  );
}

/** Sorts a list of repositories. By default names ascend and times descend. */
export function sorted(
  world: GithubWorld,
  repositories: readonly Repository[],
  query: { sort?: "created" | "updated" | "pushed" | "full_name"; direction?: "asc" | "desc" },
): Repository[] {
  const sort = query.sort ?? "full_name";
  const key = (repository: Repository): string => {
    switch (sort) {
      case "created":
        return repository.createdAt;
      case "updated":
        return repository.updatedAt;
      case "pushed":
        return pushedAt(world, repository);
      case "full_name":
        return fullName(repository).toLowerCase();
    }
  };
  const sign = (query.direction ?? (sort === "full_name" ? "asc" : "desc")) === "asc" ? 1 : -1;
  return repositories
    .map((repository) => ({ repository, key: key(repository) }))
    .sort((a, b) => sign * (a.key < b.key ? -1 : a.key > b.key ? 1 : a.repository.id - b.repository.id))
    .map(({ repository }) => repository);
}

/** Whether this viewer may create repositories for the account. */
export function mayCreateFor(viewer: Viewer, account: Account): boolean {
  if (viewer.kind === "installation") {
    // An installation token can create in organisations only.
    return account.type === "Organization" && viewer.installation.account === account.login;
  }
  if (viewer.kind !== "user") return false;
  return account.login === viewer.account.login || account.members[viewer.account.login] !== undefined;
}
