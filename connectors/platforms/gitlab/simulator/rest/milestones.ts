import { Hono } from "hono";
import { z } from "zod";
import { LEVEL } from "../access.ts";
import { groupsAround } from "../project-records.ts";
import {
  type GitlabWorld,
  type Group,
  type Milestone,
  nextId,
  nextIid,
  type Project,
  timestamp,
} from "../state.ts";
import { forbidden, notFound, problem, type RestContext, type RestEnv } from "./answers.ts";
import { page } from "./pages.ts";
import { bool, ids, readParameters, text, time } from "./parameters.ts";
import { reachGroup, reachProject } from "./reach.ts";
import { renderMilestone } from "./render-issuable.ts";

const filters = z.object({
  iids: ids.optional(),
  state: z.enum(["active", "closed", "all"]).optional(),
  title: text.optional(),
  search: text.optional(),
  include_ancestors: bool.optional(),
  include_parent_milestones: bool.optional(),
  updated_after: time.optional(),
  updated_before: time.optional(),
});
const dates = {
  description: text.nullable().optional(),
  due_date: text.nullable().optional(),
  start_date: text.nullable().optional(),
};
const creation = z.object({ ...dates, title: text });
const change = z.object({
  ...dates,
  title: text.optional(),
  state_event: z.enum(["close", "activate"]).optional(),
});

type Place = { project: Project } | { group: Group };

/** `/projects/:id/milestones…` and `/groups/:id/milestones…`. */
export function milestoneRoutes(world: GitlabWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  for (const kind of ["projects", "groups"] as const) {
    const base = `/${kind}/:id/milestones`;
    app.get(base, (c) => list(c, world, reachPlace(c, world, kind, 1)));
    app.post(base, (c) => create(c, world, reachPlace(c, world, kind, LEVEL.planner)));
    app.get(`${base}/:milestone_id{[0-9]+}`, (c) => {
      const place = reachPlace(c, world, kind, 1);
      if (place instanceof Response) return place;
      const milestone = find(c, place);
      return milestone ? c.json(renderMilestone(world, milestone, place)) : notFound(c, "Milestone");
    });
    app.put(`${base}/:milestone_id{[0-9]+}`, (c) =>
      edit(c, world, reachPlace(c, world, kind, LEVEL.planner)),
    );
    app.delete(`${base}/:milestone_id{[0-9]+}`, (c) => {
      const place = reachPlace(c, world, kind, LEVEL.planner);
      if (place instanceof Response) return place;
      const milestone = find(c, place);
      if (!milestone) return notFound(c, "Milestone");
      const owner = ownerOf(place);
      owner.milestones = owner.milestones.filter((known) => known !== milestone);
      world.save();
      return c.body(null, 204);
    });
  }
  return app;
}

function ownerOf(place: Place): Project | Group {
  return "project" in place ? place.project : place.group;
}

function reachPlace(
  c: RestContext,
  world: GitlabWorld,
  kind: "projects" | "groups",
  needs: number,
): Place | Response {
  const reached = kind === "projects" ? reachProject(c, world) : reachGroup(c, world);
  if (reached instanceof Response) return reached;
  if (reached.level < needs) return forbidden(c);
  return "project" in reached ? { project: reached.project } : { group: reached.group };
}

function find(c: RestContext, place: Place): Milestone | undefined {
  return ownerOf(place).milestones.find(({ id }) => id === Number(c.req.param("milestone_id")));
}

async function list(c: RestContext, world: GitlabWorld, place: Place | Response): Promise<Response> {
  if (place instanceof Response) return place;
  const query = await readParameters(c, world, filters);
  if (query instanceof Response) return query;
  const own = ownerOf(place).milestones.map((milestone) => ({ milestone, place }));
  const isWide = query.include_ancestors || query.include_parent_milestones;
  const around = isWide && "project" in place ? groupsAround(world, place.project) : [];
  const inherited = around.flatMap((group) =>
    group.milestones.map((milestone) => ({ milestone, place: { group } })),
  );
  const found = [...own, ...inherited].filter(
    ({ milestone }) =>
      (query.iids === undefined || query.iids.includes(milestone.iid)) &&
      (query.state === undefined || query.state === "all" || milestone.state === query.state) &&
      (query.title === undefined || milestone.title === query.title) &&
      milestone.title.toLowerCase().includes(query.search?.toLowerCase() ?? ""),
  );
  return page(c, world, found, (each) => renderMilestone(world, each.milestone, each.place));
}

async function create(c: RestContext, world: GitlabWorld, place: Place | Response): Promise<Response> {
  if (place instanceof Response) return place;
  const body = await readParameters(c, world, creation);
  if (body instanceof Response) return body;
  const owner = ownerOf(place);
  const fault = titleFault(c, world, place, body.title);
  if (fault) return fault;
  const now = timestamp();
  const milestone: Milestone = {
    id: nextId(world.state),
    iid: nextIid(owner.milestones),
    title: body.title,
    description: body.description ?? "",
    state: "active",
    dueDate: body.due_date || null,
    startDate: body.start_date || null,
    createdAt: now,
    updatedAt: now,
  };
  owner.milestones.push(milestone);
  world.save();
  return c.json(renderMilestone(world, milestone, place), 201);
}

async function edit(c: RestContext, world: GitlabWorld, place: Place | Response): Promise<Response> {
  if (place instanceof Response) return place;
  const milestone = find(c, place);
  if (!milestone) return notFound(c, "Milestone");
  const body = await readParameters(c, world, change);
  if (body instanceof Response) return body;
  const fault =
    body.title === undefined || body.title === milestone.title
      ? null
      : titleFault(c, world, place, body.title);
  if (fault) return fault;
  milestone.title = body.title ?? milestone.title;
  if (body.description !== undefined) milestone.description = body.description ?? "";
  if (body.due_date !== undefined) milestone.dueDate = body.due_date || null;
  if (body.start_date !== undefined) milestone.startDate = body.start_date || null;
  if (body.state_event) milestone.state = body.state_event === "close" ? "closed" : "active";
  milestone.updatedAt = timestamp();
  world.save();
  return c.json(renderMilestone(world, milestone, place));
}

/** Refuses a title that the project or one of its groups already uses. */
function titleFault(c: RestContext, world: GitlabWorld, place: Place, title: string): Response | null {
  const around = "project" in place ? groupsAround(world, place.project) : [];
  const taken = [ownerOf(place), ...around]
    .flatMap(({ milestones }) => milestones)
    .some((known) => known.title === title);
  if (title.length > 255) return problem(c, 400, { title: ["is too long (maximum is 255 characters)"] });
  return taken
    ? problem(c, 400, { title: ["already being used for another group or project milestone."] })
    : null;
}
