import { Hono } from "hono";
import { z } from "zod";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { LEVEL, mayReadCode, mayUse } from "../access.ts";
import { resolveCommit } from "../bare.ts";
import { addEvents, addSystemNote, changeableOf, notify, setState } from "../issuables.ts";
import { createMergeRequest } from "../merge-request-refs.ts";
import { ensureLabels, milestoneIn } from "../project-records.ts";
import { codeDirectory, touchProject } from "../projects.ts";
import { type GitlabWorld, type MergeRequest, timestamp } from "../state.ts";
import { forbidden, notFound, problem, type RestContext, type RestEnv } from "./answers.ts";
import { issuableFilters, orderKey, passes } from "./issues.ts";
import { LONGEST, lengthFaults } from "./limits.ts";
import { ordered, page } from "./pages.ts";
import { bool, csv, ids, int, readParameters, text } from "./parameters.ts";
import { type ReachedProject, reachProject, requireUser } from "./reach.ts";
import { renderMergeRequest } from "./render-merge-request.ts";
import { renderUserBrief } from "./render-users.ts";

const filters = z.object({
  ...issuableFilters,
  state: z.enum(["opened", "closed", "locked", "merged", "all"]).optional(),
  source_branch: text.optional(),
  target_branch: text.optional(),
  view: z.enum(["simple"]).optional(),
  with_merge_status_recheck: bool.optional(),
});
const fields = {
  description: text.nullable().optional(),
  assignee_id: int.optional(),
  assignee_ids: ids.optional(),
  reviewer_ids: ids.optional(),
  labels: csv.optional(),
  milestone_id: int.nullable().optional(),
  remove_source_branch: bool.optional(),
  squash: bool.optional(),
  allow_collaboration: bool.optional(),
};
const creation = z.object({
  ...fields,
  title: text,
  source_branch: text,
  target_branch: text,
  target_project_id: int.optional(),
});
const change = z.object({
  ...fields,
  title: text.optional(),
  target_branch: text.optional(),
  state_event: z.enum(["close", "reopen"]).optional(),
  add_labels: csv.optional(),
  remove_labels: csv.optional(),
  discussion_locked: bool.optional(),
});

const BASE = "/projects/:id/merge_requests";
const ONE = `${BASE}/:iid{[0-9]+}`;

/** `/projects/:id/merge_requests…`. */
export function mergeRequestRoutes(world: GitlabWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get(BASE, (c) => list(c, world));
  app.post(BASE, (c) => create(c, world));
  app.get(ONE, (c) => {
    const reached = reachMergeRequest(c, world);
    if (reached instanceof Response) return reached;
    return c.json(renderMergeRequest(world, reached.project, reached.request, { isSingle: true }));
  });
  app.put(ONE, (c) => edit(c, world));
  app.delete(ONE, (c) => {
    const reached = reachMergeRequest(c, world);
    if (reached instanceof Response) return reached;
    if (reached.level < LEVEL.owner) return forbidden(c);
    reached.project.mergeRequests = reached.project.mergeRequests.filter(
      (known) => known !== reached.request,
    );
    touchProject(world, reached.project);
    return c.body(null, 204);
  });
  app.get(`${ONE}/approvals`, (c) => {
    const reached = reachMergeRequest(c, world);
    if (reached instanceof Response) return reached;
    const { approvals } = reached.request;
    return c.json({
      user_has_approved: false,
      user_can_approve: reached.level >= LEVEL.developer,
      approved: approvals.length > 0,
      approved_by: approvals.map(({ userId, at }) => ({
        user: renderUserBrief(world, userId),
        approved_at: at,
      })),
    });
  });
  app.post(`${ONE}/approve`, (c) => {
    const reached = reachMergeRequest(c, world);
    if (reached instanceof Response) return reached;
    const user = requireUser(c);
    if (user instanceof Response) return user;
    if (reached.level < LEVEL.developer) return forbidden(c);
    reached.request.approvals.push({ userId: user.id, at: timestamp() });
    addSystemNote(world, reached.request, user.id, "approved this merge request");
    reached.request.updatedAt = timestamp();
    world.save();
    return c.json({ approved: true }, 201);
  });
  app.put(`${ONE}/merge`, (c) => merge(c, world));
  return app;
}

