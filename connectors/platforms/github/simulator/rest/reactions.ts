import { Hono } from "hono";
import { z } from "zod";
import { REACTIONS, type Reaction } from "../records.ts";
import { renderReaction } from "../render-issue.ts";
import type { GithubWorld, Permission } from "../state.ts";
import { findIssue, react } from "../threads.ts";
import { notFound, page, problem, type RestEnv, readBody, readQuery } from "./answers.ts";
import { type Asked, repositoryRouter } from "./repository-route.ts";

const content = z.enum(REACTIONS);

/** Paths of reactions, and how to find the object they belong to. */
const PLACES: {
  path: string;
  permission: Permission;
  find: (asked: Asked) => { reactions: Reaction[] } | null | undefined;
}[] = [
  {
    path: "/issues/:number{[0-9]+}",
    permission: "issues",
    find: ({ c, records }) => findIssue(records, Number(c.req.param("number"))),
  },
  {
    path: "/issues/comments/:comment{[0-9]+}",
    permission: "issues",
    find: ({ c, records }) => records.comments.find(({ id }) => id === Number(c.req.param("comment"))),
  },
  {
    path: "/pulls/comments/:comment{[0-9]+}",
    permission: "pull_requests",
    find: ({ c, records }) => records.reviewComments.find(({ id }) => id === Number(c.req.param("comment"))),
  },
  {
    path: "/releases/:release{[0-9]+}",
    permission: "contents",
    find: ({ c, records }) => records.releases.find(({ id }) => id === Number(c.req.param("release"))),
  },
];

/** Reactions to issues, comments, review comments and releases. */
export function reactionRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const route = repositoryRouter(app, world);
  for (const { path, permission, find } of PLACES) {
    route("GET", `${path}/reactions`, { permission, reach: "read" }, (asked) => {
      const thing = find(asked);
      if (!thing) return notFound(asked.c);
      const query = readQuery(asked.c, world, z.object({ content: content.optional() }));
      if (query instanceof Response) return query;
      const found = thing.reactions.filter((each) => !query.content || each.content === query.content);
      return page(asked.c, world, found, (reaction) => renderReaction(world, reaction));
    });
    // Repeating a reaction is no error: it returns 200.
    route("POST", `${path}/reactions`, { permission, reach: "signed-in" }, async (asked) => {
      const thing = find(asked);
      if (!thing) return notFound(asked.c);
      const body = await readBody(asked.c, world, z.object({ content }));
      if (body instanceof Response) return body;
      const { reaction, isNew } = react(asked, thing, body.content);
      asked.save();
      return asked.c.json(renderReaction(world, reaction), isNew ? 201 : 200);
    });
    route("DELETE", `${path}/reactions/:reaction{[0-9]+}`, { permission, reach: "signed-in" }, (asked) => {
      const thing = find(asked);
      const reaction = thing?.reactions.find(({ id }) => id === Number(asked.c.req.param("reaction")));
      if (!thing || !reaction) return notFound(asked.c);
      if (reaction.login !== asked.login) return problem(asked.c, 403, "Forbidden");
      thing.reactions = thing.reactions.filter((known) => known !== reaction);
      asked.save();
      return asked.c.body(null, 204);
    });
  }
  return app;
}
