import { Hono } from "hono";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { changedFiles, readCommit, resolveRevision, walkCommits } from "../read-commits.ts";
import { renderRepository, renderSimpleUser } from "../render.ts";
import { renderChangedFile, renderCommit } from "../render-commit.ts";
import { repositoryUrl } from "../render-issue.ts";
import { defaultBranch, fullName, gitDirectory } from "../repositories.ts";
import type { GithubWorld } from "../state.ts";
import { notFound, page, problem, type RestEnv } from "./answers.ts";
import { withPull } from "./pulls.ts";
import { type Asked, repositoryRouter } from "./repository-route.ts";

const READ = { permission: "contents", reach: "read" } as const;
const PULL = "/pulls/:number{[0-9]+}";

/** `/repos/…/commits`, comparisons, and what pull requests consist of. The connector reads all of it through git. */
export function commitRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const route = repositoryRouter(app, world);
  route("GET", "/commits", READ, list);
  route("GET", "/commits/:ref{.+}/status", READ, status);
  route("GET", "/commits/:ref{.+}/check-runs", READ, (asked) =>
    withCommit(asked, () => asked.c.json({ total_count: 0, check_runs: [] })),
  );
  route("GET", "/commits/:ref{.+}", READ, (asked) =>
    withCommit(asked, (sha) => {
      const directory = gitDirectory(world, asked.repository);
      const commit = readCommit(directory, sha);
      const files = changedFiles(directory, commit.parents[0] ?? null, sha);
      return asked.c.json(renderCommit(world, asked.repository, commit, files));
    }),
  );
  route("GET", "/compare/:basehead{.+}", READ, compare);
  route("GET", "/contributors", { ...READ, permission: "metadata" }, contributors);
  const PULLS = { permission: "pull_requests", reach: "read" } as const;
  route("GET", `${PULL}/commits`, PULLS, (asked) =>
    withPull(asked, ({ pull }) => {
      const directory = gitDirectory(world, asked.repository);
      const shas = walkCommits(directory, ["--reverse", `${pull.baseSha}..${pull.headSha}`]);
      return listOf(asked, shas);
    }),
  );
  route("GET", `${PULL}/files`, PULLS, (asked) =>
    withPull(asked, ({ pull }) => {
      const { c, repository } = asked;
      const directory = gitDirectory(world, repository);
      const files = changedFiles(directory, mergeBase(directory, pull.baseSha, pull.headSha), pull.headSha);
      return page(c, world, files, (file) => renderChangedFile(world, repository, file, pull.headSha));
    }),
  );
  route("GET", `${PULL}/merge`, PULLS, (asked) =>
    withPull(asked, ({ pull }) => (pull.mergedAt === null ? notFound(asked.c) : asked.c.body(null, 204))),
  );
  return app;
}

function list(asked: Asked): Response | Promise<Response> {
  const { c, world, repository } = asked;
  const directory = gitDirectory(world, repository);
  const name = c.req.query("sha") ?? defaultBranch(world, repository);
  const sha = resolveRevision(directory, name, "commit");
  if (sha === null) {
    return c.req.query("sha") === undefined ? problem(c, 409, "Git Repository is empty.") : notFound(c);
  }
  const option = (parameter: string, flag: string) => {
    const value = c.req.query(parameter);
    return value === undefined ? [] : [`--${flag}=${value}`];
  };
  const path = c.req.query("path");
  const args = [...option("since", "since"), ...option("until", "until"), ...option("author", "author")];
  return listOf(asked, walkCommits(directory, [...args, sha, ...(path === undefined ? [] : ["--", path])]));
}

function listOf({ c, world, repository }: Asked, shas: readonly string[]): Response {
  const directory = gitDirectory(world, repository);
  return page(c, world, shas, (sha) => renderCommit(world, repository, readCommit(directory, sha)));
}

/** Runs `act` with the commit that the path names. */
function withCommit(asked: Asked, act: (sha: string) => Response): Response {
  const { c, world, repository } = asked;
  const ref = c.req.param("ref") ?? "";
  const sha = resolveRevision(gitDirectory(world, repository), ref, "commit");
  return sha === null ? problem(c, 422, `No commit found for SHA: ${ref}`) : act(sha);
}

function status(asked: Asked): Response {
  const { c, world, viewer, repository } = asked;
  return withCommit(asked, (sha) => {
    const url = `${repositoryUrl(world, repository)}/commits/${sha}`;
    return c.json({
      ...{ state: "pending", statuses: [], sha, total_count: 0 },
      repository: renderRepository(world, viewer, repository),
      ...{ commit_url: url, url: `${url}/status` },
    });
  });
}

function compare({ c, world, repository }: Asked): Response {
  const directory = gitDirectory(world, repository);
  const [before = "", after = ""] = (c.req.param("basehead") ?? "").split("...");
  const base = resolveRevision(directory, before, "commit");
  const head = resolveRevision(directory, after, "commit");
  if (base === null || head === null) return notFound(c);
  const fork = mergeBase(directory, base, head);
  if (fork === null) return problem(c, 404, `No common ancestor between ${before} and ${after}.`);
  const ahead = walkCommits(directory, ["--reverse", `${base}..${head}`]);
  const behind = walkCommits(directory, [`${head}..${base}`]);
  const url = `${repositoryUrl(world, repository)}/compare/${before}...${after}`;
  const site = `${world.webUrl}/${fullName(repository)}/compare/${before}...${after}`;
  const shown = (sha: string) => renderCommit(world, repository, readCommit(directory, sha));
  return c.json({
    ...{
      url,
      html_url: site,
      permalink_url: `${world.webUrl}/${fullName(repository)}/compare/${base}...${head}`,
    },
    ...{ diff_url: `${site}.diff`, patch_url: `${site}.patch` },
    base_commit: shown(base),
    merge_base_commit: shown(fork),
    status:
      ahead.length === 0
        ? behind.length === 0
          ? "identical"
          : "behind"
        : behind.length === 0
          ? "ahead"
          : "diverged",
    ...{ ahead_by: ahead.length, behind_by: behind.length, total_commits: ahead.length },
    commits: ahead.map(shown),
    files: changedFiles(directory, fork, head).map((file) =>
      renderChangedFile(world, repository, file, head),
    ),
  });
}

function mergeBase(directory: string, base: string, head: string): string | null {
  try {
    return runGit(directory, ["merge-base", base, head]).trim();
  } catch {
    return null;
  }
}

/** Accounts by the number of their commits on the default branch. Strangers are left out unless `anon` asks for them. */
function contributors({ c, world, repository }: Asked): Response {
  const directory = gitDirectory(world, repository);
  const tip = resolveRevision(directory, defaultBranch(world, repository), "commit");
  if (tip === null) return c.body(null, 204);
  const counts = new Map<string, number>();
  for (const email of runGit(directory, ["log", "--format=%ae", tip]).split("\n")) {
    if (email !== "") counts.set(email, (counts.get(email) ?? 0) + 1);
  }
  const people = [...counts]
    .flatMap(([email, contributions]) => {
      const account = world.state.accounts.find((one) => one.email === email);
      if (account !== undefined) return [{ ...renderSimpleUser(world, account), contributions }];
      const isAsked = ["1", "true"].includes(c.req.query("anon") ?? "");
      return isAsked ? [{ email, name: email.split("@")[0], type: "Anonymous", contributions }] : [];
    })
    .sort((one, other) => other.contributions - one.contributions);
  return page(c, world, people, (person) => person);
}
