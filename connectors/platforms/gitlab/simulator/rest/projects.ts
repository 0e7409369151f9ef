import { Hono } from "hono";
import { z } from "zod";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { LEVEL, levelIn } from "../access.ts";
import { listRefs } from "../bare.ts";
import { findNamespace, findUser, membershipsOf, namespaceById, namespaceId } from "../namespaces.ts";
import {
  codeDirectory,
  createProject,
  deleteProject,
  fullPath,
  listProjects,
  markForDeletion,
  moveProject,
} from "../projects.ts";
import { type GitlabWorld, type Project, timestamp } from "../state.ts";
import { fault, forbidden, notFound, problem, type RestContext, type RestEnv } from "./answers.ts";
import { page } from "./pages.ts";
import { bool, csv, int, readParameters, text } from "./parameters.ts";
import { projectFilters, selectProjects } from "./project-lists.ts";
import { mayCreateIn, nameFaults, slug } from "./project-names.ts";
import { reachProject, requireUser } from "./reach.ts";
import { renderProject, renderSimpleProject } from "./render-project.ts";
import { renderMember } from "./render-users.ts";

const access = z.enum(["disabled", "private", "enabled"]).optional();
const settings = {
  description: text.nullable().optional(),
  visibility: z.enum(["private", "internal", "public"]).optional(),
  topics: csv.optional(),
  tag_list: csv.optional(),
  default_branch: text.optional(),
  issues_access_level: access,
  merge_requests_access_level: access,
  wiki_access_level: access,
  snippets_access_level: access,
  issues_enabled: bool.optional(),
  merge_requests_enabled: bool.optional(),
  wiki_enabled: bool.optional(),
  snippets_enabled: bool.optional(),
  lfs_enabled: bool.optional(),
  merge_method: z.enum(["merge", "rebase_merge", "ff"]).optional(),
  squash_option: z.enum(["never", "always", "default_on", "default_off"]).optional(),
  only_allow_merge_if_pipeline_succeeds: bool.optional(),
  only_allow_merge_if_all_discussions_are_resolved: bool.optional(),
  remove_source_branch_after_merge: bool.optional(),
  request_access_enabled: bool.optional(),
  jobs_enabled: bool.optional(),
  shared_runners_enabled: bool.optional(),
  auto_devops_enabled: bool.optional(),
  builds_access_level: access,
  repository_access_level: access,
  emails_enabled: bool.optional(),
};
/** Settings that are stored as sent. */
const KEPT = [
  ...["squash_option", "only_allow_merge_if_pipeline_succeeds", "remove_source_branch_after_merge"],
  ...["only_allow_merge_if_all_discussions_are_resolved", "request_access_enabled", "jobs_enabled"],
  ...["shared_runners_enabled", "auto_devops_enabled", "builds_access_level", "emails_enabled"],
  "repository_access_level",
] as const;
const creation = z.object({
  ...settings,
  name: text.optional(),
  path: text.optional(),
  namespace_id: int.optional(),
  initialize_with_readme: bool.optional(),
});
const change = z.object({ ...settings, name: text.optional(), path: text.optional() });

