import { Hono } from "hono";
import { readCommit, resolveRevision } from "../read-commits.ts";
import { renderSimpleUser } from "../render.ts";
import { renderCommit } from "../render-commit.ts";
import { repositoryUrl } from "../render-issue.ts";
import { fullName, gitDirectory, sizeKilobytes } from "../repositories.ts";
import { findAccount, type GithubWorld } from "../state.ts";
import { notFound, page, problem, type RestEnv } from "./answers.ts";
import { repositoryRouter } from "./repository-route.ts";

const READ = { permission: "metadata", reach: "read" } as const;

/** Calls that the product never makes, and that people try beside those that it makes. Nobody stars or forks here. */
export function neighbourRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const route = repositoryRouter(app, world);
  route("GET", "/languages", READ, ({ c, repository }) =>
    c.json(
      repository.language === null ? {} : { [repository.language]: sizeKilobytes(world, repository) * 1024 },
    ),
  );
  for (const nobody of ["/stargazers", "/forks", "/teams"]) {
    route("GET", nobody, READ, ({ c }) => page(c, world, [], (one) => one));
  }
  route("GET", "/branches/:branch", { ...READ, permission: "contents" }, ({ c, repository, records }) => {
    const name = c.req.param("branch") ?? "";
    const directory = gitDirectory(world, repository);
    const sha = resolveRevision(directory, `refs/heads/${name}`, "commit");
    if (sha === null) return problem(c, 404, "Branch not found");
    const url = `${repositoryUrl(world, repository)}/branches/${encodeURIComponent(name)}`;
    const isProtected = records.settings.protections[name] !== undefined;
    return c.json({
      name,
      commit: renderCommit(world, repository, readCommit(directory, sha)),
      _links: { self: url, html: `${world.webUrl}/${fullName(repository)}/tree/${name}` },
      protected: isProtected,
      protection: { enabled: isProtected },
      protection_url: `${url}/protection`,
    });
  });
  app.get("/orgs/:org/members", (c) => {
    const organisation = findAccount(world, c.req.param("org"));
    if (organisation?.type !== "Organization") return notFound(c);
    const members = Object.keys(organisation.members ?? {}).flatMap(
      (login) => findAccount(world, login) ?? [],
    );
    return page(c, world, members, (member) => renderSimpleUser(world, member));
  });
  return app;
}
