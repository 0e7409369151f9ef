import { Hono } from "hono";
import { codeDirectory, fullPath } from "../projects.ts";
import type { GitlabWorld } from "../state.ts";
import type { RestEnv } from "./answers.ts";
import { reachMergeRequest } from "./merge-requests.ts";
import { page } from "./pages.ts";
import { readCommits } from "./render-commit.ts";
import { readChanges, renderMergeRequest } from "./render-merge-request.ts";

const ONE = "/projects/:id/merge_requests/:iid{[0-9]+}";

/** What a merge request changes: commits, diffs, versions. */
export function mergeRequestChangeRoutes(world: GitlabWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get(`${ONE}/commits`, (c) => {
    const reached = reachMergeRequest(c, world);
    if (reached instanceof Response) return reached;
    const { project, request } = reached;
    const base = request.versions[0]?.base ?? "";
    const range = base === "" ? request.sha : `${base}..${request.sha}`;
    const commits = readCommits(codeDirectory(world, project), `${world.url}/${fullPath(world, project)}`, [
      range,
      "--",
    ]);
    return page(c, world, commits, (commit) => commit);
  });
  app.get(`${ONE}/changes`, (c) => {
    const reached = reachMergeRequest(c, world);
    if (reached instanceof Response) return reached;
    const changes = readChanges(world, reached.project, reached.request);
    return c.json({
      ...renderMergeRequest(world, reached.project, reached.request, { isSingle: true }),
      changes,
      overflow: false,
    });
  });
  app.get(`${ONE}/diffs`, (c) => {
    const reached = reachMergeRequest(c, world);
    if (reached instanceof Response) return reached;
    return page(c, world, readChanges(world, reached.project, reached.request), (change) => change);
  });
  app.get(`${ONE}/versions`, (c) => {
    const reached = reachMergeRequest(c, world);
    if (reached instanceof Response) return reached;
    return page(c, world, reached.request.versions, ({ id, head, base, createdAt }) => ({
      id,
      head_commit_sha: head,
      base_commit_sha: base,
      start_commit_sha: base,
      created_at: createdAt,
      merge_request_id: reached.request.id,
      state: "collected",
      real_size: "1",
      patch_id_sha: null,
    }));
  });
  return app;
}
