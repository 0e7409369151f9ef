import { Hono } from "hono";
import { z } from "zod";
import { hunkAt } from "../pull-git.ts";
import type { Review, ReviewComment } from "../records.ts";
import { type PullRequest, renderReview, renderReviewComment } from "../render-pull.ts";
import { type GithubWorld, nextId, timestamp } from "../state.ts";
import { touch } from "../threads.ts";
import { notFound, page, problem, type RestEnv, readBody, readQuery } from "./answers.ts";
import { bodyFault, invalid, mayPush } from "./issues.ts";
import { changedSince, directionSchema, inOrder, sinceSchema } from "./lists.ts";
import { withPull } from "./pulls.ts";
import { type Asked, type RouteNeeds, repositoryRouter } from "./repository-route.ts";

const lines = {
  path: z.string(),
  body: z.string(),
  position: z.number().int().optional(),
  line: z.number().int().optional(),
  side: z.enum(["LEFT", "RIGHT"]).optional(),
  start_line: z.number().int().nullable().optional(),
  start_side: z.string().optional(),
};
const reviewOrder = z.object({
  commit_id: z.string().optional(),
  body: z.string().optional(),
  event: z.enum(["APPROVE", "REQUEST_CHANGES", "COMMENT"]).optional(),
  comments: z.array(z.object(lines)).default([]),
});
const commentOrder = z.object({
  ...lines,
  commit_id: z.string(),
  in_reply_to: z.number().int().optional(),
  subject_type: z.enum(["line", "file"]).optional(),
});
const listQuery = z.object({
  sort: z.enum(["created", "updated", "created_at"]).optional(),
  direction: directionSchema.optional(),
  since: sinceSchema.optional(),
});

const READ: RouteNeeds = { permission: "pull_requests", reach: "read" };
const CREATE: RouteNeeds = { permission: "pull_requests", reach: "signed-in", isContent: true };
const WRITE: RouteNeeds = { permission: "pull_requests", reach: "signed-in" };
const PULL = "/pulls/:number{[0-9]+}";
const COMMENT = "/pulls/comments/:comment{[0-9]+}";
const STATES = { APPROVE: "APPROVED", REQUEST_CHANGES: "CHANGES_REQUESTED", COMMENT: "COMMENTED" } as const;

/** Reviews of pull requests, and review comments. */
export function reviewRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const route = repositoryRouter(app, world);
  route("GET", `${PULL}/reviews`, READ, listReviews);
  route("POST", `${PULL}/reviews`, CREATE, createReview);
  route("GET", `${PULL}/reviews/:review{[0-9]+}`, READ, (asked) =>
    withReview(asked, (review) => asked.c.json(renderReview(world, asked.repository, review))),
  );
  route("GET", `${PULL}/reviews/:review{[0-9]+}/comments`, READ, (asked) =>
    withReview(asked, (review) =>
      listComments(
        asked,
        asked.records.reviewComments.filter((comment) => comment.review === review.id),
      ),
    ),
  );
  route("GET", "/pulls/comments", READ, (asked) => listComments(asked, asked.records.reviewComments));
  route("GET", `${PULL}/comments`, READ, (asked) =>
    withPull(asked, ({ number }) =>
      listComments(
        asked,
        asked.records.reviewComments.filter((comment) => comment.pull === number),
      ),
    ),
  );
  route("POST", `${PULL}/comments`, CREATE, createComment);
  route("POST", `${PULL}/comments/:comment{[0-9]+}/replies`, CREATE, reply);
  route("GET", COMMENT, READ, (asked) =>
    withComment(asked, (comment) => asked.c.json(renderReviewComment(world, asked.repository, comment))),
  );
  route("PATCH", COMMENT, WRITE, (asked) =>
    withComment(asked, async (comment) => {
      const body = await readBody(asked.c, world, z.object({ body: z.string() }));
      if (body instanceof Response) return body;
      if (comment.author !== asked.login && !mayPush(asked)) return problem(asked.c, 403, "Forbidden");
      comment.body = body.body;
      comment.updatedAt = timestamp();
      asked.save();
      return asked.c.json(renderReviewComment(world, asked.repository, comment));
    }),
  );
  return app;
}

