import { Hono } from "hono";
import { z } from "zod";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { nodeId, renderFullRepository } from "../render.ts";
import {
  createRepository,
  deleteRepository,
  fullName,
  gitDirectory,
  listRefs,
  lookUpRepository,
  renameRepository,
  safeName,
} from "../repositories.ts";
import { type Account, findAccount, type GithubWorld, type Repository, timestamp } from "../state.ts";
import {
  notFound,
  page,
  problem,
  type RestContext,
  type RestEnv,
  reachRepository,
  readBody,
  requiresAuthentication,
} from "./answers.ts";
import { mayCreateFor } from "./users.ts";

const flags = {
  homepage: z.string().nullable().optional(),
  private: z.boolean().optional(),
  visibility: z.enum(["public", "private"]).optional(),
  has_issues: z.boolean().optional(),
  has_projects: z.boolean().optional(),
  has_wiki: z.boolean().optional(),
  has_discussions: z.boolean().optional(),
};
const creation = z.object({
  ...flags,
  name: z.string(),
  description: z.string().nullable().optional(),
  auto_init: z.literal(false, "the simulator makes no first commit").optional(),
});
const change = z.object({
  ...flags,
  name: z.string().optional(),
  description: z.string().nullable().optional(),
  default_branch: z.string().optional(),
  archived: z.boolean().optional(),
  allow_squash_merge: z.boolean().optional(),
  allow_merge_commit: z.boolean().optional(),
  allow_rebase_merge: z.boolean().optional(),
  allow_auto_merge: z.boolean().optional(),
  delete_branch_on_merge: z.boolean().optional(),
  allow_update_branch: z.boolean().optional(),
  is_template: z.boolean().optional(),
  web_commit_signoff_required: z.boolean().optional(),
});
/** Settings that are stored as sent. */
const KEPT = [
  "allow_squash_merge",
  "allow_merge_commit",
  "allow_rebase_merge",
  "allow_auto_merge",
  "delete_branch_on_merge",
  "allow_update_branch",
  "is_template",
  "web_commit_signoff_required",
] as const;
const topics = z.object({ names: z.array(z.string().regex(/^[a-z0-9][a-z0-9-]{0,49}$/)).max(20) });
const actionsPermissions = z.strictObject({
  enabled: z.boolean(),
  allowed_actions: z.enum(["all", "local_only", "selected"]).optional(),
  sha_pinning_required: z.boolean().optional(),
});

const BASES = ["/repos/:owner/:repo", "/repositories/:id{[0-9]+}"] as const;

/** `/repos…`, the same by id below `/repositories`, and the creation of repositories. */
export function repositoryRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.post("/user/repos", (c) => {
    const viewer = c.get("viewer");
    if (viewer.kind === "installation") return problem(c, 403, "Resource not accessible by integration");
    return viewer.kind === "user" ? create(c, world, viewer.account) : requiresAuthentication(c);
  });
  app.post("/orgs/:org/repos", (c) => {
    const account = findAccount(world, c.req.param("org"));
    return account?.type === "Organization" ? create(c, world, account) : notFound(c);
  });
  for (const base of BASES) {
    app.get(base, (c) => {
      const repository = reachRepository(c, world, "read");
      if (repository instanceof Response) return repository;
      return c.json(renderFullRepository(world, c.get("viewer"), repository));
    });
    app.patch(base, (c) => edit(c, world));
    app.delete(base, (c) => {
      const repository = reachRepository(c, world, "admin");
      if (repository instanceof Response) return repository;
      deleteRepository(world, repository);
      return c.body(null, 204);
    });
    app.get(`${base}/topics`, (c) => {
      const repository = reachRepository(c, world, "read");
      return repository instanceof Response ? repository : c.json({ names: repository.topics });
    });
    app.put(`${base}/topics`, async (c) => {
      const repository = reachRepository(c, world, "admin");
      if (repository instanceof Response) return repository;
      const body = await readBody(c, world, topics);
      if (body instanceof Response) return body;
      repository.topics = body.names;
      world.save();
      return c.json({ names: repository.topics });
    });
    app.put(`${base}/actions/permissions`, async (c) => {
      const repository = reachRepository(c, world, "admin");
      if (repository instanceof Response) return repository;
      const body = await readBody(c, world, actionsPermissions);
      if (body instanceof Response) return body;
      repository.isActionsEnabled = body.enabled;
      world.save();
      return c.body(null, 204);
    });
    app.get(`${base}/branches`, (c) => listBranches(c, world));
    app.get(`${base}/tags`, (c) => listTags(c, world));
  }
  return app;
}

async function create(c: RestContext, world: GithubWorld, owner: Account): Promise<Response> {
  const viewer = c.get("viewer");
  if (viewer.kind === "anonymous" || viewer.kind === "app") return requiresAuthentication(c);
  if (!mayCreateFor(viewer, owner)) {
    return problem(c, 403, "You need admin access to the organization before adding a repository to it.");
  }
  const body = await readBody(c, world, creation);
  if (body instanceof Response) return body;
  const fault = nameFault(world, owner.login, body.name, null) ?? descriptionFault(body.description);
  if (fault) {
    return problem(c, 422, "Repository creation failed.", {
      errors: [{ resource: "Repository", code: "custom", ...fault }],
    });
  }
  const isPrivate = body.private ?? body.visibility === "private";
  const repository = createRepository(world, {
    owner: owner.login,
    name: safeName(body.name),
    description: body.description ?? null,
    homepage: body.homepage || null,
    visibility: isPrivate ? "private" : "public",
    hasIssues: body.has_issues ?? true,
    hasProjects: body.has_projects ?? true,
    hasWiki: body.has_wiki ?? true,
    hasDiscussions: body.has_discussions ?? false,
  });
  c.header("Location", `${world.apiUrl}/repos/${fullName(repository)}`);
  return c.json(renderFullRepository(world, viewer, repository), 201);
}

