import { Hono } from "hono";
import { z } from "zod";
import { hasCommit } from "../pull-git.ts";
import type { CommitComment } from "../records.ts";
import { type Body, nodeId } from "../render.ts";
import { association, renderLogin, renderRollup, repositoryUrl } from "../render-issue.ts";
import { fullName } from "../repositories.ts";
import { type GithubWorld, nextId, type Repository, timestamp } from "../state.ts";
import { notFound, page, type RestEnv, readBody } from "./answers.ts";
import { bodyFault, invalid } from "./issues.ts";
import { type Asked, type RouteNeeds, repositoryRouter } from "./repository-route.ts";

const order = z.object({
  body: z.string(),
  path: z.string().optional(),
  position: z.int().optional(),
  line: z.int().optional(),
});
const READ: RouteNeeds = { permission: "contents", reach: "read" };
const OF_COMMIT = "/commits/:sha{[0-9a-f]{40}}/comments";
const ONE = "/comments/:comment{[0-9]+}";

/** Comments on commits: of the whole repository in ascending order (docs.github.com), of one commit, and single ones. */
export function commitCommentRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const route = repositoryRouter(app, world);
  const list = ({ c, repository, records }: Asked, sha?: string) => {
    const all = (records.commitComments ?? []).filter(({ commit }) => sha === undefined || commit === sha);
    return page(c, world, all, (comment) => renderCommitComment(world, repository, comment), {
      path: `/repositories/${repository.id}${sha === undefined ? "" : `/commits/${sha}`}/comments`,
    });
  };
  route("GET", "/comments", READ, (asked) => list(asked));
  route("GET", OF_COMMIT, READ, (asked) => list(asked, asked.c.req.param("sha")));
  route("GET", ONE, READ, ({ c, repository, records }) => {
    const id = Number(c.req.param("comment"));
    const comment = records.commitComments?.find((known) => known.id === id);
    return comment ? c.json(renderCommitComment(world, repository, comment)) : notFound(c);
  });
  route("POST", OF_COMMIT, { permission: "contents", reach: "signed-in", isContent: true }, create);
  return app;
}

async function create(asked: Asked): Promise<Response> {
  const { c, world, repository, records, login } = asked;
  const body = await readBody(c, world, order);
  if (body instanceof Response) return body;
  const fault = bodyFault(body.body);
  if (fault) return invalid(asked, fault, "CommitComment");
  const commit = c.req.param("sha") ?? "";
  if (!hasCommit(world, repository, commit))
    return invalid(asked, { field: "commit_id", code: "invalid" }, "CommitComment");
  const now = timestamp();
  const comment: CommitComment = {
    ...{ id: nextId(world.state), commit, author: login, body: body.body },
    ...{ path: body.path ?? null, position: body.position ?? null, line: body.line ?? null },
    ...{ createdAt: now, updatedAt: now, reactions: [] },
  };
  records.commitComments = [...(records.commitComments ?? []), comment];
  asked.save();
  return c.json(renderCommitComment(world, repository, comment), 201);
}

function renderCommitComment(world: GithubWorld, repository: Repository, comment: CommitComment): Body {
  const url = `${repositoryUrl(world, repository)}/comments/${comment.id}`;
  const { id, commit, path, position, line, body } = comment;
  return {
    ...{ url, id, node_id: nodeId("CC", id), user: renderLogin(world, comment.author) },
    html_url: `${world.webUrl}/${fullName(repository)}/commit/${commit}#commitcomment-${id}`,
    ...{ commit_id: commit, path, position, line, body },
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    author_association: association(world, repository, comment.author),
    reactions: renderRollup(url, comment.reactions),
  };
}
