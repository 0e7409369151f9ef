import { Hono } from "hono";
import { z } from "zod";
import { reachOf } from "../access.ts";
import type { Issue } from "../records.ts";
import { renderIssue, renderLabels } from "../render-issue.ts";
import { findAccount, type GithubWorld, timestamp } from "../state.ts";
import { addEvent, BODY_LIMIT, findIssue, labelsByName, openIssue, setLabels, setState } from "../threads.ts";
import { notFound, page, problem, type RestEnv, readBody, readQuery } from "./answers.ts";
import { changedSince, directionSchema, inOrder, sinceSchema } from "./lists.ts";
import { type Asked, type RouteNeeds, repositoryRouter } from "./repository-route.ts";

const listQuery = z.object({
  state: z.enum(["open", "closed", "all"]).default("open"),
  sort: z.enum(["created", "updated", "comments"]).default("created"),
  direction: directionSchema.default("desc"),
  since: sinceSchema.optional(),
  labels: z.string().optional(),
  milestone: z.string().optional(),
  assignee: z.string().optional(),
  creator: z.string().optional(),
});
const labelList = z.array(z.union([z.string(), z.object({ name: z.string() })]));
const fields = {
  body: z.string().nullable().optional(),
  milestone: z.union([z.number().int(), z.string()]).nullable().optional(),
  labels: labelList.optional(),
  assignee: z.string().nullable().optional(),
  assignees: z.array(z.string()).optional(),
};
const creation = z.object({ ...fields, title: z.union([z.string(), z.number()]) });
const change = z.object({
  ...fields,
  title: z.union([z.string(), z.number()]).nullable().optional(),
  state: z.enum(["open", "closed"]).optional(),
  state_reason: z.enum(["completed", "not_planned", "duplicate", "reopened"]).nullable().optional(),
});
const lockOrder = z
  .object({ lock_reason: z.enum(["off-topic", "too heated", "resolved", "spam"]).optional() })
  .nullable();

const READ: RouteNeeds = { permission: "issues", reach: "read", feature: "issues" };
const WRITE: RouteNeeds = { permission: "issues", reach: "write", feature: "issues" };
const ONE = "/issues/:number{[0-9]+}";

/** `/repos/…/issues`: lists, single issues, creation, changes, locks, labels and assignees. */
export function issueRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const route = repositoryRouter(app, world);
  route("GET", "/issues", READ, list);
  route("POST", "/issues", { ...READ, reach: "signed-in", isContent: true }, create);
  route("GET", ONE, { ...READ, feature: undefined }, (asked) =>
    withIssue(asked, (issue) => asked.c.json(renderIssue(world, asked.repository, issue, "single"))),
  );
  route("PATCH", ONE, { ...READ, reach: "signed-in", feature: undefined, level: "write" }, edit);
  route("PUT", `${ONE}/lock`, WRITE, lock);
  route("DELETE", `${ONE}/lock`, WRITE, (asked) =>
    withIssue(asked, (issue) => {
      issue.isLocked = false;
      issue.lockReason = null;
      addEvent(asked, issue, "unlocked");
      asked.save();
      return asked.c.body(null, 204);
    }),
  );
  route("GET", `${ONE}/labels`, READ, (asked) =>
    withIssue(asked, (issue) =>
      page(asked.c, world, renderLabels(world, asked.repository, issue.labelIds), (label) => label),
    ),
  );
  for (const method of ["POST", "PUT"] as const) {
    route(method, `${ONE}/labels`, WRITE, (asked) => writeLabels(asked, method === "POST"));
  }
  route("POST", `${ONE}/assignees`, WRITE, addAssignees);
  return app;
}

/** Runs `act` with the issue of the path. A deleted issue returns 410, any other number 404. */
export function withIssue(
  asked: Asked,
  act: (issue: Issue) => Response | Promise<Response>,
): Response | Promise<Response> {
  const number = Number(asked.c.req.param("number"));
  const issue = findIssue(asked.records, number);
  if (issue) {
    // Pull requests stay available when issues are switched off.
    if (issue.pull || asked.repository.hasIssues) return act(issue);
    return problem(asked.c, 410, "Issues has been disabled in this repository.");
  }
  if (asked.records.goneNumbers.includes(number)) {
    return problem(asked.c, 410, "This issue was deleted", {
      documentation_url: "https://docs.github.com/v3/issues/",
    });
  }
  return notFound(asked.c);
}

