import { Hono } from "hono";
import { renderComment, renderEvent, renderIssue } from "../render-issue.ts";
import { renderReview } from "../render-pull.ts";
import type { GithubWorld } from "../state.ts";
import { findIssue } from "../threads.ts";
import { notFound, page, type RestEnv } from "./answers.ts";
import { withIssue } from "./issues.ts";
import { inOrder } from "./lists.ts";
import { type Asked, type RouteNeeds, repositoryRouter } from "./repository-route.ts";

const READ: RouteNeeds = { permission: "issues", reach: "read" };

/** Events of issues and pull requests, and the timeline, which also contains comments and reviews. */
export function issueEventRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const route = repositoryRouter(app, world);
  // The repository's list includes the issue of each event and is newest first.
  route("GET", "/issues/events", { ...READ, feature: "issues" }, ({ c, repository, records }) =>
    page(
      c,
      world,
      inOrder(records.events, ({ id }) => id, "desc"),
      (event) => {
        const issue = findIssue(records, event.issue);
        return {
          ...renderEvent(world, repository, event),
          issue: issue ? renderIssue(world, repository, issue) : null,
        };
      },
      { path: `/repositories/${repository.id}/issues/events` },
    ),
  );
  route("GET", "/issues/events/:event{[0-9]+}", READ, ({ c, repository, records }) => {
    const event = records.events.find(({ id }) => id === Number(c.req.param("event")));
    const issue = event && findIssue(records, event.issue);
    if (!event || !issue) return notFound(c);
    return c.json({
      ...renderEvent(world, repository, event),
      issue: renderIssue(world, repository, issue),
    });
  });
  route("GET", "/issues/:number{[0-9]+}/events", READ, (asked) =>
    withIssue(asked, (issue) => {
      const { c, repository, records } = asked;
      const own = records.events.filter((event) => event.issue === issue.number);
      return page(
        c,
        world,
        inOrder(own, ({ id }) => id, "asc"),
        (event) => renderEvent(world, repository, event),
        {
          path: `/repositories/${repository.id}/issues/${issue.number}/events`,
        },
      );
    }),
  );
  route("GET", "/issues/:number{[0-9]+}/timeline", READ, timeline);
  return app;
}

function timeline(asked: Asked): Response | Promise<Response> {
  return withIssue(asked, (issue) => {
    const { c, world, repository, records } = asked;
    const rows = [
      ...records.events
        .filter((event) => event.issue === issue.number)
        .map((event) => ({
          id: event.id,
          at: event.createdAt,
          render: () => renderEvent(world, repository, event),
        })),
      ...records.comments
        .filter((comment) => comment.issue === issue.number)
        .map((comment) => ({
          id: comment.id,
          at: comment.createdAt,
          render: () => {
            const body = renderComment(world, repository, comment);
            return { ...body, event: "commented", actor: body.user };
          },
        })),
      ...records.reviews
        .filter((review) => review.pull === issue.number && review.submittedAt !== null)
        .map((review) => ({
          id: review.id,
          at: review.submittedAt ?? "",
          render: () => ({ ...renderReview(world, repository, review), event: "reviewed" }),
        })),
    ];
    return page(
      c,
      world,
      inOrder(rows, ({ at }) => at, "asc"),
      ({ render }) => render(),
      {
        path: `/repositories/${repository.id}/issues/${issue.number}/timeline`,
      },
    );
  });
}
