import { Hono } from "hono";
import { z } from "zod";
import { LEVEL, mayUse } from "../access.ts";
import {
  addEvents,
  addSystemNote,
  changeableOf,
  createIssue,
  notify,
  setState,
  takeQuickActions,
} from "../issuables.ts";
import { ensureLabels, milestoneIn } from "../project-records.ts";
import { touchProject } from "../projects.ts";
import { type GitlabWorld, type Issue, timestamp } from "../state.ts";
import { forbidden, notFound, problem, type RestContext, type RestEnv } from "./answers.ts";
import { countCreation, LONGEST, lengthFaults } from "./limits.ts";
import { ordered, page } from "./pages.ts";
import { bool, csv, ids, int, readParameters, text, time } from "./parameters.ts";
import { isOutside } from "./project-lists.ts";
import { type ReachedProject, reachProject, requireUser } from "./reach.ts";
import { renderIssue } from "./render-issuable.ts";

/** Filters that issues and merge requests share. */
export const issuableFilters = {
  iids: ids.optional(),
  labels: csv.optional(),
  milestone: text.optional(),
  scope: z.enum(["created_by_me", "created-by-me", "assigned_to_me", "assigned-to-me", "all"]).optional(),
  author_id: int.optional(),
  author_username: text.optional(),
  assignee_id: text.optional(),
  search: text.optional(),
  in: text.optional(),
  created_after: time.optional(),
  created_before: time.optional(),
  updated_after: time.optional(),
  updated_before: time.optional(),
  with_labels_details: bool.optional(),
  order_by: z.string().default("created_at"),
  sort: z.enum(["asc", "desc"]).default("desc"),
};
const filters = z.object({
  ...issuableFilters,
  state: z.enum(["opened", "closed", "all"]).optional(),
  confidential: bool.optional(),
  issue_type: z.enum(["issue", "incident", "task", "test_case"]).optional(),
  due_date: text.optional(),
});
const fields = {
  description: text.nullable().optional(),
  assignee_ids: ids.optional(),
  assignee_id: int.optional(),
  labels: csv.optional(),
  milestone_id: int.nullable().optional(),
  confidential: bool.optional(),
  due_date: text.nullable().optional(),
  weight: int.nullable().optional(),
  issue_type: z.enum(["issue", "incident", "task"]).optional(),
  discussion_locked: bool.optional(),
  created_at: time.optional(),
};
const creation = z.object({
  ...fields,
  title: text,
  iid: int.optional(),
  merge_request_to_resolve_discussions_of: int.optional(),
});
const change = z.object({
  ...fields,
  title: text.optional(),
  state_event: z.enum(["close", "reopen"]).optional(),
  add_labels: csv.optional(),
  remove_labels: csv.optional(),
  updated_at: time.optional(),
});

const BASE = "/projects/:id/issues";

/** `/projects/:id/issues…`. */
export function issueRoutes(world: GitlabWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get(BASE, (c) => list(c, world));
  app.post(BASE, (c) => create(c, world));
  app.get(`${BASE}/:iid{[0-9]+}`, (c) => {
    const reached = reachIssue(c, world);
    return reached instanceof Response
      ? reached
      : c.json(renderIssue(world, reached.project, reached.issue, false));
  });
  app.put(`${BASE}/:iid{[0-9]+}`, (c) => edit(c, world));
  app.delete(`${BASE}/:iid{[0-9]+}`, (c) => {
    const reached = reachIssue(c, world);
    if (reached instanceof Response) return reached;
    if (reached.level < LEVEL.owner) return forbidden(c);
    reached.project.issues = reached.project.issues.filter((issue) => issue !== reached.issue);
    touchProject(world, reached.project);
    return c.body(null, 204);
  });
  app.get("/projects/:id/issues_statistics", (c) => {
    const reached = reachProject(c, world);
    if (reached instanceof Response) return reached;
    const seen = reached.project.issues.filter((issue) => isSeen(c, reached.level, issue));
    const closed = seen.filter(({ state }) => state === "closed").length;
    return c.json({ statistics: { counts: { all: seen.length, closed, opened: seen.length - closed } } });
  });
  return app;
}