/** Finds a merge request for this viewer. */
export function reachMergeRequest(
  c: RestContext,
  world: GitlabWorld,
): (ReachedProject & { request: MergeRequest }) | Response {
  const reached = reachProject(c, world);
  if (reached instanceof Response) return reached;
  const { project, level } = reached;
  const request = project.mergeRequests.find(({ iid }) => iid === Number(c.req.param("iid")));
  if (!request || !mayUse(project.mergeRequestsAccess, level) || !mayReadCode(project, level))
    return notFound(c);
  return { ...reached, request };
}

async function list(c: RestContext, world: GitlabWorld): Promise<Response> {
  const reached = reachProject(c, world);
  if (reached instanceof Response) return reached;
  const query = await readParameters(c, world, filters);
  if (query instanceof Response) return query;
  const { project, level } = reached;
  if (!mayUse(project.mergeRequestsAccess, level) || !mayReadCode(project, level)) return forbidden(c);
  const found = project.mergeRequests.filter(
    (request) =>
      (query.state === undefined || query.state === "all" || request.state === query.state) &&
      (query.source_branch === undefined || request.sourceBranch === query.source_branch) &&
      (query.target_branch === undefined || request.targetBranch === query.target_branch) &&
      passes(c, request, query),
  );
  return page(c, world, ordered(found, orderKey(query.order_by), query.sort), (request) =>
    renderMergeRequest(world, project, request, { hasLabelDetails: query.with_labels_details === true }),
  );
}

/** Creates a merge request. GitLab sets its number and date; its branches must exist and differ. */
async function create(c: RestContext, world: GitlabWorld): Promise<Response> {
  const reached = reachProject(c, world);
  if (reached instanceof Response) return reached;
  const user = requireUser(c);
  if (user instanceof Response) return user;
  const { project, level } = reached;
  if (level < LEVEL.developer || !mayUse(project.mergeRequestsAccess, level)) return forbidden(c);
  const body = await readParameters(c, world, creation);
  if (body instanceof Response) return body;
  const faults = lengthFaults({
    title: { text: body.title, most: LONGEST.title },
    description: { text: body.description, most: LONGEST.description },
  });
  if (faults) return problem(c, 400, faults);
  if (body.source_branch === body.target_branch) {
    return problem(c, 409, ["You can't use same project/branch for source and target"]);
  }
  const directory = codeDirectory(world, project);
  const missing = (["source_branch", "target_branch"] as const).filter(
    (name) => resolveCommit(directory, `refs/heads/${body[name]}`) === null,
  );
  if (missing.length > 0) {
    return problem(c, 400, Object.fromEntries(missing.map((name) => [name, ["does not exist"]])));
  }
  const other = project.mergeRequests.find(
    ({ state, sourceBranch, targetBranch }) =>
      state === "opened" && sourceBranch === body.source_branch && targetBranch === body.target_branch,
  );
  if (other) {
    return problem(c, 409, [
      `Another open merge request already exists for this source branch: !${other.iid}`,
    ]);
  }
  const request = createMergeRequest(world, project, {
    title: body.title,
    description: body.description ?? null,
    authorId: user.id,
    sourceBranch: body.source_branch,
    targetBranch: body.target_branch,
  });
  apply(world, reached, request, body);
  addEvents(world, request, { userId: user.id });
  notify(world, user.id, `merge request ${request.iid}`, request.description);
  touchProject(world, project);
  return c.json(renderMergeRequest(world, project, request, { isSingle: true }), 201);
}

