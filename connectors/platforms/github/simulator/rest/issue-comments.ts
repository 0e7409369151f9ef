import { Hono } from "hono";
import { z } from "zod";
import type { IssueComment } from "../records.ts";
import { renderComment } from "../render-issue.ts";
import { type GithubWorld, timestamp } from "../state.ts";
import { addComment, findIssue } from "../threads.ts";
import { notFound, page, problem, type RestEnv, readBody, readQuery } from "./answers.ts";
import { bodyFault, invalid, mayPush, withIssue } from "./issues.ts";
import { changedSince, directionSchema, inOrder, sinceSchema } from "./lists.ts";
import { type Asked, type RouteNeeds, repositoryRouter } from "./repository-route.ts";

const allQuery = z.object({
  sort: z.enum(["created", "updated"]).optional(),
  direction: directionSchema.optional(),
  since: sinceSchema.optional(),
});
const ownQuery = z.object({ since: sinceSchema.optional() });
const order = z.object({ body: z.string() });

const READ: RouteNeeds = { permission: "issues", reach: "read" };
const WRITE: RouteNeeds = { permission: "issues", reach: "signed-in" };
const ONE = "/issues/comments/:comment{[0-9]+}";
const OF_ISSUE = "/issues/:number{[0-9]+}/comments";

/** Comments on issues and pull requests: of the whole repository, of one thread, and single ones. */
export function issueCommentRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const route = repositoryRouter(app, world);
  route("GET", "/issues/comments", { ...READ, feature: "issues" }, listAll);
  route("GET", OF_ISSUE, READ, listOfIssue);
  route("POST", OF_ISSUE, { ...WRITE, isContent: true }, create);
  route("GET", ONE, READ, (asked) =>
    withComment(asked, (comment) => asked.c.json(renderComment(world, asked.repository, comment))),
  );
  route("PATCH", ONE, WRITE, edit);
  route("DELETE", ONE, WRITE, remove);
  return app;
}

/** Runs `act` with the comment of the path. */
export function withComment(
  asked: Asked,
  act: (comment: IssueComment) => Response | Promise<Response>,
): Response | Promise<Response> {
  const id = Number(asked.c.req.param("comment"));
  const comment = asked.records.comments.find((known) => known.id === id);
  return comment ? act(comment) : notFound(asked.c);
}

/** Without `sort`, `direction` is ignored and ids ascend. */
function listAll({ c, world, repository, records }: Asked): Response {
  const query = readQuery(c, world, allQuery);
  if (query instanceof Response) return query;
  const found = changedSince(records.comments, query.since, ({ updatedAt }) => updatedAt);
  const direction = query.direction ?? (query.sort === undefined ? "asc" : "desc");
  const ordered =
    query.sort === undefined
      ? inOrder(found, ({ id }) => id, "asc")
      : inOrder(
          found,
          ({ createdAt, updatedAt }) => (query.sort === "created" ? createdAt : updatedAt),
          direction,
        );
  return page(c, world, ordered, (comment) => renderComment(world, repository, comment), {
    path: `/repositories/${repository.id}/issues/comments`,
  });
}

function listOfIssue(asked: Asked): Response | Promise<Response> {
  return withIssue(asked, (issue) => {
    const { c, world, repository, records } = asked;
    const query = readQuery(c, world, ownQuery);
    if (query instanceof Response) return query;
    const own = records.comments.filter((comment) => comment.issue === issue.number);
    const found = changedSince(own, query.since, ({ updatedAt }) => updatedAt);
    return page(
      c,
      world,
      inOrder(found, ({ id }) => id, "asc"),
      (comment) => renderComment(world, repository, comment),
      {
        path: `/repositories/${repository.id}/issues/${issue.number}/comments`,
      },
    );
  });
}

function create(asked: Asked): Response | Promise<Response> {
  return withIssue(asked, async (issue) => {
    const { c, world, repository } = asked;
    const body = await readBody(c, world, order);
    if (body instanceof Response) return body;
    if (body.body.trim() === "") {
      return invalid(
        asked,
        { field: "body", code: "custom", message: "body cannot be blank" },
        "IssueComment",
      );
    }
    const fault = bodyFault(body.body);
    if (fault) return invalid(asked, fault, "IssueComment");
    if (issue.isLocked && !mayPush(asked)) {
      return problem(c, 403, "Unable to create comment because issue is locked.");
    }
    const comment = addComment(asked, issue, { body: body.body });
    asked.save();
    return c.json(renderComment(world, repository, comment), 201);
  });
}

function edit(asked: Asked): Response | Promise<Response> {
  return withComment(asked, async (comment) => {
    const { c, world, repository, login } = asked;
    const body = await readBody(c, world, order);
    if (body instanceof Response) return body;
    if (comment.author !== login && !mayPush(asked)) {
      return problem(c, 403, "Must have admin rights to Repository.");
    }
    const fault = bodyFault(body.body);
    if (fault) return invalid(asked, fault, "IssueComment");
    comment.body = body.body;
    comment.updatedAt = timestamp();
    asked.save();
    return c.json(renderComment(world, repository, comment));
  });
}

function remove(asked: Asked): Response | Promise<Response> {
  return withComment(asked, (comment) => {
    if (comment.author !== asked.login && !mayPush(asked)) {
      return problem(asked.c, 403, "Must have admin rights to Repository.");
    }
    asked.records.comments = asked.records.comments.filter((known) => known !== comment);
    const issue = findIssue(asked.records, comment.issue);
    if (issue) issue.commentCount -= 1;
    asked.save();
    return asked.c.body(null, 204);
  });
}