function list({ c, world, repository, records }: Asked): Response {
  const query = readQuery(c, world, listQuery);
  if (query instanceof Response) return query;
  const names = query.labels?.toLowerCase().split(",") ?? [];
  const nameOf = new Map(records.labels.map(({ id, name }) => [id, name.toLowerCase()]));
  const found = changedSince(records.issues, query.since, ({ updatedAt }) => updatedAt).filter((issue) => {
    if (query.state !== "all" && issue.state !== query.state) return false;
    if (query.creator !== undefined && issue.author !== query.creator) return false;
    if (query.assignee === "none" && issue.assignees.length > 0) return false;
    if (query.assignee === "*" && issue.assignees.length === 0) return false;
    if (query.assignee && !["none", "*", ...issue.assignees].includes(query.assignee)) return false;
    if (query.milestone === "none" ? issue.milestone !== null : !isWithin(issue, query.milestone))
      return false;
    return names.every((name) => issue.labelIds.some((id) => nameOf.get(id) === name));
  });
  const key = {
    created: (issue: Issue) => issue.createdAt,
    updated: (issue: Issue) => issue.updatedAt,
    comments: (issue: Issue) => issue.commentCount,
  }[query.sort];
  return page(
    c,
    world,
    inOrder(found, key, query.direction),
    (issue) => renderIssue(world, repository, issue),
    {
      path: `/repositories/${repository.id}/issues`,
    },
  );
}

function isWithin(issue: Issue, milestone: string | undefined): boolean {
  if (milestone === undefined) return true;
  return milestone === "*" ? issue.milestone !== null : String(issue.milestone) === milestone;
}

async function create(asked: Asked): Promise<Response> {
  const { c, world, repository } = asked;
  const body = await readBody(c, world, creation);
  if (body instanceof Response) return body;
  const fault = textFault(String(body.title), body.body) ?? referenceFault(asked, body);
  if (fault) return invalid(asked, fault);
  const issue = openIssue(asked, { title: String(body.title), body: body.body ?? null });
  // GitHub silently ignores these fields from people who may not push.
  if (mayPush(asked)) applyReferences(asked, issue, body);
  asked.save();
  c.header("Location", `${world.apiUrl}/repos/${repository.owner}/${repository.name}/issues/${issue.number}`);
  return c.json(renderIssue(world, repository, issue, "single"), 201);
}

function edit(asked: Asked): Response | Promise<Response> {
  return withIssue(asked, async (issue) => {
    const { c, world, repository, login } = asked;
    const body = await readBody(c, world, change);
    if (body instanceof Response) return body;
    if (!mayPush(asked) && issue.author !== login) {
      return problem(c, 403, "Must have admin rights to Repository.");
    }
    const title = body.title === undefined || body.title === null ? issue.title : String(body.title);
    const fault = textFault(title, body.body) ?? referenceFault(asked, body);
    if (fault) return invalid(asked, fault);
    if (title !== issue.title) {
      addEvent(asked, issue, "renamed", { rename: { from: issue.title, to: title } });
      issue.title = title;
    }
    if (body.body !== undefined) issue.body = body.body;
    if (mayPush(asked)) applyReferences(asked, issue, body);
    if (body.state !== undefined) setState(asked, issue, body.state, body.state_reason ?? null);
    issue.updatedAt = timestamp();
    asked.save();
    return c.json(renderIssue(world, repository, issue, "single"));
  });
}

function lock(asked: Asked): Response | Promise<Response> {
  return withIssue(asked, async (issue) => {
    const hasBody = Number(asked.c.req.header("content-length") ?? "0") > 0;
    const body = hasBody ? await readBody(asked.c, asked.world, lockOrder) : null;
    if (body instanceof Response) return body;
    issue.isLocked = true;
    issue.lockReason = body?.lock_reason ?? null;
    addEvent(asked, issue, "locked", { lock_reason: issue.lockReason });
    asked.save();
    return asked.c.body(null, 204);
  });
}

function writeLabels(asked: Asked, isAddition: boolean): Response | Promise<Response> {
  return withIssue(asked, async (issue) => {
    const body = await readBody(asked.c, asked.world, z.union([z.object({ labels: labelList }), labelList]));
    if (body instanceof Response) return body;
    const named = labelsByName(asked, labelNames(Array.isArray(body) ? body : body.labels));
    const kept = isAddition ? asked.records.labels.filter(({ id }) => issue.labelIds.includes(id)) : [];
    setLabels(asked, issue, [...kept, ...named]);
    asked.save();
    return asked.c.json(renderLabels(asked.world, asked.repository, issue.labelIds));
  });
}