async function edit(c: RestContext, world: GitlabWorld): Promise<Response> {
  const reached = reachMergeRequest(c, world);
  if (reached instanceof Response) return reached;
  const user = requireUser(c);
  if (user instanceof Response) return user;
  const { project, request, level } = reached;
  if (level < LEVEL.developer && request.authorId !== user.id) return forbidden(c);
  const body = await readParameters(c, world, change);
  if (body instanceof Response) return body;
  const faults = lengthFaults({ title: { text: body.title, most: LONGEST.title } });
  if (faults) return problem(c, 400, faults);
  request.title = body.title ?? request.title;
  if (body.description !== undefined) request.description = body.description;
  request.targetBranch = body.target_branch ?? request.targetBranch;
  request.isDiscussionLocked = body.discussion_locked ?? request.isDiscussionLocked;
  const before = changeableOf(request);
  apply(world, reached, request, body);
  const added = body.add_labels ?? [];
  ensureLabels(world, project, added);
  request.labels = [...new Set([...request.labels, ...added])].filter(
    (name) => !body.remove_labels?.includes(name),
  );
  if (body.state_event) setState(request, body.state_event, user.id);
  addEvents(world, request, { userId: user.id, before });
  request.updatedAt = timestamp();
  touchProject(world, project);
  return c.json(renderMergeRequest(world, project, request, { isSingle: true }));
}

function apply(
  world: GitlabWorld,
  { project }: ReachedProject,
  request: MergeRequest,
  body: Omit<z.output<typeof change>, "title" | "description">,
): void {
  const known = (numbers: number[]) =>
    numbers.filter((id) => world.state.users.some((user) => user.id === id));
  if (body.labels !== undefined) {
    ensureLabels(world, project, body.labels);
    request.labels = [...new Set(body.labels)];
  }
  const assignees = body.assignee_ids ?? (body.assignee_id === undefined ? undefined : [body.assignee_id]);
  if (assignees) request.assigneeIds = known(assignees);
  if (body.reviewer_ids) request.reviewerIds = known(body.reviewer_ids);
  if (body.milestone_id !== undefined) {
    request.milestoneId = milestoneIn(world, project, body.milestone_id)?.milestone.id ?? null;
  }
  request.isSquash = body.squash ?? request.isSquash;
  request.removesSourceBranch = body.remove_source_branch ?? request.removesSourceBranch;
}

/** Merges with a merge commit on the target branch. */
async function merge(c: RestContext, world: GitlabWorld): Promise<Response> {
  const reached = reachMergeRequest(c, world);
  if (reached instanceof Response) return reached;
  const user = requireUser(c);
  if (user instanceof Response) return user;
  const { project, request, level } = reached;
  if (level < LEVEL.maintainer) return problem(c, 401, "401 Unauthorized");
  const body = await readParameters(
    c,
    world,
    z.object({
      sha: text.optional(),
      squash: bool.optional(),
      should_remove_source_branch: bool.optional(),
      merge_commit_message: text.optional(),
    }),
  );
  if (body instanceof Response) return body;
  if (request.state !== "opened") return problem(c, 405, "405 Method Not Allowed");
  if (body.sha !== undefined && body.sha !== request.sha) {
    return problem(c, 409, "SHA does not match HEAD of source branch");
  }
  const directory = codeDirectory(world, project);
  const target = `refs/heads/${request.targetBranch}`;
  const identity = ["-c", `user.name=${user.name}`, "-c", `user.email=${user.email}`];
  const message =
    body.merge_commit_message ?? `Merge branch '${request.sourceBranch}' into '${request.targetBranch}'`;
  const tree = runGit(directory, ["merge-tree", "--write-tree", target, request.sha]).trim();
  const parents = ["-p", target, "-p", request.sha];
  request.mergeCommitSha = runGit(directory, [
    ...identity,
    "commit-tree",
    tree,
    ...parents,
    "-m",
    message,
  ]).trim();
  runGit(directory, ["update-ref", target, request.mergeCommitSha]);
  const before = changeableOf(request);
  request.state = "merged";
  request.mergedAt = timestamp();
  request.mergedById = user.id;
  request.updatedAt = request.mergedAt;
  addEvents(world, request, { userId: user.id, before });
  touchProject(world, project);
  return c.json(renderMergeRequest(world, project, request, { isSingle: true }));
}
