import { type Context, Hono } from "hono";
import { canSeeProject } from "../permissions.ts";
import { missing } from "../refused.ts";
import type { Project } from "../state.ts";
import { issuesOf, typesOf } from "../store.ts";
import type { Viewer } from "../viewer.ts";
import { numberOf, type RestEnv } from "./reach.ts";

/** Service desks with their types of requests and queues, below `/rest/servicedeskapi`. Desks have their project's id. */
export function serviceDeskRoutes(): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/servicedesk", (c) => {
    const viewer = c.get("viewer");
    const desks = desksOf(viewer).map((project) => renderDesk(viewer, project));
    return c.json(deskPage(c, desks));
  });
  app.get("/servicedesk/:desk", (c) => {
    const viewer = c.get("viewer");
    return c.json(renderDesk(viewer, deskIn(viewer, c.req.param("desk"))));
  });
  app.get("/servicedesk/:desk/requesttype", (c) => {
    const viewer = c.get("viewer");
    const project = deskIn(viewer, c.req.param("desk"));
    const types = typesOf(viewer.site, project).filter(({ level }) => level === 0);
    const rendered = types.map(({ id, name, description }, index) => ({
      _expands: ["field"],
      id: String(Number(project.id) * 10 + index),
      _links: { self: `${viewer.base}/rest/servicedeskapi/servicedesk/${project.id}/requesttype/${index}` },
      name,
      description,
      helpText: "",
      issueTypeId: id,
      serviceDeskId: project.id,
      portalId: project.id,
      groupIds: [],
    }));
    return c.json(deskPage(c, rendered));
  });
  app.get("/servicedesk/:desk/queue", (c) => {
    const viewer = c.get("viewer");
    const project = deskIn(viewer, c.req.param("desk"));
    const queue = {
      id: project.id,
      name: "All open",
      jql: `project = ${project.key} AND resolution = Unresolved ORDER BY created ASC`,
      fields: ["issuetype", "issuekey", "summary", "created", "reporter"],
      ...(c.req.query("includeCount") === "true"
        ? {
            issueCount: issuesOf(viewer.world, viewer.site, project).filter(
              ({ resolvedAt }) => resolvedAt === null,
            ).length,
          }
        : {}),
      _links: { self: `${viewer.base}/rest/servicedeskapi/servicedesk/${project.id}/queue/${project.id}` },
    };
    return c.json(deskPage(c, [queue]));
  });
  return app;
}

function desksOf(viewer: Viewer): Project[] {
  return viewer.site.projects.filter(
    (project) => project.typeKey === "service_desk" && canSeeProject(viewer, project),
  );
}

/** The desk of a path: its id, or `projectId:` and the id of its project. @throws Refused 404 */
function deskIn(viewer: Viewer, key: string): Project {
  const project = desksOf(viewer).find(({ id }) => id === key.replace(/^projectId:/, ""));
  if (!project) throw missing("The service desk does not exist or you do not have permission to view it.");
  return project;
}

function renderDesk({ base }: Viewer, project: Project) {
  return {
    id: project.id,
    projectId: project.id,
    projectName: project.name,
    projectKey: project.key,
    _links: { self: `${base}/rest/servicedeskapi/servicedesk/${project.id}` },
  };
}

/** The pages of this API have `start`, `limit` and `isLastPage`. */
function deskPage(c: Context<RestEnv>, list: readonly object[]) {
  const start = numberOf(c, "start", 0);
  const limit = Math.min(numberOf(c, "limit", 50), 100);
  const values = list.slice(start, start + limit);
  const { base } = c.get("viewer");
  const isLastPage = start + values.length >= list.length;
  const self = `${base}${c.req.path.replace(/^.*?(?=\/rest\/)/, "")}`;
  const next = isLastPage ? {} : { next: `${self}?start=${start + values.length}&limit=${limit}` };
  return {
    _expands: [],
    size: values.length,
    start,
    limit,
    isLastPage,
    _links: { base, context: "", self, ...next },
    values,
  };
}