/** `/projects…`: list, read, create, update, move and delete projects; members. */
export function projectRoutes(world: GitlabWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/projects", (c) => list(c, world, listProjects(world)));
  app.get("/users/:user_id/projects", (c) => {
    const user = findUser(world, c.req.param("user_id"));
    if (!user) return notFound(c, "User");
    return list(
      c,
      world,
      listProjects(world).filter(({ namespaceId: id }) => id === user.namespaceId),
    );
  });
  app.post("/projects", (c) => create(c, world));
  app.get("/projects/:id", (c) => {
    const reached = reachProject(c, world);
    if (reached instanceof Response) return reached;
    return c.json(renderProject(c, world, reached.project, { level: reached.level, isSingle: true }));
  });
  app.put("/projects/:id", (c) => edit(c, world));
  app.delete("/projects/:id", (c) => remove(c, world));
  app.post("/projects/:id/archive", (c) => setArchived(c, world, true));
  app.post("/projects/:id/unarchive", (c) => setArchived(c, world, false));
  app.post("/projects/:id/restore", (c) => {
    const reached = reachProject(c, world, LEVEL.owner);
    if (reached instanceof Response) return reached;
    reached.project.markedForDeletionOn = null;
    const suffix = `-deletion_scheduled-${reached.project.id}`;
    reached.project.path = reached.project.path.replace(suffix, "");
    reached.project.name = reached.project.name.replace(suffix, "");
    world.save();
    return c.json(renderProject(c, world, reached.project, { level: reached.level }), 201);
  });
  app.put("/projects/:id/transfer", (c) => transfer(c, world));
  for (const [path, isDirect] of [
    ["/projects/:id/members", true],
    ["/projects/:id/members/all", false],
  ] as const) {
    app.get(path, (c) => {
      const reached = reachProject(c, world);
      if (reached instanceof Response) return reached;
      const members = membershipsOf(world, reached.project, isDirect);
      return page(c, world, members, (membership) => renderMember(world, membership));
    });
  }
  app.get("/projects/:id/languages", (c) => {
    const reached = reachProject(c, world);
    return reached instanceof Response ? reached : c.json({});
  });
  return app;
}

async function list(c: RestContext, world: GitlabWorld, among: readonly Project[]): Promise<Response> {
  const query = await readParameters(c, world, projectFilters);
  if (query instanceof Response) return query;
  const viewer = c.get("viewer");
  if (viewer.kind === "anonymous" && (query.membership || query.owned)) {
    return problem(c, 401, "401 Unauthorized");
  }
  const found = selectProjects(world, viewer, among, query);
  return page(
    c,
    world,
    found,
    (project) =>
      query.simple || viewer.kind === "anonymous"
        ? renderSimpleProject(world, project)
        : renderProject(c, world, project, { level: levelIn(world, viewer, project) }),
    { limited: "Project", keyset: ({ id }) => id },
  );
}

async function create(c: RestContext, world: GitlabWorld): Promise<Response> {
  const user = requireUser(c);
  if (user instanceof Response) return user;
  const body = await readParameters(c, world, creation);
  if (body instanceof Response) return body;
  if (body.name === undefined && body.path === undefined) {
    return fault(c, world, 400, { error: "name, path are missing, at least one parameter must be provided" });
  }
  const name = body.name ?? body.path ?? "";
  const path = body.path ?? slug(name);
  const namespace =
    body.namespace_id === undefined
      ? { kind: "user" as const, user }
      : namespaceById(world, body.namespace_id);
  if (!namespace || !mayCreateIn(c, world, namespace, user)) {
    return problem(c, 400, { namespace: ["is not valid"], limit_reached: [] });
  }
  const faults = nameFaults(world, namespaceId(namespace), { name, path }, null);
  if (faults) return problem(c, 400, faults);
  const project = createProject(world, {
    namespaceId: namespaceId(namespace),
    name,
    path,
    creatorId: user.id,
  });
  apply(project, body);
  if (body.default_branch)
    runGit(codeDirectory(world, project), ["symbolic-ref", "HEAD", `refs/heads/${body.default_branch}`]);
  world.save();
  return c.json(renderProject(c, world, project, { level: LEVEL.owner }), 201);
}

async function edit(c: RestContext, world: GitlabWorld): Promise<Response> {
  const reached = reachProject(c, world, LEVEL.maintainer);
  if (reached instanceof Response) return reached;
  const { project, level } = reached;
  const body = await readParameters(c, world, change);
  if (body instanceof Response) return body;
  const isRenaming = body.name !== undefined || body.path !== undefined || body.visibility !== undefined;
  if (isRenaming && level < LEVEL.owner) return forbidden(c);
  const wanted = { name: body.name ?? project.name, path: body.path ?? project.path };
  const faults = nameFaults(world, project.namespaceId, wanted, project);
  if (faults) return problem(c, 400, faults);
  if (body.default_branch !== undefined && body.default_branch !== "") {
    const directory = codeDirectory(world, project);
    const exists = listRefs(directory, "refs/heads/").some(({ name }) => name === body.default_branch);
    if (!exists)
      return problem(c, 400, {
        base: [
          `Could not set the default branch. Do you have a branch named '${body.default_branch}' in your repository?`,
        ],
      });
    runGit(directory, ["symbolic-ref", "HEAD", `refs/heads/${body.default_branch}`]);
  }
  if (body.name !== undefined) project.name = body.name;
  if (body.path !== undefined) moveProject(world, project, { path: body.path });
  apply(project, body);
  project.updatedAt = timestamp();
  world.save();
  return c.json(renderProject(c, world, project, { level }));
}

