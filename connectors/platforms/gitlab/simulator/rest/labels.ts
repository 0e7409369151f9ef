import { type Context, Hono } from "hono";
import { z } from "zod";
import { LEVEL } from "../access.ts";
import { groupsAround, labelsIn, type SeenLabel } from "../project-records.ts";
import { type GitlabWorld, type Group, type Label, nextId, type Project } from "../state.ts";
import { type Body, forbidden, notFound, problem, type RestContext, type RestEnv } from "./answers.ts";
import { page } from "./pages.ts";
import { bool, int, readParameters, text } from "./parameters.ts";
import { reachGroup, reachProject } from "./reach.ts";
import { renderLabelBrief } from "./render-issuable.ts";

const color = text.refine((value) => /^#[0-9a-f]{6}$|^#[0-9a-f]{3}$|^[a-z]+$/i.test(value), "is invalid");
const creation = z.object({
  name: text,
  color,
  description: text.nullable().optional(),
  priority: int.nullable().optional(),
});
const change = z.object({
  name: text.optional(),
  label_id: text.optional(),
  new_name: text.optional(),
  color: color.optional(),
  description: text.nullable().optional(),
  priority: int.nullable().optional(),
});
const filters = z.object({
  with_counts: bool.optional(),
  include_ancestor_groups: bool.default(true),
  search: text.optional(),
});

/** `/projects/:id/labels…` and `/groups/:id/labels…`. */
export function labelRoutes(world: GitlabWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/projects/:id/labels", async (c) => {
    const reached = reachProject(c, world);
    if (reached instanceof Response) return reached;
    const query = await readParameters(c, world, filters);
    if (query instanceof Response) return query;
    const { project } = reached;
    const seen = labelsIn(world, project).filter(
      ({ isOwn, name }) =>
        (isOwn || query.include_ancestor_groups) &&
        name.toLowerCase().includes(query.search?.toLowerCase() ?? ""),
    );
    return page(c, world, seen, (label) => ({
      ...renderLabel(label),
      ...(query.with_counts ? counts(project, label.name) : {}),
    }));
  });
  app.get("/groups/:id/labels", (c) => {
    const reached = reachGroup(c, world);
    if (reached instanceof Response) return reached;
    return page(c, world, reached.group.labels, (label) => renderLabel({ ...label, isOwn: false }));
  });
  app.get("/projects/:id/labels/:label_id", (c) => {
    const reached = reachProject(c, world);
    if (reached instanceof Response) return reached;
    const label = labelsIn(world, reached.project).find((known) => isNamed(known, c.req.param("label_id")));
    return label ? c.json(renderLabel(label)) : notFound(c, "Label");
  });
  app.post("/projects/:id/labels", (c) => create(c, world, reachOwner(c, world, "project")));
  app.post("/groups/:id/labels", (c) => create(c, world, reachOwner(c, world, "group")));
  app.put("/projects/:id/labels/:label_id", (c) => edit(c, world));
  app.put("/projects/:id/labels", (c) => edit(c, world));
  app.delete("/projects/:id/labels/:label_id", (c) => {
    const owner = reachOwner(c, world, "project");
    if (owner instanceof Response) return owner;
    const label = owner.labels.find((known) => isNamed(known, c.req.param("label_id")));
    if (!label) return notFound(c, "Label");
    owner.labels = owner.labels.filter((known) => known !== label);
    world.save();
    return c.body(null, 204);
  });
  return app;
}

type Owner = Project | Group;

function reachOwner(c: RestContext, world: GitlabWorld, kind: "project" | "group"): Owner | Response {
  const reached = kind === "project" ? reachProject(c, world) : reachGroup(c, world);
  if (reached instanceof Response) return reached;
  if (reached.level < LEVEL.planner) return forbidden(c);
  return "project" in reached ? reached.project : reached.group;
}

function isNamed(label: Label, key: string): boolean {
  return String(label.id) === key || label.name === key;
}

function renderLabel(label: SeenLabel): Body {
  return {
    ...renderLabelBrief(label),
    subscribed: false,
    priority: label.priority,
    is_project_label: label.isOwn,
  };
}

function counts(project: Project, name: string): Body {
  const count = (things: readonly { labels: string[]; state: string }[], state: string) =>
    things.filter((thing) => thing.state === state && thing.labels.includes(name)).length;
  return {
    open_issues_count: count(project.issues, "opened"),
    closed_issues_count: count(project.issues, "closed"),
    open_merge_requests_count: count(project.mergeRequests, "opened"),
  };
}

async function create(c: RestContext, world: GitlabWorld, owner: Owner | Response): Promise<Response> {
  if (owner instanceof Response) return owner;
  const body = await readParameters(c, world, creation);
  if (body instanceof Response) return body;
  const fault = nameFault(c, world, owner, body.name);
  if (fault) return fault;
  const label = {
    id: nextId(world.state),
    name: body.name,
    color: body.color.toUpperCase(),
    description: body.description ?? null,
    priority: body.priority ?? null,
  };
  owner.labels.push(label);
  world.save();
  return c.json(renderLabel({ ...label, isOwn: "issues" in owner }), 201);
}

async function edit(c: RestContext, world: GitlabWorld): Promise<Response> {
  const owner = reachOwner(c, world, "project");
  if (owner instanceof Response) return owner;
  const body = await readParameters(c, world, change);
  if (body instanceof Response) return body;
  const key = c.req.param("label_id") ?? body.label_id ?? body.name ?? "";
  const label = owner.labels.find((known) => isNamed(known, key));
  if (!label) return notFound(c, "Label");
  const name = body.new_name ?? label.name;
  const fault = name === label.name ? null : nameFault(c, world, owner, name);
  if (fault) return fault;
  if ("issues" in owner) {
    for (const thing of [...owner.issues, ...owner.mergeRequests]) {
      thing.labels = thing.labels.map((each) => (each === label.name ? name : each));
    }
  }
  label.name = name;
  label.color = body.color ?? label.color;
  if (body.description !== undefined) label.description = body.description;
  if (body.priority !== undefined) label.priority = body.priority;
  world.save();
  return c.json(renderLabel({ ...label, isOwn: true }));
}

/** Names may not contain commas, and a group of the project may already use the name. */
function nameFault(c: Context, world: GitlabWorld, owner: Owner, name: string): Response | null {
  if (name.trim() === "") return problem(c, 400, { title: ["can't be blank"] });
  if (/[,]/.test(name)) return problem(c, 400, { title: ["is invalid"] });
  if (name.length > 255) return problem(c, 400, { title: ["is too long (maximum is 255 characters)"] });
  const around = "issues" in owner ? groupsAround(world, owner).flatMap(({ labels }) => labels) : [];
  if ([...owner.labels, ...around].some((label) => label.name === name))
    return problem(c, 409, "Label already exists");
  return null;
}