/** A confidential issue is visible to its author, its assignees, and from planner level on. */
function isSeen(c: RestContext, level: number, issue: Issue): boolean {
  if (!issue.isConfidential || level >= LEVEL.planner) return true;
  const viewer = c.get("viewer");
  return viewer.kind === "user" && [issue.authorId, ...issue.assigneeIds].includes(viewer.user.id);
}

/** Finds an issue for this viewer. */
export function reachIssue(
  c: RestContext,
  world: GitlabWorld,
): (ReachedProject & { issue: Issue }) | Response {
  const reached = reachProject(c, world);
  if (reached instanceof Response) return reached;
  const issue = reached.project.issues.find(({ iid }) => iid === Number(c.req.param("iid")));
  const isOpen = mayUse(reached.project.issuesAccess, reached.level);
  if (!issue || !isOpen || !isSeen(c, reached.level, issue)) return notFound(c, "Issue");
  return { ...reached, issue };
}

/** Whether an issue or merge request passes the filters that both share. */
export function passes(
  c: RestContext,
  thing: Pick<
    Issue,
    "iid" | "labels" | "authorId" | "assigneeIds" | "title" | "description" | "createdAt" | "updatedAt"
  >,
  query: z.output<z.ZodObject<typeof issuableFilters>>,
): boolean {
  const viewer = c.get("viewer");
  const me = viewer.kind === "user" ? viewer.user.id : 0;
  if (query.iids && !query.iids.includes(thing.iid)) return false;
  if (query.labels && !query.labels.every((label) => thing.labels.includes(label))) return false;
  if (query.scope?.startsWith("created") && thing.authorId !== me) return false;
  if (query.scope?.startsWith("assigned") && !thing.assigneeIds.includes(me)) return false;
  if (query.author_id !== undefined && thing.authorId !== query.author_id) return false;
  if (isOutside(thing.createdAt, query.created_after, query.created_before)) return false;
  if (isOutside(thing.updatedAt, query.updated_after, query.updated_before)) return false;
  const search = query.search?.toLowerCase();
  return search === undefined || `${thing.title} ${thing.description ?? ""}`.toLowerCase().includes(search);
}

/** The sort key for a list of issues or merge requests. */
export function orderKey(orderBy: string) {
  return (thing: { createdAt: string; updatedAt: string; title: string }): string => {
    if (orderBy === "updated_at") return thing.updatedAt;
    return orderBy === "title" ? thing.title.toLowerCase() : thing.createdAt;
  };
}

async function list(c: RestContext, world: GitlabWorld): Promise<Response> {
  const reached = reachProject(c, world);
  if (reached instanceof Response) return reached;
  const query = await readParameters(c, world, filters);
  if (query instanceof Response) return query;
  const { project, level } = reached;
  if (!mayUse(project.issuesAccess, level))
    return project.issuesAccess === "disabled" ? c.json([]) : forbidden(c);
  const found = project.issues.filter(
    (issue) =>
      isSeen(c, level, issue) &&
      (query.state === undefined || query.state === "all" || issue.state === query.state) &&
      (query.confidential === undefined || issue.isConfidential === query.confidential) &&
      (query.issue_type === undefined || issue.type === query.issue_type) &&
      (query.milestone === undefined ||
        milestoneIn(world, project, issue.milestoneId)?.milestone.title === query.milestone) &&
      passes(c, issue, query),
  );
  return page(c, world, ordered(found, orderKey(query.order_by), query.sort), (issue) =>
    renderIssue(world, project, issue, query.with_labels_details === true),
  );
}

/**
 * Creates an issue. Number and date require an owner, labels, milestone and assignees a planner; otherwise they are
 * ignored.
 */
