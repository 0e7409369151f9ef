import { Hono } from "hono";
import { z } from "zod";
import type { Milestone } from "../records.ts";
import { renderMilestone } from "../render-issue.ts";
import { type GithubWorld, nextId, timestamp } from "../state.ts";
import { notFound, page, type RestEnv, readBody, readQuery } from "./answers.ts";
import { type FieldFault, invalid } from "./issues.ts";
import { directionSchema, inOrder } from "./lists.ts";
import { type Asked, type RouteNeeds, repositoryRouter } from "./repository-route.ts";

const listQuery = z.object({
  state: z.enum(["open", "closed", "all"]).default("open"),
  sort: z.enum(["due_on", "completeness"]).default("due_on"),
  direction: directionSchema.default("asc"),
});
const fields = {
  state: z.enum(["open", "closed"]).optional(),
  description: z.string().nullable().optional(),
  due_on: z.iso.datetime({ offset: true }).nullable().optional(),
};
const creation = z.object({ ...fields, title: z.string() });
const change = z.object({ ...fields, title: z.string().optional() });

const READ: RouteNeeds = { permission: "issues", reach: "read" };
const WRITE: RouteNeeds = { permission: "issues", reach: "write" };
const ONE = "/milestones/:milestone{[0-9]+}";

/** `/repos/…/milestones`. Milestones have their own number sequence; deleted numbers are not reused. */
export function milestoneRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const route = repositoryRouter(app, world);
  route("GET", "/milestones", READ, list);
  route("POST", "/milestones", WRITE, create);
  route("GET", ONE, READ, (asked) =>
    withMilestone(asked, (milestone) => asked.c.json(renderMilestone(world, asked.repository, milestone))),
  );
  route("PATCH", ONE, WRITE, edit);
  route("DELETE", ONE, WRITE, (asked) =>
    withMilestone(asked, (milestone) => {
      asked.records.milestones = asked.records.milestones.filter((known) => known !== milestone);
      for (const issue of asked.records.issues) {
        if (issue.milestone === milestone.number) issue.milestone = null;
      }
      asked.save();
      return asked.c.body(null, 204);
    }),
  );
  return app;
}

function withMilestone(
  asked: Asked,
  act: (milestone: Milestone) => Response | Promise<Response>,
): Response | Promise<Response> {
  const wanted = Number(asked.c.req.param("milestone"));
  const milestone = asked.records.milestones.find(({ number }) => number === wanted);
  return milestone ? act(milestone) : notFound(asked.c);
}

function list({ c, world, repository, records }: Asked): Response {
  const query = readQuery(c, world, listQuery);
  if (query instanceof Response) return query;
  const found = records.milestones.filter(({ state }) => query.state === "all" || state === query.state);
  const share = (milestone: Milestone) => {
    const within = records.issues.filter((issue) => issue.milestone === milestone.number);
    return within.filter(({ state }) => state === "closed").length / Math.max(1, within.length);
  };
  const key = query.sort === "due_on" ? ({ dueOn }: Milestone) => dueOn ?? "9999" : share;
  return page(
    c,
    world,
    inOrder(found, key, query.direction),
    (milestone) => renderMilestone(world, repository, milestone),
    {
      path: `/repositories/${repository.id}/milestones`,
    },
  );
}

async function create(asked: Asked): Promise<Response> {
  const { c, world, repository, records } = asked;
  const body = await readBody(c, world, creation);
  if (body instanceof Response) return body;
  const fault = titleFault(records.milestones, body.title, null);
  if (fault) return invalid(asked, fault, "Milestone");
  const now = timestamp();
  const milestone: Milestone = {
    id: nextId(world.state),
    number: records.nextMilestone,
    title: body.title,
    description: body.description ?? null,
    state: body.state ?? "open",
    creator: asked.login,
    dueOn: wholeDay(body.due_on),
    createdAt: now,
    updatedAt: now,
    closedAt: body.state === "closed" ? now : null,
  };
  records.nextMilestone += 1;
  records.milestones.push(milestone);
  asked.save();
  return c.json(renderMilestone(world, repository, milestone), 201);
}

function edit(asked: Asked): Response | Promise<Response> {
  return withMilestone(asked, async (milestone) => {
    const { c, world, repository, records } = asked;
    const body = await readBody(c, world, change);
    if (body instanceof Response) return body;
    const fault = titleFault(records.milestones, body.title ?? milestone.title, milestone);
    if (fault) return invalid(asked, fault, "Milestone");
    milestone.title = body.title ?? milestone.title;
    if (body.description !== undefined) milestone.description = body.description;
    if (body.due_on !== undefined) milestone.dueOn = wholeDay(body.due_on);
    if (body.state !== undefined && body.state !== milestone.state) {
      milestone.state = body.state;
      milestone.closedAt = body.state === "closed" ? timestamp() : null;
    }
    milestone.updatedAt = timestamp();
    asked.save();
    return c.json(renderMilestone(world, repository, milestone));
  });
}

/**
 * GitHub stores only the day of a due date, in Californian time: midnight in London is the day before. It returns
 * midnight in California, which stays the same when it is sent again.
 */
function wholeDay(due: string | null | undefined): string | null {
  if (!due) return null;
  const zone = { timeZone: "America/Los_Angeles" };
  const day = new Date(due).toLocaleDateString("en-CA", zone);
  const summer = new Date(`${day}T07:00:00Z`);
  return `${day}T${summer.toLocaleDateString("en-CA", zone) === day ? "07" : "08"}:00:00Z`;
}

function titleFault(
  milestones: readonly Milestone[],
  title: string,
  self: Milestone | null,
): FieldFault | null {
  if (title.trim() === "") return { field: "title", code: "missing_field" };
  const twin = milestones.find((known) => known.title === title);
  return twin && twin !== self ? { field: "title", code: "already_exists" } : null;
}