async function edit(c: RestContext, world: GithubWorld): Promise<Response> {
  const repository = reachRepository(c, world, "admin");
  if (repository instanceof Response) return repository;
  const body = await readBody(c, world, change);
  if (body instanceof Response) return body;
  if (repository.isArchived && body.archived !== false) {
    return problem(c, 403, "Repository was archived so is read-only.");
  }
  const fault =
    (body.name === undefined ? null : nameFault(world, repository.owner, body.name, repository)) ??
    descriptionFault(body.description) ??
    branchFault(world, repository, body.default_branch);
  if (fault) {
    const errors = [{ resource: "Repository", code: "custom", ...fault }];
    return problem(c, 422, "Validation Failed", { errors });
  }
  if (body.name !== undefined && safeName(body.name) !== repository.name) {
    renameRepository(world, repository, safeName(body.name));
  }
  if (body.default_branch !== undefined) {
    runGit(gitDirectory(world, repository), ["symbolic-ref", "HEAD", `refs/heads/${body.default_branch}`]);
  }
  if (body.description !== undefined) repository.description = body.description;
  if (body.homepage !== undefined) repository.homepage = body.homepage || null;
  if (body.private !== undefined) repository.visibility = body.private ? "private" : "public";
  if (body.visibility !== undefined) repository.visibility = body.visibility;
  repository.isArchived = body.archived ?? repository.isArchived;
  repository.hasIssues = body.has_issues ?? repository.hasIssues;
  repository.hasProjects = body.has_projects ?? repository.hasProjects;
  repository.hasWiki = body.has_wiki ?? repository.hasWiki;
  repository.hasDiscussions = body.has_discussions ?? repository.hasDiscussions;
  const { merging } = world.records.of(repository).settings;
  for (const name of KEPT) if (body[name] !== undefined) merging[name] = body[name];
  repository.updatedAt = timestamp();
  world.records.save(repository);
  world.save();
  return c.json(renderFullRepository(world, c.get("viewer"), repository));
}

function listBranches(c: RestContext, world: GithubWorld): Response {
  const repository = reachRepository(c, world, "read");
  if (repository instanceof Response) return repository;
  const { protections } = world.records.of(repository).settings;
  const asked = c.req.query("protected");
  return page(
    c,
    world,
    listRefs(world, repository, "refs/heads/").filter(
      ({ name }) => asked === undefined || String(protections[name] !== undefined) === asked,
    ),
    ({ name, commit }) => ({
      name,
      commit: commitLink(world, repository, commit),
      protected: protections[name] !== undefined,
    }),
    { path: `/repositories/${repository.id}/branches` },
  );
}

function listTags(c: RestContext, world: GithubWorld): Response {
  const repository = reachRepository(c, world, "read");
  if (repository instanceof Response) return repository;
  const url = `${world.apiUrl}/repos/${fullName(repository)}`;
  return page(
    c,
    world,
    listRefs(world, repository, "refs/tags/").reverse(),
    ({ name, commit }) => ({
      name,
      zipball_url: `${url}/zipball/refs/tags/${name}`,
      tarball_url: `${url}/tarball/refs/tags/${name}`,
      commit: commitLink(world, repository, commit),
      node_id: nodeId("REF", `${repository.id}:refs/tags/${name}`),
    }),
    { path: `/repositories/${repository.id}/tags` },
  );
}

function commitLink(world: GithubWorld, repository: Repository, sha: string): { sha: string; url: string } {
  return { sha, url: `${world.apiUrl}/repos/${fullName(repository)}/commits/${sha}` };
}

function nameFault(
  world: GithubWorld,
  owner: string,
  name: string,
  self: Repository | null,
): { field: string; message: string } | null {
  if (name === "") return { field: "name", message: "name is too short (minimum is 1 character)" };
  if (name.length > 100) return { field: "name", message: "name is too long (maximum is 100 characters)" };
  if (/^\.{1,2}$|\.(git|wiki)$/i.test(name)) return { field: "name", message: "name is reserved" };
  const taken = lookUpRepository(world, owner, safeName(name));
  if (taken.kind === "found" && taken.repository !== self) {
    return { field: "name", message: "name already exists on this account" };
  }
  return null;
}

function descriptionFault(description: string | null | undefined): { field: string; message: string } | null {
  if (!description) return null;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what GitHub forbids
  if (/[\u0000-\u001f]/.test(description)) {
    return { field: "description", message: "description control characters are not allowed" };
  }
  if (description.length <= 350) return null;
  return { field: "description", message: "description is too long (maximum is 350 characters)" };
}

function branchFault(
  world: GithubWorld,
  repository: Repository,
  branch: string | undefined,
): { field: string; message: string } | null {
  if (branch === undefined) return null;
  if (listRefs(world, repository, "refs/heads/").some(({ name }) => name === branch)) return null;
  return {
    field: "default_branch",
    message: `The branch ${branch} was not found. Please push that ref first or create it via the Git Data API.`,
  };
}
