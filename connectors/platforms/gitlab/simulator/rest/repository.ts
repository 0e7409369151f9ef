import { Hono } from "hono";
import { z } from "zod";
import { readGitBlob, runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { LEVEL, mayReadCode } from "../access.ts";
import { type BareRef, headBranch, isEmptyBare, listRefs, resolveCommit } from "../bare.ts";
import { followSourceBranches } from "../merge-request-refs.ts";
import { codeDirectory, fullPath, touchProject } from "../projects.ts";
import type { GitlabWorld, Project } from "../state.ts";
import { type Body, forbidden, notFound, problem, type RestContext, type RestEnv } from "./answers.ts";
import { page } from "./pages.ts";
import { bool, int, readParameters, text } from "./parameters.ts";
import { reachProject } from "./reach.ts";
import { readCommit, readCommits } from "./render-commit.ts";

const BASE = "/projects/:id/repository";

/** `/projects/:id/repository/…`: branches, tags, commits, trees and files. */
export function repositoryRoutes(world: GitlabWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get(`${BASE}/branches`, async (c) => {
    const code = reachCode(c, world);
    if (code instanceof Response) return code;
    const query = await readParameters(
      c,
      world,
      z.object({ search: z.string().optional(), regex: z.string().optional() }),
    );
    if (query instanceof Response) return query;
    const branches = listRefs(code.directory, "refs/heads/").filter(({ name }) =>
      name.includes(query.search ?? ""),
    );
    return page(c, world, branches, (branch) => renderBranch(world, code, branch));
  });
  app.post(`${BASE}/branches`, (c) => createRef(c, world, "refs/heads/"));
  app.get(`${BASE}/branches/:branch`, (c) => {
    const code = reachCode(c, world);
    if (code instanceof Response) return code;
    const branch = listRefs(code.directory, "refs/heads/").find(({ name }) => name === c.req.param("branch"));
    return branch ? c.json(renderBranch(world, code, branch)) : notFound(c, "Branch");
  });
  app.delete(`${BASE}/branches/:branch`, (c) => deleteRef(c, world, "refs/heads/", c.req.param("branch")));
  app.get(`${BASE}/tags`, async (c) => {
    const code = reachCode(c, world);
    if (code instanceof Response) return code;
    const query = await readParameters(c, world, z.object({ search: z.string().optional() }));
    if (query instanceof Response) return query;
    const tags = listRefs(code.directory, "refs/tags/").filter(({ name }) =>
      name.includes(query.search ?? ""),
    );
    return page(c, world, tags.reverse(), (tag) => renderTag(world, code, tag));
  });
  app.post(`${BASE}/tags`, (c) => createRef(c, world, "refs/tags/"));
  app.get(`${BASE}/tags/:tag`, (c) => {
    const code = reachCode(c, world);
    if (code instanceof Response) return code;
    const tag = listRefs(code.directory, "refs/tags/").find(({ name }) => name === c.req.param("tag"));
    return tag ? c.json(renderTag(world, code, tag)) : notFound(c, "Tag");
  });
  app.delete(`${BASE}/tags/:tag`, (c) => deleteRef(c, world, "refs/tags/", c.req.param("tag")));
  app.get(`${BASE}/commits`, (c) => listCommits(c, world));
  app.get(`${BASE}/commits/:sha`, (c) => {
    const code = reachCode(c, world);
    if (code instanceof Response) return code;
    const sha = resolveCommit(code.directory, c.req.param("sha"));
    const commit = sha === null ? null : readCommit(code.directory, code.webUrl, sha);
    return commit ? c.json(commit) : notFound(c, "Commit");
  });
  app.get(`${BASE}/tree`, (c) => listTree(c, world));
  app.get(`${BASE}/files/:path/raw`, (c) => readFile(c, world, true));
  app.get(`${BASE}/files/:path`, (c) => readFile(c, world, false));
  return app;
}

type ReachedCode = { project: Project; level: number; directory: string; webUrl: string };

/** The repository of the path, if the viewer may read its code; else the refusal. */
export function reachCode(c: RestContext, world: GitlabWorld, needs = 1): ReachedCode | Response {
  const reached = reachProject(c, world, needs);
  if (reached instanceof Response) return reached;
  if (!mayReadCode(reached.project, reached.level)) return forbidden(c);
  const { project } = reached;
  const webUrl = `${world.url}/${fullPath(world, project)}`;
  return { ...reached, directory: codeDirectory(world, project), webUrl };
}

function isProtected(project: Project, branch: string): boolean {
  return project.protectedBranches.some(({ name }) => {
    const pattern = name.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
    return new RegExp(`^${pattern}$`).test(branch);
  });
}

function renderBranch(world: GitlabWorld, code: ReachedCode, { name, commit }: BareRef): Body {
  const isGuarded = isProtected(code.project, name);
  return {
    name,
    commit: readCommit(code.directory, code.webUrl, commit),
    merged: false,
    protected: isGuarded,
    developers_can_push: false,
    developers_can_merge: false,
    can_push: code.level >= (isGuarded ? LEVEL.maintainer : LEVEL.developer),
    default: headBranch(code.directory) === name,
    web_url: `${world.url}/${fullPath(world, code.project)}/-/tree/${name}`,
  };
}

function renderTag(world: GitlabWorld, code: ReachedCode, { name, object, commit }: BareRef): Body {
  const release = code.project.releases.find(({ tag }) => tag === name);
  const isAnnotated = object !== commit;
  const message = isAnnotated
    ? runGit(code.directory, ["for-each-ref", "--format=%(contents)", `refs/tags/${name}`]).trimEnd()
    : "";
  return {
    name,
    message,
    target: object,
    commit: readCommit(code.directory, `${world.url}/${fullPath(world, code.project)}`, commit),
    release: release ? { tag_name: name, description: release.description } : null,
    protected: false,
    created_at: null,
  };
}

async function createRef(c: RestContext, world: GitlabWorld, prefix: string): Promise<Response> {
  const code = reachCode(c, world, LEVEL.developer);
  if (code instanceof Response) return code;
  const isBranch = prefix === "refs/heads/";
  const name = isBranch ? { branch: text } : { tag_name: text, message: text.optional() };
  const body = await readParameters(c, world, z.object({ ...name, ref: text }));
  if (body instanceof Response) return body;
  const wanted = "branch" in body ? String(body.branch) : String(body.tag_name);
  const sha = resolveCommit(code.directory, body.ref);
  if (sha === null)
    return problem(
      c,
      400,
      isBranch ? `Invalid reference name: ${body.ref}` : `Target ${body.ref} is invalid`,
    );
  if (listRefs(code.directory, prefix).some((ref) => ref.name === wanted)) {
    return problem(c, 400, isBranch ? "Branch already exists" : `Tag ${wanted} already exists`);
  }
  const message = "message" in body ? (body.message as string | undefined) : undefined;
  if (message) {
    const identity = ["-c", "user.name=GitLab", "-c", "user.email=gitlab@localhost"];
    runGit(code.directory, [...identity, "tag", "-a", "-m", message, wanted, sha]);
  } else runGit(code.directory, ["update-ref", `${prefix}${wanted}`, sha]);
  touchProject(world, code.project);
  const ref = listRefs(code.directory, prefix).find((known) => known.name === wanted);
  if (!ref) return problem(c, 400, "The ref could not be created");
  return c.json(isBranch ? renderBranch(world, code, ref) : renderTag(world, code, ref), 201);
}

function deleteRef(c: RestContext, world: GitlabWorld, prefix: string, name: string): Response {
  const code = reachCode(c, world, LEVEL.developer);
  if (code instanceof Response) return code;
  const isBranch = prefix === "refs/heads/";
  if (!listRefs(code.directory, prefix).some((ref) => ref.name === name)) {
    return notFound(c, isBranch ? "Branch" : "Tag");
  }
  if (isBranch && (headBranch(code.directory) === name || isProtected(code.project, name))) {
    return problem(c, 403, "403 Forbidden - Branch is protected or the default one");
  }
  runGit(code.directory, ["update-ref", "-d", `${prefix}${name}`]);
  followSourceBranches(world, code.project);
  touchProject(world, code.project);
  return c.body(null, 204);
}

async function listCommits(c: RestContext, world: GitlabWorld): Promise<Response> {
  const code = reachCode(c, world);
  if (code instanceof Response) return code;
  const query = await readParameters(
    c,
    world,
    z.object({
      ref_name: text.optional(),
      since: text.optional(),
      until: text.optional(),
      all: bool.optional(),
    }),
  );
  if (query instanceof Response) return query;
  if (isEmptyBare(code.directory)) return c.json([]);
  const sha = resolveCommit(code.directory, query.ref_name ?? headBranch(code.directory));
  if (sha === null) return notFound(c, "Commit");
  const bounds = [query.since ? `--since=${query.since}` : "", query.until ? `--until=${query.until}` : ""];
  const args = [...bounds.filter((bound) => bound !== ""), query.all ? "--all" : sha, "--"];
  return page(c, world, readCommits(code.directory, code.webUrl, args), (commit) => commit);
}

async function listTree(c: RestContext, world: GitlabWorld): Promise<Response> {
  const code = reachCode(c, world);
  if (code instanceof Response) return code;
  const parameters = z.object({
    ref: text.optional(),
    path: text.optional(),
    recursive: bool.optional(),
    page_token: text.optional(),
  });
  const query = await readParameters(c, world, parameters);
  if (query instanceof Response) return query;
  const sha = resolveCommit(code.directory, query.ref ?? headBranch(code.directory));
  if (sha === null) return notFound(c, "Tree");
  const below = query.path ? ["--", `${query.path.replace(/\/+$/, "")}/`] : [];
  const flags = query.recursive ? ["-r", "-t", "-z"] : ["-z"];
  const entries = runGit(code.directory, ["ls-tree", ...flags, sha, ...below])
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => {
      const [, mode = "", type = "", id = "", path = ""] =
        /^(\d+) (\w+) ([0-9a-f]+)\t([\s\S]+)$/.exec(line) ?? [];
      return { id, name: path.split("/").at(-1), type, path, mode };
    });
  return page(c, world, entries, (entry) => entry);
}

async function readFile(c: RestContext, world: GitlabWorld, isRaw: boolean): Promise<Response> {
  const code = reachCode(c, world);
  if (code instanceof Response) return code;
  const query = await readParameters(
    c,
    world,
    z.object({ ref: text.optional(), lfs: bool.optional(), size: int.optional() }),
  );
  if (query instanceof Response) return query;
  const path = c.req.param("path") ?? "";
  const sha = resolveCommit(code.directory, query.ref ?? headBranch(code.directory));
  if (sha === null) return notFound(c, "Commit");
  const blob = runGit(code.directory, ["ls-tree", sha, "--", path]).split(/\s+/);
  const id = blob[2];
  if (id === undefined || blob[1] !== "blob") return notFound(c, "File");
  const content = readGitBlob(code.directory, id);
  if (isRaw) return c.body(content, 200, { "Content-Type": "text/plain; charset=utf-8" });
  return c.json({
    file_name: path.split("/").at(-1),
    file_path: path,
    size: content.length,
    encoding: "base64",
    content: content.toString("base64"),
    ref: query.ref ?? headBranch(code.directory),
    blob_id: id,
    commit_id: sha,
    last_commit_id: sha,
    execute_filemode: blob[0] === "100755",
  });
}