function addAssignees(asked: Asked): Response | Promise<Response> {
  return withIssue(asked, async (issue) => {
    const body = await readBody(asked.c, asked.world, z.object({ assignees: z.array(z.string()) }));
    if (body instanceof Response) return body;
    const known = body.assignees.filter((login) => findAccount(asked.world, login));
    setAssignees(asked, issue, [...new Set([...issue.assignees, ...known])].slice(0, 10));
    asked.save();
    return asked.c.json(renderIssue(asked.world, asked.repository, issue, "single"), 201);
  });
}

type References = Pick<z.output<typeof change>, "milestone" | "labels" | "assignee" | "assignees">;

/** A field of a body that GitHub refuses. */
export type FieldFault = { field: string; code: string; value?: string; message?: string };

/** What is wrong with a title or a text; null when nothing is. */
export function textFault(title: string | null, body: string | null | undefined): FieldFault | null {
  if (title !== null && title.trim() === "") return { field: "title", code: "missing_field" };
  if (title !== null && title.length > 256) {
    return { field: "title", code: "custom", message: "title is too long (maximum is 256 characters)" };
  }
  return bodyFault(body);
}

/** What is wrong with a text; null when nothing is. */
export function bodyFault(body: string | null | undefined, most = BODY_LIMIT): FieldFault | null {
  if (!body || [...body].length <= most) return null;
  const message = `body is too long (maximum is ${most} characters)`;
  return { field: "body", code: "custom", message };
}

function referenceFault({ world, records }: Asked, body: References): FieldFault | null {
  const { milestone } = body;
  if (milestone !== undefined && milestone !== null) {
    const isKnown = records.milestones.some(({ number }) => number === Number(milestone));
    if (!isKnown) return { field: "milestone", code: "invalid", value: String(milestone) };
  }
  const logins = body.assignees ?? (body.assignee ? [body.assignee] : []);
  const stranger = logins.find((login) => !findAccount(world, login));
  if (stranger !== undefined) return { field: "assignees", code: "invalid", value: stranger };
  const long = labelNames(body.labels ?? []).find((name) => name.length > 50);
  return long === undefined ? null : { field: "name", code: "invalid", value: long };
}

function applyReferences(asked: Asked, issue: Issue, body: References): void {
  if (body.labels !== undefined) setLabels(asked, issue, labelsByName(asked, labelNames(body.labels)));
  if (body.milestone !== undefined) setMilestone(asked, issue, body.milestone);
  const logins = body.assignees ?? (body.assignee === undefined ? null : [body.assignee]);
  if (logins) {
    setAssignees(
      asked,
      issue,
      logins.filter((login): login is string => login !== null && login !== ""),
    );
  }
}

function setMilestone(asked: Asked, issue: Issue, wanted: number | string | null): void {
  const number = wanted === null || wanted === "" ? null : Number(wanted);
  if (number === issue.milestone) return;
  const titled = (of: number | null) => ({
    milestone: { title: asked.records.milestones.find((known) => known.number === of)?.title ?? "" },
  });
  if (issue.milestone !== null) addEvent(asked, issue, "demilestoned", titled(issue.milestone));
  if (number !== null) addEvent(asked, issue, "milestoned", titled(number));
  issue.milestone = number;
}

function setAssignees(asked: Asked, issue: Issue, logins: readonly string[]): void {
  for (const login of logins) {
    if (issue.assignees.includes(login)) continue;
    addEvent(asked, issue, "assigned", { assignee: login, assigner: asked.login });
  }
  for (const login of issue.assignees) {
    if (logins.includes(login)) continue;
    addEvent(asked, issue, "unassigned", { assignee: login, assigner: asked.login });
  }
  issue.assignees = [...new Set(logins)].slice(0, 10);
}

function labelNames(labels: z.output<typeof labelList>): string[] {
  return labels.map((label) => (typeof label === "string" ? label : label.name));
}

/** Whether the viewer may label, assign and close other people's issues. */
export function mayPush({ world, viewer, repository }: Asked): boolean {
  return ["write", "admin"].includes(reachOf(world, viewer, repository));
}

/** GitHub's refusal of a body (422). */
export function invalid({ c }: Pick<Asked, "c">, fault: FieldFault, resource = "Issue"): Response {
  return problem(c, 422, "Validation Failed", { errors: [{ resource, ...fault }] });
}
