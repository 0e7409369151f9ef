import { Hono } from "hono";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { branchTip } from "../pull-git.ts";
import { repositoryUrl } from "../render-issue.ts";
import { defaultBranch, fullName, gitDirectory } from "../repositories.ts";
import type { GithubWorld, Repository } from "../state.ts";
import { notFound, type RestContext, type RestEnv } from "./answers.ts";
import { repositoryRouter } from "./repository-route.ts";

/** Largest file that an answer contains. GitHub lists larger files without their bytes. */
const LARGEST_CONTENT = 1024 * 1024;
const LINES = /.{1,60}/g;

/**
 * `/repos/…/contents/{path}`: files of the default branch only. The connector does not read folders or other revisions
 * this way.
 */
export function contentRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const route = repositoryRouter(app, world);
  route("GET", "/contents/:path{.+}", { permission: "contents", reach: "read" }, ({ c, repository }) => {
    const path = c.req.param("path") ?? "";
    if (path.split("/").some((part) => ["", ".", ".."].includes(part))) return notFound(c);
    const branch = defaultBranch(world, repository);
    const directory = gitDirectory(world, repository);
    const tip = branchTip(world, repository, branch);
    const row = tip === null ? "" : runGit(directory, ["ls-tree", "-l", "-z", tip, "--", path]);
    const [, blob = "", size = ""] = /^100\d+ blob (\S+)\s+(\d+)\t/.exec(row) ?? [];
    return blob === ""
      ? notFound(c)
      : answer(c, world, repository, { path, branch, blob, size: Number(size) });
  });
  return app;
}

function answer(
  c: RestContext,
  world: GithubWorld,
  repository: Repository,
  { path, branch, blob, size }: { path: string; branch: string; blob: string; size: number },
): Response {
  const isSent = size <= LARGEST_CONTENT;
  const base64 = isSent
    ? Buffer.from(runGit(gitDirectory(world, repository), ["cat-file", "blob", blob])).toString("base64")
    : "";
  const place = path.split("/").map(encodeURIComponent).join("/");
  const page = `${world.webUrl}/${fullName(repository)}`;
  const links = {
    self: `${repositoryUrl(world, repository)}/contents/${place}?ref=${encodeURIComponent(branch)}`,
    git: `${repositoryUrl(world, repository)}/git/blobs/${blob}`,
    html: `${page}/blob/${branch}/${place}`,
  };
  return c.json({
    type: "file",
    encoding: isSent ? "base64" : "none",
    size,
    name: path.split("/").at(-1) ?? "",
    path,
    content: base64.replace(LINES, "$&\n"),
    sha: blob,
    url: links.self,
    git_url: links.git,
    html_url: links.html,
    download_url: `${page}/raw/${branch}/${place}`,
    _links: links,
  });
}