function withReview(asked: Asked, act: (review: Review) => Response): Response | Promise<Response> {
  return withPull(asked, ({ number }) => {
    const id = Number(asked.c.req.param("review"));
    const review = asked.records.reviews.find((known) => known.id === id && known.pull === number);
    return review && isShown(asked, review) ? act(review) : notFound(asked.c);
  });
}

function withComment(
  asked: Asked,
  act: (comment: ReviewComment) => Response | Promise<Response>,
): Response | Promise<Response> {
  const id = Number(asked.c.req.param("comment"));
  const comment = asked.records.reviewComments.find((known) => known.id === id);
  return comment ? act(comment) : notFound(asked.c);
}

/** Only its author sees a pending review. */
function isShown({ login }: Asked, review: Review): boolean {
  return review.state !== "PENDING" || review.author === login;
}

function listReviews(asked: Asked): Response | Promise<Response> {
  return withPull(asked, ({ number }) => {
    const { c, world, repository, records } = asked;
    const own = records.reviews.filter((review) => review.pull === number && isShown(asked, review));
    return page(
      c,
      world,
      inOrder(own, ({ id }) => id, "asc"),
      (review) => renderReview(world, repository, review),
      {
        path: `/repositories/${repository.id}/pulls/${number}/reviews`,
      },
    );
  });
}

function listComments(asked: Asked, comments: readonly ReviewComment[]): Response {
  const { c, world, repository, records } = asked;
  const query = readQuery(c, world, listQuery);
  if (query instanceof Response) return query;
  const hidden = records.reviews.filter((review) => !isShown(asked, review)).map(({ id }) => id);
  const seen = comments.filter((comment) => !hidden.includes(comment.review));
  const found = changedSince(seen, query.since, ({ updatedAt }) => updatedAt);
  const key = (comment: ReviewComment) =>
    query.sort === undefined ? comment.id : query.sort === "updated" ? comment.updatedAt : comment.createdAt;
  const direction = query.sort === undefined ? "asc" : (query.direction ?? "desc");
  const path = new URL(c.req.url).pathname.split("/").slice(5).join("/");
  const isByName = c.req.param("id") === undefined;
  return page(
    c,
    world,
    inOrder(found, key, direction),
    (comment) => renderReviewComment(world, repository, comment),
    { path: isByName ? `/repositories/${repository.id}/${path}` : undefined },
  );
}

function createReview(asked: Asked): Response | Promise<Response> {
  return withPull(asked, async (pull) => {
    const { c, world, repository, records, login } = asked;
    const body = await readBody(c, world, reviewOrder);
    if (body instanceof Response) return body;
    const fault = bodyFault(body.body);
    if (fault) return invalid(asked, fault, "PullRequestReview");
    if (pull.author === login && (body.event === "APPROVE" || body.event === "REQUEST_CHANGES")) {
      const what = body.event === "APPROVE" ? "approve" : "request changes on";
      return refuse(asked, `Can not ${what} your own pull request`);
    }
    if (body.event !== undefined && body.event !== "APPROVE" && !body.body && body.comments.length === 0) {
      return refuse(asked, "Could not create review: body is required for this event");
    }
    const hunks = body.comments.map((comment) => hunkOf(asked, pull, comment));
    if (hunks.includes(null)) return refuse(asked, "Line could not be resolved");
    const review: Review = {
      id: nextId(world.state),
      pull: pull.number,
      author: login,
      body: body.body ?? "",
      state: body.event === undefined ? "PENDING" : STATES[body.event],
      commit: body.commit_id ?? pull.pull.headSha,
      submittedAt: body.event === undefined ? null : timestamp(),
      reactions: [],
    };
    records.reviews.push(review);
    for (const [index, comment] of body.comments.entries()) {
      keepComment(asked, pull, review.id, { ...comment, hunk: hunks[index] ?? "" });
    }
    if (body.event !== undefined) {
      pull.pull.requestedReviewers = pull.pull.requestedReviewers.filter((known) => known !== login);
      touch(pull);
    }
    asked.save();
    return c.json(renderReview(world, repository, review), 200);
  });
}

