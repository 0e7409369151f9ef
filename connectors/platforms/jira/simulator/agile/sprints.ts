import { Hono } from "hono";
import { z } from "zod";
import { hasPermission } from "../permissions.ts";
import { forbidden, invalid, missing } from "../refused.ts";
import { issueIn, type RestEnv, readBody } from "../rest/reach.ts";
import { createSprint, issuesInSprint, moveToSprint, rankIssues } from "../sprints.ts";
import type { Project, Sprint } from "../state.ts";
import { byId, projectOf } from "../store.ts";
import type { Viewer } from "../viewer.ts";
import { boardIn } from "./boards.ts";
import { renderSprint } from "./render-sprint.ts";

/** Times of sprints are ISO 8601. */
const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
/** The name is trimmed, and ends at 30 characters. */
const name = z.string().trim().min(1).max(30);
const createOrder = z.strictObject({
  name,
  originBoardId: z.number().int(),
  goal: z.string().max(1_000).optional(),
  startDate: time.optional(),
  endDate: time.optional(),
});
const editOrder = z.strictObject({
  name: name.optional(),
  goal: z.string().optional(),
  state: z.enum(["future", "active", "closed"]).optional(),
  startDate: time.optional(),
  endDate: time.optional(),
  originBoardId: z.number().int().optional(),
  id: z.number().optional(),
});
const issues = z.array(z.string()).min(1).max(50);
const rankOrder = z.strictObject({
  issues,
  rankBeforeIssue: z.string().optional(),
  rankAfterIssue: z.string().optional(),
  rankCustomFieldId: z.number().int().optional(),
});

/** Sprints and ranks, below `/rest/agile/1.0`. */
export function sprintRoutes(): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.post("/sprint", async (c) => {
    const viewer = c.get("viewer");
    const order = await readBody(c, createOrder);
    const board = boardIn(viewer, String(order.originBoardId));
    if (board.kind === "kanban") throw invalid("The board does not support sprints");
    requireManage(viewer, byId(viewer.site.projects, board.projectId));
    const { name: title, goal, startDate: startAt, endDate: endAt } = order;
    const sprint = createSprint(viewer.world, viewer.site, { board, name: title, goal, startAt, endAt });
    return c.json(renderSprint(viewer, sprint), 201);
  });
  app.get("/sprint/:id", (c) => {
    const viewer = c.get("viewer");
    return c.json(renderSprint(viewer, sprintIn(viewer, c.req.param("id"))));
  });
  // POST changes a part, PUT all: the simulator asks PUT for the name and state that it would reset.
  for (const method of ["POST", "PUT"] as const) {
    app.on(method, "/sprint/:id", async (c) => {
      const viewer = c.get("viewer");
      const sprint = sprintIn(viewer, c.req.param("id"));
      const order = await readBody(c, editOrder);
      if (method === "PUT" && (order.name === undefined || order.state === undefined)) {
        throw invalid("The name and the state of the sprint are required.");
      }
      change(viewer, sprint, order);
      return c.json(renderSprint(viewer, sprint));
    });
  }
  app.post("/sprint/:id/issue", async (c) => {
    const viewer = c.get("viewer");
    const sprint = sprintIn(viewer, c.req.param("id"));
    const schema = z.strictObject({
      issues,
      rankBeforeIssue: z.string().optional(),
      rankAfterIssue: z.string().optional(),
      rankCustomFieldId: z.number().int().optional(),
    });
    const { issues: keys } = await readBody(c, schema);
    if (sprint.state === "closed") throw invalid("Issues can be moved only to open or active sprints.");
    const found = keys.map((key) => issueIn(viewer, key));
    for (const issue of found) requireSchedule(viewer, projectOf(viewer.site, issue));
    moveToSprint(viewer.world, viewer.site, viewer.person.accountId, { issues: found, sprint });
    return c.body(null, 204);
  });
  app.post("/backlog/issue", async (c) => {
    const viewer = c.get("viewer");
    const { issues: keys } = await readBody(c, z.strictObject({ issues }));
    const found = keys.map((key) => issueIn(viewer, key));
    for (const issue of found) requireSchedule(viewer, projectOf(viewer.site, issue));
    moveToSprint(viewer.world, viewer.site, viewer.person.accountId, { issues: found, sprint: null });
    return c.body(null, 204);
  });
  app.put("/issue/rank", async (c) => {
    const viewer = c.get("viewer");
    const order = await readBody(c, rankOrder);
    const anchorKey = order.rankBeforeIssue ?? order.rankAfterIssue;
    if (anchorKey === undefined) throw invalid("Either rankBeforeIssue or rankAfterIssue is required.");
    const anchor = issueIn(viewer, anchorKey);
    const found = order.issues.map((key) => issueIn(viewer, key));
    if (found.includes(anchor)) throw invalid("An issue cannot be ranked by itself.");
    for (const issue of found) requireSchedule(viewer, projectOf(viewer.site, issue));
    rankIssues(viewer.world, viewer.site, {
      issues: found,
      anchor,
      isBefore: order.rankBeforeIssue !== undefined,
    });
    return c.body(null, 204);
  });
  return app;
}

function sprintIn(viewer: Viewer, id: string): Sprint {
  const sprint = viewer.site.sprints.find((known) => known.id === id);
  if (!sprint) throw missing("Sprint does not exist.");
  boardIn(viewer, sprint.boardId);
  return sprint;
}

function requireManage(viewer: Viewer, project: Project): void {
  if (!hasPermission(viewer, "MANAGE_SPRINTS_PERMISSION", project)) {
    throw forbidden("You do not have permission to manage sprints.");
  }
}

function requireSchedule(viewer: Viewer, project: Project): void {
  if (!hasPermission(viewer, "SCHEDULE_ISSUES", project)) {
    throw forbidden("You do not have permission to schedule issues.");
  }
}

/** Changes a sprint; of a closed one only name and goal. */
function change(viewer: Viewer, sprint: Sprint, order: z.output<typeof editOrder>): void {
  const board = boardIn(viewer, sprint.boardId);
  requireManage(viewer, byId(viewer.site.projects, board.projectId));
  if (order.name !== undefined) sprint.name = order.name;
  if (order.goal !== undefined) sprint.goal = order.goal;
  if (sprint.state !== "closed") {
    sprint.startAt = order.startDate ?? sprint.startAt;
    sprint.endAt = order.endDate ?? sprint.endAt;
    if (order.state !== undefined && order.state !== sprint.state) move(viewer, sprint, order.state);
  }
  viewer.world.save();
}

function move(viewer: Viewer, sprint: Sprint, state: Sprint["state"]): void {
  const { site } = viewer;
  if (sprint.state === "future" && state === "active") {
    if (sprint.startAt === null || sprint.endAt === null) {
      throw invalid("Start and end dates are required to start the sprint.");
    }
    const isBusy = site.sprints.some(
      ({ boardId, state: other }) => boardId === sprint.boardId && other === "active",
    );
    if (isBusy) throw invalid("Parallel sprints are not enabled: another sprint is active.");
    sprint.state = "active";
    return;
  }
  if (sprint.state === "active" && state === "closed") {
    sprint.state = "closed";
    sprint.completedAt = Date.now();
    // What is not done returns to the backlog.
    const open = issuesInSprint(site, sprint).filter(
      ({ statusId }) => site.statuses.find(({ id }) => id === statusId)?.category !== "done",
    );
    moveToSprint(viewer.world, site, viewer.person.accountId, { issues: open, sprint: null });
    return;
  }
  throw invalid(`A sprint cannot go from '${sprint.state}' to '${state}'.`);
}