/** Marks a project for deletion. Only a marked project can be removed at once, and only by its full path. */
async function remove(c: RestContext, world: GitlabWorld): Promise<Response> {
  const reached = reachProject(c, world, LEVEL.owner, { isAllowedArchived: true });
  if (reached instanceof Response) return reached;
  const { project } = reached;
  const parameters = z.object({ permanently_remove: bool.optional(), full_path: text.optional() });
  const body = await readParameters(c, world, parameters);
  if (body instanceof Response) return body;
  if (body.permanently_remove) {
    if (project.markedForDeletionOn === null) {
      return problem(c, 400, "Project must be marked for deletion first.");
    }
    if (body.full_path !== fullPath(world, project)) {
      return problem(c, 400, "`full_path` is incorrect. You must enter the complete path for the project.");
    }
    deleteProject(world, project);
  } else if (project.markedForDeletionOn !== null) {
    return problem(c, 400, "Project has already been marked for deletion");
  } else markForDeletion(world, project);
  return c.json({ message: "202 Accepted" }, 202);
}

function setArchived(c: RestContext, world: GitlabWorld, isArchived: boolean): Response {
  const reached = reachProject(c, world, LEVEL.owner, { isAllowedArchived: true });
  if (reached instanceof Response) return reached;
  reached.project.isArchived = isArchived;
  reached.project.updatedAt = timestamp();
  world.save();
  return c.json(renderProject(c, world, reached.project, { level: reached.level }), 201);
}

async function transfer(c: RestContext, world: GitlabWorld): Promise<Response> {
  const reached = reachProject(c, world, LEVEL.owner);
  if (reached instanceof Response) return reached;
  const body = await readParameters(c, world, z.object({ namespace: text }));
  if (body instanceof Response) return body;
  const namespace = findNamespace(world, body.namespace);
  const user = requireUser(c);
  if (user instanceof Response) return user;
  if (!namespace || !mayCreateIn(c, world, namespace, user)) return notFound(c, "Namespace");
  const { name, path } = reached.project;
  const faults = nameFaults(world, namespaceId(namespace), { name, path }, reached.project);
  if (faults) return problem(c, 400, "Project with same name or path in target namespace already exists");
  moveProject(world, reached.project, { namespaceId: namespaceId(namespace) });
  return c.json(renderProject(c, world, reached.project, { level: reached.level }));
}

function apply(project: Project, body: Omit<z.output<typeof change>, "name" | "path">): void {
  const level = (
    wanted: Project["wikiAccess"] | undefined,
    isEnabled: boolean | undefined,
    now: Project["wikiAccess"],
  ) => wanted ?? (isEnabled === undefined ? now : isEnabled ? "enabled" : "disabled");
  if (body.description !== undefined) project.description = body.description;
  project.visibility = body.visibility ?? project.visibility;
  project.topics = body.topics ?? body.tag_list ?? project.topics;
  project.issuesAccess = level(body.issues_access_level, body.issues_enabled, project.issuesAccess);
  project.mergeRequestsAccess = level(
    body.merge_requests_access_level,
    body.merge_requests_enabled,
    project.mergeRequestsAccess,
  );
  project.wikiAccess = level(body.wiki_access_level, body.wiki_enabled, project.wikiAccess);
  project.snippetsAccess = level(body.snippets_access_level, body.snippets_enabled, project.snippetsAccess);
  project.hasLfs = body.lfs_enabled ?? project.hasLfs;
  project.mergeMethod = body.merge_method ?? project.mergeMethod;
  for (const name of KEPT) if (body[name] !== undefined) project.settings[name] = body[name];
}
