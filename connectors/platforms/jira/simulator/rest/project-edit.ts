import { Hono } from "hono";
import { z } from "zod";
import { hasPermission } from "../permissions.ts";
import { createComponent, createProject, createVersion, deleteProject } from "../projects.ts";
import { forbidden, invalid, Refused } from "../refused.ts";
import { renderComponentWhole, renderVersion } from "../render-config.ts";
import type { Project } from "../state.ts";
import { findPerson, findProject } from "../store.ts";
import { TEMPLATES, type TemplateName, templateOf } from "../templates.ts";
import { readDate } from "../times.ts";
import type { Viewer } from "../viewer.ts";
import { projectIn, type RestEnv, readBody, requireGlobal } from "./reach.ts";
import { readProperty } from "./watching.ts";

const where = { project: z.string().optional(), projectId: z.number().int().optional() };
const componentOrder = z.strictObject({
  ...where,
  name: z.string().max(255),
  description: z.string().optional(),
  leadAccountId: z.string().optional(),
  assigneeType: z.enum(["PROJECT_DEFAULT", "COMPONENT_LEAD", "PROJECT_LEAD", "UNASSIGNED"]).optional(),
});
const date = z.string().refine((text) => readDate(text) !== null, "is no date");
const versionOrder = z.strictObject({
  ...where,
  name: z.string().max(255),
  description: z.string().optional(),
  archived: z.boolean().default(false),
  released: z.boolean().default(false),
  startDate: date.nullish(),
  releaseDate: date.nullish(),
});
const projectOrder = z.strictObject({
  key: z.string(),
  name: z.string(),
  description: z.string().default(""),
  leadAccountId: z.string().optional(),
  url: z.string().optional(),
  assigneeType: z.enum(["PROJECT_LEAD", "UNASSIGNED"]).optional(),
  projectTypeKey: z.enum(["software", "service_desk", "business"]).optional(),
  projectTemplateKey: z.string().optional(),
});

/** Making projects, and what belongs to them. */
export function projectEditRoutes(): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.post("/project", async (c) => {
    const viewer = c.get("viewer");
    requireGlobal(viewer, "ADMINISTER");
    const order = await readBody(c, projectOrder);
    const project = create(viewer, order);
    const { id, key } = project;
    return c.json({ self: `${viewer.base}/rest/api/3/project/${id}`, id: Number(id), key }, 201);
  });
  app.delete("/project/:key", (c) => {
    const viewer = c.get("viewer");
    requireGlobal(viewer, "ADMINISTER");
    const how = c.req.query("enableUndo") === "false" ? "purge" : "trash";
    deleteProject(viewer.world, viewer.site, projectIn(viewer, c.req.param("key")), how);
    return c.body(null, 204);
  });
  app.put("/project/:key/properties/:property", async (c) => {
    const viewer = c.get("viewer");
    const project = projectIn(viewer, c.req.param("key"));
    requireAdmin(viewer, project);
    const key = c.req.param("property");
    const isNew = !(key in project.properties);
    project.properties[key] = readProperty(key, await c.req.text());
    viewer.world.save();
    return c.body(null, isNew ? 201 : 200);
  });
  app.post("/component", async (c) => {
    const viewer = c.get("viewer");
    const { leadAccountId = null, name, description, ...order } = await readBody(c, componentOrder);
    const project = targetOf(viewer, order);
    if (project.components.some((known) => known.name.toLowerCase() === name.toLowerCase())) {
      throw new Refused(400, null, {
        name: `A component with the name ${name} already exists in this project.`,
      });
    }
    const component = createComponent(viewer.world, viewer.site, project, {
      name,
      description,
      leadId: leadAccountId,
    });
    return c.json(renderComponentWhole(viewer, project, component), 201);
  });
  app.post("/version", async (c) => {
    const viewer = c.get("viewer");
    const order = await readBody(c, versionOrder);
    const project = targetOf(viewer, order);
    if (project.versions.some((known) => known.name.toLowerCase() === order.name.toLowerCase())) {
      throw new Refused(400, null, { name: "A version with this name already exists in this project." });
    }
    const version = createVersion(viewer.world, viewer.site, project, {
      name: order.name,
      description: order.description ?? "",
      isArchived: order.archived,
      isReleased: order.released,
      startDate: order.startDate ?? null,
      releaseDate: order.releaseDate ?? null,
    });
    return c.json(renderVersion(viewer, version, project), 201);
  });
  return app;
}

function targetOf(
  viewer: Viewer,
  { project: key, projectId }: { project?: string; projectId?: number },
): Project {
  const name = projectId === undefined ? key : String(projectId);
  if (name === undefined) throw invalid("The project is required.");
  const project = projectIn(viewer, name);
  requireAdmin(viewer, project);
  return project;
}

function requireAdmin(viewer: Viewer, project: Project): void {
  if (viewer.member.isAdmin || hasPermission(viewer, "ADMINISTER_PROJECTS", project)) return;
  throw forbidden("You do not have permission to administer this project.");
}

function create(viewer: Viewer, order: z.output<typeof projectOrder>): Project {
  const { world, site } = viewer;
  const errors: Record<string, string> = {};
  if (!/^[A-Z][A-Z0-9]{1,9}$/.test(order.key)) {
    errors.projectKey =
      "Project keys must start with an uppercase letter, followed by one or more uppercase alphanumeric characters.";
  } else if (findProject(site, order.key)) {
    errors.projectKey = `A project with that key '${order.key}' already exists.`;
  }
  if (order.name.length < 2 || order.name.length > 80)
    errors.projectName = "The project name must have between 2 and 80 characters.";
  // The names of projects in the trash are taken, too.
  if (site.projects.some(({ name }) => name.toLowerCase() === order.name.toLowerCase())) {
    errors.projectName = "A project with that name already exists.";
  }
  const lead = findPerson(world, order.leadAccountId ?? "");
  if (!lead) errors.projectLead = "You must specify a valid project lead.";
  const template = templateOf(order.projectTemplateKey ?? "");
  if (!template) errors.projectTemplateKey = "The project template is not valid.";
  else if (order.projectTypeKey !== undefined && template.typeKey !== order.projectTypeKey) {
    errors.projectTypeKey = "The project template does not belong to the project type.";
  }
  if (!lead || !template || Object.keys(errors).length > 0) throw new Refused(400, null, errors);
  const name = Object.entries(TEMPLATES).find(([, known]) => known.key === template.key)?.[0] as TemplateName;
  const project = createProject(world, site, {
    key: order.key,
    name: order.name,
    description: order.description,
    leadId: lead.accountId,
    template: name,
  });
  project.url = order.url ?? "";
  return project;
}
