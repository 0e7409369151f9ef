import { Hono } from "hono";
import { z } from "zod";
import { branchTip, compareCommits, publishPull } from "../pull-git.ts";
import { renderRepository } from "../render.ts";
import { renderLogin } from "../render-issue.ts";
import { isPull, type PullRequest, renderPull, renderPullSimple } from "../render-pull.ts";
import { findAccount, type GithubWorld, nextId, timestamp } from "../state.ts";
import { addEvent, findIssue, openIssue, setState } from "../threads.ts";
import { notFound, page, problem, type RestEnv, readBody, readQuery } from "./answers.ts";
import { type FieldFault, invalid, mayPush, textFault } from "./issues.ts";
import { directionSchema, inOrder } from "./lists.ts";
import { type Asked, type RouteNeeds, repositoryRouter } from "./repository-route.ts";

const listQuery = z.object({
  state: z.enum(["open", "closed", "all"]).default("open"),
  head: z.string().optional(),
  base: z.string().optional(),
  sort: z.enum(["created", "updated", "popularity", "long-running"]).default("created"),
  direction: directionSchema.optional(),
});
const creation = z.object({
  title: z.string().optional(),
  head: z.string(),
  base: z.string(),
  body: z.string().nullable().optional(),
  draft: z.boolean().optional(),
  maintainer_can_modify: z.boolean().optional(),
  issue: z.number().int().optional(),
});
const change = z.object({
  title: z.string().optional(),
  body: z.string().nullable().optional(),
  state: z.enum(["open", "closed"]).optional(),
  base: z.string().optional(),
  maintainer_can_modify: z.boolean().optional(),
});

const READ: RouteNeeds = { permission: "pull_requests", reach: "read" };
const WRITE: RouteNeeds = { permission: "pull_requests", reach: "signed-in" };
const ONE = "/pulls/:number{[0-9]+}";

/** `/repos/…/pulls`: lists, single pull requests, creation from an existing branch, and changes. */
export function pullRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const route = repositoryRouter(app, world);
  route("GET", "/pulls", READ, list);
  route("POST", "/pulls", { ...WRITE, isContent: true }, create);
  route("GET", ONE, READ, (asked) => withPull(asked, (pull) => answer(asked, pull)));
  route("PATCH", ONE, WRITE, edit);
  route("GET", `${ONE}/requested_reviewers`, READ, (asked) =>
    withPull(asked, ({ pull }) => {
      const users = pull.requestedReviewers.map((login) => renderLogin(world, login));
      return asked.c.json({ users, teams: [] });
    }),
  );
  route("POST", `${ONE}/requested_reviewers`, { ...WRITE, reach: "write" }, requestReviewers);
  return app;
}

/** Runs `act` with the pull request of the path. An issue with that number returns 404. */
export function withPull(
  asked: Asked,
  act: (pull: PullRequest) => Response | Promise<Response>,
): Response | Promise<Response> {
  const issue = findIssue(asked.records, Number(asked.c.req.param("number")));
  return issue && isPull(issue) ? act(issue) : notFound(asked.c);
}

function answer(
  { c, world, viewer, repository }: Asked,
  pull: PullRequest,
  status: 200 | 201 = 200,
): Response {
  return c.json(renderPull(world, repository, pull, renderRepository(world, viewer, repository)), status);
}

/** This list has no `since`; clients find changes by `sort=updated` only. */
function list({ c, world, viewer, repository, records }: Asked): Response {
  const query = readQuery(c, world, listQuery);
  if (query instanceof Response) return query;
  const found = records.issues.filter(isPull).filter(({ state, pull }) => {
    if (query.state !== "all" && state !== query.state) return false;
    if (query.base !== undefined && pull.baseRef !== query.base) return false;
    // A head without an owner is ignored, so all pull requests are returned.
    return !query.head?.includes(":") || query.head === `${pull.headOwner}:${pull.headRef}`;
  });
  const key = {
    created: ({ createdAt }: PullRequest) => createdAt,
    updated: ({ updatedAt }: PullRequest) => updatedAt,
    popularity: ({ commentCount }: PullRequest) => commentCount,
    "long-running": ({ createdAt }: PullRequest) => createdAt,
  }[query.sort];
  const direction = query.direction ?? (query.sort === "created" ? "desc" : "asc");
  const shown = renderRepository(world, viewer, repository);
  return page(
    c,
    world,
    inOrder(found, key, direction),
    (pull) => renderPullSimple(world, repository, pull, shown),
    {
      path: `/repositories/${repository.id}/pulls`,
    },
  );
}