function refuse({ c }: Asked, reason: string): Response {
  return c.json(
    {
      message: "Unprocessable Entity",
      errors: [reason],
      documentation_url: "https://docs.github.com/rest/pulls/reviews",
      status: "422",
    },
    422,
  );
}

type LineOrder = Omit<z.output<typeof commentOrder>, "commit_id"> & { commit_id?: string };

function hunkOf({ world, repository }: Asked, { pull }: PullRequest, order: LineOrder): string | null {
  const line = order.subject_type === "file" ? null : (order.line ?? order.position ?? null);
  const { baseSha: base, headSha: head } = pull;
  return hunkAt(world, repository, { base, head, path: order.path, line, side: order.side ?? "RIGHT" });
}

function createComment(asked: Asked): Response | Promise<Response> {
  return withPull(asked, async (pull) => {
    const { c, world, repository, records } = asked;
    const body = await readBody(c, world, commentOrder);
    if (body instanceof Response) return body;
    const answered = records.reviewComments.find(({ id }) => id === body.in_reply_to);
    if (answered) return addReply(asked, pull, answered, body.body);
    const field = (name: string, code: string) =>
      invalid(asked, { field: `pull_request_review_thread.${name}`, code }, "PullRequestReviewComment");
    const fault = bodyFault(body.body);
    if (fault) return invalid(asked, fault, "PullRequestReviewComment");
    if (body.line === undefined && body.position === undefined && body.subject_type !== "file") {
      return field("line", "missing_field");
    }
    const hunk = hunkOf(asked, pull, body);
    if (hunk === null) return field("line", "invalid");
    const comment = keepComment(asked, pull, ownReview(asked, pull), { ...body, hunk });
    touch(pull);
    asked.save();
    return c.json(renderReviewComment(world, repository, comment), 201);
  });
}

function reply(asked: Asked): Response | Promise<Response> {
  return withPull(asked, (pull) =>
    withComment(asked, async (answered) => {
      const body = await readBody(asked.c, asked.world, z.object({ body: z.string() }));
      return body instanceof Response ? body : addReply(asked, pull, answered, body.body);
    }),
  );
}

/** Adds a reply to the first comment of the thread, whichever comment it was sent to. */
function addReply(asked: Asked, pull: PullRequest, answered: ReviewComment, body: string): Response {
  const { c, world, repository, records, login } = asked;
  const now = timestamp();
  const comment: ReviewComment = {
    ...answered,
    id: nextId(world.state),
    review: ownReview(asked, pull),
    author: login,
    replyTo: answered.replyTo ?? answered.id,
    body,
    createdAt: now,
    updatedAt: now,
    reactions: [],
  };
  records.reviewComments.push(comment);
  touch(pull);
  asked.save();
  return c.json(renderReviewComment(world, repository, comment), 201);
}

/** A single review comment gets its own review, without a text. */
function ownReview({ world, records, login }: Asked, pull: PullRequest): number {
  const id = nextId(world.state);
  records.reviews.push({
    id,
    pull: pull.number,
    author: login,
    body: "",
    state: "COMMENTED",
    commit: pull.pull.headSha,
    submittedAt: timestamp(),
    reactions: [],
  });
  return id;
}

function keepComment(
  { world, records, login }: Asked,
  { number, pull }: PullRequest,
  review: number,
  order: LineOrder & { hunk: string },
): ReviewComment {
  const now = timestamp();
  const line = order.subject_type === "file" ? null : (order.line ?? order.position ?? null);
  const comment: ReviewComment = {
    id: nextId(world.state),
    pull: number,
    review,
    author: login,
    path: order.path,
    diffHunk: order.hunk,
    line,
    originalLine: line,
    startLine: order.start_line ?? null,
    side: order.side ?? "RIGHT",
    subject: order.subject_type ?? "line",
    commit: order.commit_id ?? pull.headSha,
    originalCommit: order.commit_id ?? pull.headSha,
    replyTo: null,
    body: order.body,
    createdAt: now,
    updatedAt: now,
    reactions: [],
  };
  records.reviewComments.push(comment);
  return comment;
}
