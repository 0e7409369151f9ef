import { Hono } from "hono";
import { z } from "zod";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { headBranch, resolveCommit } from "../bare.ts";
import type { GitlabWorld } from "../state.ts";
import { notFound, type RestEnv } from "./answers.ts";
import { page } from "./pages.ts";
import { bool, readParameters } from "./parameters.ts";
import { reachProject } from "./reach.ts";
import { readDiffs } from "./read-diffs.ts";
import { readCommit, readCommits } from "./render-commit.ts";
import { reachCode } from "./repository.ts";

const BASE = "/projects/:id/repository";
/** The id of the tree without files, before a first commit. */
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/**
 * Differences between commits, contributors, and lists that are always empty here. The product never asks for them; people
 * who try its neighbours do.
 */
export function comparisonRoutes(world: GitlabWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get(`${BASE}/commits/:sha/diff`, (c) => {
    const code = reachCode(c, world);
    if (code instanceof Response) return code;
    const sha = resolveCommit(code.directory, c.req.param("sha"));
    if (sha === null) return notFound(c, "Commit");
    const parents = runGit(code.directory, ["log", "-1", "--format=%P", sha]).trim();
    return page(
      c,
      world,
      readDiffs(code.directory, parents.split(" ")[0] || EMPTY_TREE, sha),
      (diff) => diff,
    );
  });
  app.get(`${BASE}/compare`, async (c) => {
    const code = reachCode(c, world);
    if (code instanceof Response) return code;
    const schema = z.object({ from: z.string(), to: z.string(), straight: bool.optional() });
    const query = await readParameters(c, world, schema);
    if (query instanceof Response) return query;
    const { directory, webUrl } = code;
    const [from, to] = [resolveCommit(directory, query.from), resolveCommit(directory, query.to)];
    if (from === null || to === null) return notFound(c, "Ref");
    const start = query.straight ? from : runGit(directory, ["merge-base", from, to]).trim();
    return c.json({
      commit: readCommit(directory, webUrl, to),
      commits: readCommits(directory, webUrl, ["--reverse", `${from}..${to}`, "--"]),
      diffs: readDiffs(directory, start, to),
      compare_timeout: false,
      compare_same_ref: from === to,
      web_url: `${webUrl}/-/compare/${query.from}...${query.to}`,
    });
  });
  app.get(`${BASE}/contributors`, (c) => {
    const code = reachCode(c, world);
    if (code instanceof Response) return code;
    const branch = headBranch(code.directory);
    const tip = branch === null ? null : resolveCommit(code.directory, branch);
    const people = new Map<string, { name: string; email: string; commits: number }>();
    const lines = tip === null ? [] : runGit(code.directory, ["log", "--format=%an%x00%ae", tip]).split("\n");
    for (const line of lines) {
      const [name = "", email = ""] = line.split("\0");
      if (email === "") continue;
      const known = people.get(email) ?? { name, email, commits: 0 };
      people.set(email, { ...known, commits: known.commits + 1 });
    }
    return page(c, world, [...people.values()], (one) => ({ ...one, additions: 0, deletions: 0 }));
  });
  for (const nothing of ["forks", "starrers", "pipelines"]) {
    app.get(`/projects/:id/${nothing}`, (c) => {
      const reached = reachProject(c, world);
      return reached instanceof Response ? reached : page(c, world, [], (one) => one);
    });
  }
  return app;
}