async function create(asked: Asked): Promise<Response> {
  const { c, world, repository, records } = asked;
  const body = await readBody(c, world, creation);
  if (body instanceof Response) return body;
  const converted = body.issue === undefined ? null : findIssue(records, body.issue);
  if (body.issue !== undefined && (!converted || converted.pull)) {
    return invalid(asked, { field: "issue", code: "invalid" }, "PullRequest");
  }
  const headRef = body.head.slice(body.head.indexOf(":") + 1);
  const headOwner = body.head.includes(":") ? body.head.slice(0, body.head.indexOf(":")) : repository.owner;
  const head = headOwner === repository.owner ? branchTip(world, repository, headRef) : null;
  const base = branchTip(world, repository, body.base);
  const fault =
    (converted ? null : textFault(body.title ?? "", body.body)) ??
    branchFault(asked, { headOwner, headRef, head, baseRef: body.base, base });
  if (fault || head === null || base === null) {
    return invalid(asked, fault ?? { field: "head", code: "invalid" }, "PullRequest");
  }
  const distance = compareCommits(world, repository, base, head);
  const facts = {
    id: nextId(world.state),
    headOwner: repository.owner,
    headRef,
    headSha: head,
    baseRef: body.base,
    baseSha: base,
    isDraft: body.draft ?? false,
    canMaintainerModify: false,
    mergedAt: null,
    mergedBy: null,
    mergeSha: null,
    requestedReviewers: [],
    ...(distance ?? { commits: 0, additions: 0, deletions: 0, changedFiles: 0 }),
  };
  const issue = converted ?? openIssue(asked, { title: body.title ?? "", body: body.body ?? null });
  issue.pull = facts;
  issue.updatedAt = timestamp();
  publishPull(world, repository, issue.number, head);
  asked.save();
  return isPull(issue) ? answer(asked, issue, 201) : notFound(c);
}

type Sides = {
  headOwner: string;
  headRef: string;
  head: string | null;
  baseRef: string;
  base: string | null;
};

/** GitHub's reasons to refuse a pull request between two branches. */
function branchFault({ world, repository, records }: Asked, sides: Sides): FieldFault | null {
  const { headOwner, headRef, head, baseRef, base } = sides;
  const custom = (message: string) => ({ field: "base", code: "custom", message });
  if (base === null) return { field: "base", code: "invalid" };
  if (head === null) return { field: "head", code: "invalid" };
  const distance = compareCommits(world, repository, base, head);
  if (distance === null) return custom(`The ${headRef} branch has no history in common with ${baseRef}`);
  if (distance.commits === 0) return custom(`No commits between ${baseRef} and ${headRef}`);
  const isTwin = records.issues.some(
    ({ state, pull }) => state === "open" && pull?.headRef === headRef && pull.baseRef === baseRef,
  );
  return isTwin ? custom(`A pull request already exists for ${headOwner}:${headRef}.`) : null;
}

function edit(asked: Asked): Response | Promise<Response> {
  return withPull(asked, async (pull) => {
    const { c, world, repository, login } = asked;
    const body = await readBody(c, world, change);
    if (body instanceof Response) return body;
    if (!mayPush(asked) && pull.author !== login) {
      return problem(c, 403, "Must have admin rights to Repository.");
    }
    const fault = textFault(body.title ?? pull.title, body.body);
    if (fault) return invalid(asked, fault, "PullRequest");
    if (body.base !== undefined) {
      const base = branchTip(world, repository, body.base);
      if (base === null) return invalid(asked, { field: "base", code: "invalid" }, "PullRequest");
      pull.pull.baseRef = body.base;
      pull.pull.baseSha = base;
    }
    if (body.state === "open" && pull.pull.mergedAt !== null) {
      const message = "state cannot be changed. The pull request has been merged.";
      return invalid(asked, { field: "state", code: "invalid", message }, "PullRequest");
    }
    pull.title = body.title ?? pull.title;
    if (body.body !== undefined) pull.body = body.body;
    if (body.state !== undefined) setState(asked, pull, body.state, null);
    pull.updatedAt = timestamp();
    asked.save();
    return answer(asked, pull);
  });
}

function requestReviewers(asked: Asked): Response | Promise<Response> {
  return withPull(asked, async (pull) => {
    const { c, world, viewer, repository } = asked;
    const schema = z.object({
      reviewers: z.array(z.string()).default([]),
      team_reviewers: z.array(z.string()).default([]),
    });
    const body = await readBody(c, world, schema);
    if (body instanceof Response) return body;
    const refused = body.reviewers.find((login) => !findAccount(world, login) || login === pull.author);
    if (refused !== undefined) {
      const message =
        refused === pull.author
          ? "Review cannot be requested from pull request author."
          : "Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the repository.";
      return problem(c, 422, message);
    }
    for (const login of body.reviewers) {
      if (pull.pull.requestedReviewers.includes(login)) continue;
      pull.pull.requestedReviewers.push(login);
      addEvent(asked, pull, "review_requested", {
        review_requester: asked.login,
        requested_reviewer: login,
      });
    }
    asked.save();
    const shown = renderRepository(world, viewer, repository);
    return c.json(renderPullSimple(world, repository, pull, shown), 201);
  });
}
