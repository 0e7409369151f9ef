import { Hono } from "hono";
import { z } from "zod";
import { LEVEL, levelIn, levelInGroup } from "../access.ts";
import { ancestry, createGroup, descendants, findNamespace, groupName, strongest } from "../namespaces.ts";
import { listProjects } from "../projects.ts";
import { type GitlabWorld, type Group, timestamp } from "../state.ts";
import { forbidden, problem, type RestContext, type RestEnv } from "./answers.ts";
import { ordered, page } from "./pages.ts";
import { bool, csv, int, readParameters, text } from "./parameters.ts";
import { projectFilters, selectProjects } from "./project-lists.ts";
import { reachGroup, requireUser } from "./reach.ts";
import { renderProject, renderSimpleProject } from "./render-project.ts";
import { renderGroup, renderMember } from "./render-users.ts";

const filters = z.object({
  search: z.string().optional(),
  owned: bool.optional(),
  min_access_level: int.optional(),
  top_level_only: bool.optional(),
  all_available: bool.optional(),
  skip_groups: csv.optional(),
  visibility: z.enum(["private", "internal", "public"]).optional(),
  order_by: z.enum(["name", "path", "id", "similarity"]).default("name"),
  sort: z.enum(["asc", "desc"]).default("asc"),
  active: bool.optional(),
});
const creation = z.object({
  name: text,
  path: text,
  parent_id: int.optional(),
  description: text.optional(),
  visibility: z.enum(["private", "internal", "public"]).default("private"),
});

/** `/groups…`: groups, their subgroups, projects and members. */
export function groupRoutes(world: GitlabWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/groups", (c) => listGroups(c, world, world.state.groups));
  app.post("/groups", async (c) => create(c, world));
  app.get("/groups/:id", (c) => {
    const reached = reachGroup(c, world);
    return reached instanceof Response ? reached : c.json(renderGroup(world, reached.group));
  });
  app.get("/groups/:id/subgroups", (c) => {
    const reached = reachGroup(c, world);
    if (reached instanceof Response) return reached;
    return listGroups(
      c,
      world,
      world.state.groups.filter(({ parentId }) => parentId === reached.group.id),
    );
  });
  app.get("/groups/:id/descendant_groups", (c) => {
    const reached = reachGroup(c, world);
    return reached instanceof Response ? reached : listGroups(c, world, descendants(world, reached.group));
  });
  app.get("/groups/:id/projects", async (c) => {
    const reached = reachGroup(c, world);
    if (reached instanceof Response) return reached;
    const extended = projectFilters.extend({
      include_subgroups: bool.optional(),
      with_shared: bool.optional(),
    });
    const query = await readParameters(c, world, extended);
    if (query instanceof Response) return query;
    const within = [reached.group, ...(query.include_subgroups ? descendants(world, reached.group) : [])];
    const numbers = new Set(within.map(({ id }) => id));
    const inside = listProjects(world).filter(({ namespaceId }) => numbers.has(namespaceId));
    const found = selectProjects(world, c.get("viewer"), inside, query);
    return page(
      c,
      world,
      found,
      (project) =>
        query.simple
          ? renderSimpleProject(world, project)
          : renderProject(c, world, project, { level: levelIn(world, c.get("viewer"), project) }),
      { limited: "Project", keyset: ({ id }) => id },
    );
  });
  app.get("/groups/:id/members", (c) => {
    const reached = reachGroup(c, world);
    if (reached instanceof Response) return reached;
    return page(c, world, reached.group.members, (membership) => renderMember(world, membership));
  });
  app.get("/groups/:id/members/all", (c) => {
    const reached = reachGroup(c, world);
    if (reached instanceof Response) return reached;
    const everybody = strongest(ancestry(world, reached.group).flatMap(({ members }) => members));
    return page(c, world, everybody, (membership) => renderMember(world, membership));
  });
  return app;
}

async function listGroups(c: RestContext, world: GitlabWorld, among: readonly Group[]): Promise<Response> {
  const query = await readParameters(c, world, filters);
  if (query instanceof Response) return query;
  const viewer = c.get("viewer");
  // Without filters, the viewer sees their own groups and the public ones.
  const least = query.owned ? LEVEL.owner : (query.min_access_level ?? 1);
  const search = query.search?.toLowerCase() ?? "";
  const found = among
    .filter((group) => levelInGroup(world, viewer, group) >= least)
    .filter(({ parentId }) => !query.top_level_only || parentId === null)
    .filter(({ id }) => !query.skip_groups?.includes(String(id)))
    .filter(({ visibility }) => query.visibility === undefined || visibility === query.visibility)
    .filter(({ name, path }) => `${name} ${path}`.toLowerCase().includes(search));
  const key = (group: Group) => (query.order_by === "id" ? group.id : groupName(world, group).toLowerCase());
  return page(c, world, ordered(found, key, query.sort), (group) => renderGroup(world, group), {
    limited: "Group",
  });
}

async function create(c: RestContext, world: GitlabWorld): Promise<Response> {
  const user = requireUser(c);
  if (user instanceof Response) return user;
  const body = await readParameters(c, world, creation);
  if (body instanceof Response) return body;
  const parent = world.state.groups.find(({ id }) => id === body.parent_id);
  if (
    body.parent_id !== undefined &&
    (!parent || levelInGroup(world, c.get("viewer"), parent) < LEVEL.maintainer)
  ) {
    return forbidden(c);
  }
  // GitLab.com does not create top-level groups through the API.
  if (!parent) return problem(c, 403, "403 Forbidden");
  const taken = findNamespace(world, `${parent.path}/${body.path}`);
  if (taken) return problem(c, 400, 'Failed to save group {:path=>["has already been taken"]}');
  const members = [{ userId: user.id, level: LEVEL.owner, createdAt: timestamp(), expiresAt: null }];
  const { name, path, description, visibility } = body;
  const group = createGroup(world, {
    name,
    path,
    description: description ?? "",
    visibility,
    parentId: parent.id,
    members,
  });
  return c.json(renderGroup(world, group), 201);
}