async function create(c: RestContext, world: GitlabWorld): Promise<Response> {
  const reached = reachProject(c, world);
  if (reached instanceof Response) return reached;
  const user = requireUser(c);
  if (user instanceof Response) return user;
  const { project, level } = reached;
  if (!mayUse(project.issuesAccess, level)) return forbidden(c);
  const body = await readParameters(c, world, creation);
  if (body instanceof Response) return body;
  const limited = countCreation(c, world, user, "issue");
  if (limited) return limited;
  const faults = lengthFaults({
    title: { text: body.title, most: LONGEST.title },
    description: { text: body.description, most: LONGEST.description },
  });
  if (faults) return problem(c, 400, faults);
  if (body.title.trim() === "") return problem(c, 400, { title: ["can't be blank"] });
  const isOwner = level >= LEVEL.owner;
  if (isOwner && project.issues.some(({ iid }) => iid === body.iid))
    return problem(c, 409, "Duplicated issue");
  const actions = takeQuickActions(body.description ?? "");
  const issue = createIssue(world, project, {
    title: actions.title ?? body.title,
    description: body.description === undefined || body.description === null ? null : actions.text,
    authorId: user.id,
    ...(isOwner && body.iid !== undefined ? { iid: body.iid } : {}),
    ...(isOwner && body.created_at !== undefined
      ? { createdAt: timestamp(Date.parse(body.created_at)) }
      : {}),
    type: body.issue_type ?? "issue",
    isConfidential: body.confidential ?? false,
  });
  if (level >= LEVEL.planner) applyPlanning(world, reached, issue, body);
  for (const event of actions.events) setState(issue, event, user.id);
  addEvents(world, issue, { userId: user.id });
  // Rails writes one time into both (ActiveRecord::Timestamp): equal times mean that nobody has changed it since.
  const isBackdated = isOwner && body.created_at !== undefined;
  issue.updatedAt = isBackdated ? timestamp() : issue.createdAt;
  notify(world, user.id, `issue ${issue.iid}`, issue.description);
  touchProject(world, project);
  return c.json(renderIssue(world, project, issue, false), 201);
}

async function edit(c: RestContext, world: GitlabWorld): Promise<Response> {
  const reached = reachIssue(c, world);
  if (reached instanceof Response) return reached;
  const user = requireUser(c);
  if (user instanceof Response) return user;
  const { project, level, issue } = reached;
  if (level < LEVEL.planner && issue.authorId !== user.id) return forbidden(c);
  const body = await readParameters(c, world, change);
  if (body instanceof Response) return body;
  const faults = lengthFaults({
    title: { text: body.title, most: LONGEST.title },
    description: { text: body.description, most: LONGEST.description },
  });
  if (faults) return problem(c, 400, faults);
  if (body.title !== undefined && body.title !== issue.title) {
    addSystemNote(world, issue, user.id, `changed title from **${issue.title}** to **${body.title}**`);
    issue.title = body.title;
  }
  if (body.description !== undefined && body.description !== issue.description) {
    addSystemNote(world, issue, user.id, "changed the description");
    issue.description = body.description;
  }
  const before = changeableOf(issue);
  if (level >= LEVEL.planner) applyPlanning(world, reached, issue, body);
  const added = body.add_labels ?? [];
  ensureLabels(world, project, added);
  issue.labels = [...new Set([...issue.labels, ...added])].filter(
    (name) => !body.remove_labels?.includes(name),
  );
  if (body.state_event) setState(issue, body.state_event, user.id);
  addEvents(world, issue, { userId: user.id, before });
  issue.isConfidential = body.confidential ?? issue.isConfidential;
  issue.type = body.issue_type ?? issue.type;
  const isDated = level >= LEVEL.owner && body.updated_at !== undefined;
  issue.updatedAt = timestamp(isDated ? Date.parse(body.updated_at ?? "") : Date.now());
  touchProject(world, project);
  return c.json(renderIssue(world, project, issue, false));
}

/** Sets the planning fields. A milestone of another project is ignored. */
function applyPlanning(
  world: GitlabWorld,
  { project }: ReachedProject,
  issue: Issue,
  body: Pick<
    z.output<typeof change>,
    "labels" | "assignee_ids" | "assignee_id" | "milestone_id" | "due_date" | "weight" | "discussion_locked"
  >,
): void {
  if (body.labels !== undefined) {
    ensureLabels(world, project, body.labels);
    issue.labels = [...new Set(body.labels)];
  }
  const assignees = body.assignee_ids ?? (body.assignee_id === undefined ? undefined : [body.assignee_id]);
  if (assignees)
    issue.assigneeIds = assignees.filter((id) => world.state.users.some((user) => user.id === id));
  if (body.milestone_id !== undefined) {
    issue.milestoneId = milestoneIn(world, project, body.milestone_id)?.milestone.id ?? null;
  }
  if (body.due_date !== undefined) issue.dueDate = body.due_date || null;
  if (body.weight !== undefined) issue.weight = body.weight;
  issue.isDiscussionLocked = body.discussion_locked ?? issue.isDiscussionLocked;
}
