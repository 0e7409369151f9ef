import { Hono } from "hono";
import { z } from "zod";
import { isHeldBySso, reachOf } from "../access.ts";
import { renderOrganisation, renderRepository } from "../render.ts";
import { listRepositories } from "../repositories.ts";
import { type Account, findAccount, type GithubWorld } from "../state.ts";
import { heldBySso, notFound, page, type RestContext, type RestEnv, readQuery } from "./answers.ts";
import { sorted, sortSchema } from "./users.ts";

const listQuery = z.object({
  ...sortSchema,
  type: z.enum(["all", "public", "private", "forks", "sources", "member"]).optional(),
});

/** `/orgs…`, and the numeric paths that their links use. */
export function organisationRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const find = (login: string) => {
    listRepositories(world);
    const account = findAccount(world, login);
    return account?.type === "Organization" ? account : null;
  };
  app.get("/orgs/:org", (c) => {
    const account = find(c.req.param("org"));
    return account ? c.json(renderOrganisation(world, account)) : notFound(c);
  });
  app.get("/orgs/:org/repos", (c) => list(c, world, find(c.req.param("org"))));
  app.get("/organizations/:id{[0-9]+}/repos", (c) =>
    list(c, world, world.state.accounts.find(({ id }) => id === Number(c.req.param("id"))) ?? null),
  );
  return app;
}

function list(c: RestContext, world: GithubWorld, account: Account | null): Response {
  const query = readQuery(c, world, listQuery);
  if (query instanceof Response) return query;
  if (!account) return notFound(c);
  const viewer = c.get("viewer");
  if (isHeldBySso(world, viewer, account.login)) return heldBySso(c, world);
  const repositories = listRepositories(world).filter((repository) => {
    if (repository.owner !== account.login || reachOf(world, viewer, repository) === "none") return false;
    if (query.type === "forks") return false;
    if (query.type === "public" || query.type === "private") return repository.visibility === query.type;
    return true;
  });
  const order = { sort: query.sort ?? ("created" as const), direction: query.direction };
  return page(
    c,
    world,
    sorted(world, repositories, order),
    (repository) => renderRepository(world, viewer, repository),
    { path: `/organizations/${account.id}/repos` },
  );
}
