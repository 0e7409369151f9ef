import { Hono } from "hono";
import { canSeeProject, hasGlobal, hasPermission } from "../permissions.ts";
import { missing } from "../refused.ts";
import { renderComponentWhole, renderIssueType, renderStatus, renderVersion } from "../render-config.ts";
import { avatars } from "../render-people.ts";
import { renderProject, renderProjectListed } from "../render-project.ts";
import type { Actor, Project } from "../state.ts";
import { byId, personOf, typesOf, workflowOf } from "../store.ts";
import type { Viewer } from "../viewer.ts";
import { expandOf, listOf, pageOf, projectIn, type RestEnv } from "./reach.ts";

/** Projects, and what belongs to them. */
export function projectRoutes(): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/project/search", (c) => {
    const viewer = c.get("viewer");
    const expand = expandOf(c.req.query("expand"));
    const found = searchProjects(viewer, {
      query: (c.req.query("query") ?? "").toLowerCase(),
      types: listOf(c, "typeKey"),
      keys: listOf(c, "keys"),
      ids: listOf(c, "id"),
      statuses: listOf(c, "status"),
      action: c.req.query("action") ?? "view",
      orderBy: c.req.query("orderBy") ?? "key",
    });
    return c.json(
      pageOf(
        c,
        found.map((project) => renderProjectListed(viewer, project, expand)),
      ),
    );
  });
  app.get("/project/:key", (c) => {
    const viewer = c.get("viewer");
    return c.json(renderProject(viewer, projectIn(viewer, c.req.param("key"))));
  });
  app.get("/project/:key/statuses", (c) => {
    const viewer = c.get("viewer");
    const project = projectIn(viewer, c.req.param("key"));
    return c.json(
      typesOf(viewer.site, project).map((type) => {
        const { self, id, name, subtask } = renderIssueType(viewer, type);
        const { statusIds } = workflowOf(viewer.site, project, type.id);
        const statuses = statusIds.map((one) => renderStatus(viewer, byId(viewer.site.statuses, one)));
        return { self, id, name, subtask, statuses };
      }),
    );
  });
  app.get("/project/:key/components", (c) => {
    const viewer = c.get("viewer");
    const project = projectIn(viewer, c.req.param("key"));
    return c.json(project.components.map((component) => renderComponentWhole(viewer, project, component)));
  });
  app.get("/project/:key/versions", (c) => {
    const viewer = c.get("viewer");
    const project = projectIn(viewer, c.req.param("key"));
    return c.json(project.versions.map((version) => renderVersion(viewer, version, project)));
  });
  app.get("/project/:key/version", (c) => {
    const viewer = c.get("viewer");
    const project = projectIn(viewer, c.req.param("key"));
    return c.json(
      pageOf(
        c,
        project.versions.map((version) => renderVersion(viewer, version, project)),
      ),
    );
  });
  app.get("/project/:key/role", (c) => {
    const viewer = c.get("viewer");
    const project = projectIn(viewer, c.req.param("key"));
    const at = `${viewer.base}/rest/api/3/project/${project.id}/role`;
    return c.json(Object.fromEntries(viewer.site.roles.map(({ id, name }) => [name, `${at}/${id}`])));
  });
  app.get("/project/:key/role/:id", (c) => {
    const viewer = c.get("viewer");
    const project = projectIn(viewer, c.req.param("key"));
    return c.json(renderRole(viewer, project, c.req.param("id")));
  });
  app.get("/project/:key/features", (c) => {
    const viewer = c.get("viewer");
    const project = projectIn(viewer, c.req.param("key"));
    return c.json({
      features: project.features.map(({ feature, isEnabled }) => ({
        projectId: Number(project.id),
        state: isEnabled ? "ENABLED" : "DISABLED",
        toggleLocked: false,
        feature,
        prerequisites: [],
        localisedName: feature,
        localisedDescription: "",
        imageUri: "",
      })),
    });
  });
  app.get("/project/:key/properties", (c) => {
    const viewer = c.get("viewer");
    const project = projectIn(viewer, c.req.param("key"));
    const at = `${viewer.base}/rest/api/3/project/${project.id}/properties`;
    return c.json({
      keys: Object.keys(project.properties).map((key) => ({ self: `${at}/${encodeURIComponent(key)}`, key })),
    });
  });
  app.get("/project/:key/properties/:property", (c) => {
    const { properties } = projectIn(c.get("viewer"), c.req.param("key"));
    const key = c.req.param("property");
    if (!(key in properties)) throw missing("The property was not found.");
    return c.json({ key, value: properties[key] });
  });
  return app;
}

function searchProjects(
  viewer: Viewer,
  order: {
    query: string;
    types: string[];
    keys: string[];
    ids: string[];
    statuses: string[];
    action: string;
    orderBy: string;
  },
): Project[] {
  const statuses = order.statuses.length === 0 ? ["live"] : order.statuses;
  const found = viewer.site.projects.filter((project) => {
    if (!isShown(viewer, project, order.action)) return false;
    const status = project.trashedAt !== null ? "deleted" : project.isArchived ? "archived" : "live";
    if (!statuses.includes(status)) return false;
    if (order.types.length > 0 && !order.types.includes(project.typeKey)) return false;
    if (order.keys.length > 0 && !order.keys.includes(project.key)) return false;
    if (order.ids.length > 0 && !order.ids.includes(project.id)) return false;
    return (
      project.key.toLowerCase().includes(order.query) || project.name.toLowerCase().includes(order.query)
    );
  });
  const isDown = order.orderBy.startsWith("-");
  const by = order.orderBy.replace(/^[-+]/, "") === "name" ? "name" : "key";
  return found.sort((one, other) => one[by].localeCompare(other[by]) * (isDown ? -1 : 1));
}

function isShown(viewer: Viewer, project: Project, action: string): boolean {
  if (project.trashedAt !== null) return hasGlobal(viewer, "ADMINISTER");
  if (!canSeeProject(viewer, project)) return false;
  if (action === "edit") return hasPermission(viewer, "ADMINISTER_PROJECTS", project);
  return action !== "create" || hasPermission(viewer, "CREATE_ISSUES", project);
}

/** A role of a project with its actors. @throws Refused 404 */
function renderRole(viewer: Viewer, project: Project, roleId: string) {
  const role = viewer.site.roles.find(({ id }) => id === roleId);
  if (!role) throw missing(`Can not find a project role with id ${roleId}.`);
  const actors = (project.roleActors[roleId] ?? []).map((actor) => renderActor(viewer, actor));
  return {
    self: `${viewer.base}/rest/api/3/project/${project.id}/role/${roleId}`,
    name: role.name,
    id: Number(roleId),
    description: role.description,
    actors,
    scope: { type: "PROJECT", project: { id: project.id } },
  };
}

function renderActor(viewer: Viewer, actor: Actor) {
  if (actor.kind === "group") {
    const group = byId(viewer.site.groups, actor.groupId);
    const actorGroup = { name: group.name, displayName: group.name, groupId: group.id };
    return {
      id: 10_000,
      displayName: group.name,
      type: "atlassian-group-role-actor",
      name: group.name,
      actorGroup,
    };
  }
  const { displayName, accountId } = personOf(viewer.world, actor.accountId);
  const [avatarUrl] = Object.values(avatars(viewer, displayName));
  return { id: 10_000, displayName, type: "atlassian-user-role-actor", avatarUrl, actorUser: { accountId } };
}
