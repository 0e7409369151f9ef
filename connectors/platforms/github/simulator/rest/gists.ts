import { Hono } from "hono";
import { z } from "zod";
import type { Viewer } from "../access.ts";
import { countCreation, secondaryLimit } from "../content-limit.ts";
import { commitGist, createGist, deleteGist, listGistFiles } from "../gists.ts";
import { renderGist, renderGistComment, renderHistory, renderWholeGist } from "../render-gist.ts";
import { findAccount, type Gist, type GithubWorld, nextId, timestamp } from "../state.ts";
import {
  notFound,
  page,
  problem,
  type RestContext,
  type RestEnv,
  readBody,
  readQuery,
  requiresAuthentication,
} from "./answers.ts";
import { bodyFault, invalid } from "./issues.ts";
import { changedSince, sinceSchema } from "./lists.ts";

const listQuery = z.object({ since: sinceSchema.optional() });
const creation = z.object({
  description: z.string().optional(),
  public: z.union([z.boolean(), z.enum(["true", "false"])]).default(false),
  files: z.record(z.string(), z.object({ content: z.string() })),
});
const change = z.object({
  description: z.string().optional(),
  files: z
    .record(
      z.string(),
      z.object({ content: z.string().optional(), filename: z.string().nullable().optional() }).nullable(),
    )
    .optional(),
});
const text = z.object({ body: z.string() });
/** Longest comment (`maxLength` in GitHub's OpenAPI document). */
const COMMENT_LIMIT = 65_535;
/** Lists of gists end here, regardless of paging. */
const LIST_LIMIT = 3_000;

type Account = Extract<Viewer, { kind: "user" }>["account"];

/**
 * `/gists…`. Secret gists are not listed for others, but anyone with the id can read them. Installation tokens cannot
 * use these routes.
 */
export function gistRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/gists", (c) =>
    asUser(c, world, "read", (account) =>
      list(
        c,
        world,
        world.state.gists.filter(({ owner }) => owner === account.login),
      ),
    ),
  );
  app.get("/users/:login/gists", (c) => {
    const account = findAccount(world, c.req.param("login"));
    if (!account) return notFound(c);
    const open = world.state.gists.filter(({ owner, isPublic }) => owner === account.login && isPublic);
    return list(c, world, open);
  });
  app.post("/gists", (c) => asUser(c, world, "write", (account) => create(c, world, account)));
  app.get("/gists/:gist", (c) => withGist(c, world, (gist) => c.json(renderWholeGist(world, gist))));
  app.patch("/gists/:gist", (c) => asOwner(c, world, (gist) => edit(c, world, gist)));
  app.delete("/gists/:gist", (c) =>
    asOwner(c, world, (gist) => {
      deleteGist(world, gist);
      return c.body(null, 204);
    }),
  );
  app.get("/gists/:gist/commits", (c) =>
    withGist(c, world, (gist) => page(c, world, renderHistory(world, gist), (each) => each)),
  );
  commentRoutes(app, world);
  return app;
}

function commentRoutes(app: Hono<RestEnv>, world: GithubWorld): void {
  const path = "/gists/:gist/comments";
  app.get(path, (c) =>
    withGist(c, world, (gist) =>
      page(c, world, gist.comments, (comment) => renderGistComment(world, gist, comment)),
    ),
  );
  app.post(path, (c) =>
    asUser(c, world, "write", (account) =>
      withGist(c, world, async (gist) => {
        const limit = secondaryLimit(c, world, c.get("viewer"));
        if (limit) return limit;
        const body = await readComment(c, world);
        if (body instanceof Response) return body;
        const now = timestamp();
        const comment = {
          id: nextId(world.state),
          author: account.login,
          body: body.body,
          createdAt: now,
          updatedAt: now,
        };
        gist.comments.push(comment);
        world.save();
        countCreation(world, c.get("viewer"));
        return c.json(renderGistComment(world, gist, comment), 201);
      }),
    ),
  );
  const one = `${path}/:comment{[0-9]+}`;
  const find = (c: RestContext, gist: Gist) =>
    gist.comments.find(({ id }) => id === Number(c.req.param("comment")));
  app.get(one, (c) =>
    withGist(c, world, (gist) => {
      const comment = find(c, gist);
      return comment ? c.json(renderGistComment(world, gist, comment)) : notFound(c);
    }),
  );
  app.patch(one, (c) =>
    asUser(c, world, "write", (account) =>
      withGist(c, world, async (gist) => {
        const comment = find(c, gist);
        if (!comment || comment.author !== account.login) return notFound(c);
        const body = await readComment(c, world);
        if (body instanceof Response) return body;
        comment.body = body.body;
        comment.updatedAt = timestamp();
        world.save();
        return c.json(renderGistComment(world, gist, comment));
      }),
    ),
  );
  app.delete(one, (c) =>
    asUser(c, world, "write", (account) =>
      withGist(c, world, (gist) => {
        const comment = find(c, gist);
        if (!comment || ![comment.author, gist.owner].includes(account.login)) return notFound(c);
        gist.comments = gist.comments.filter((known) => known !== comment);
        world.save();
        return c.body(null, 204);
      }),
    ),
  );
}

type Answer = Response | Promise<Response>;

/** Gists belong to users. Installation tokens are refused, and a token with scopes needs the right one. */
function asUser(
  c: RestContext,
  world: GithubWorld,
  level: "read" | "write",
  act: (account: Account) => Answer,
): Answer {
  const viewer = c.get("viewer");
  if (viewer.kind === "installation") return problem(c, 403, "Resource not accessible by integration");
  if (viewer.kind !== "user") return requiresAuthentication(c);
  if (mayUseGists(world, viewer, level)) return act(viewer.account);
  return viewer.token.scopes ? notFound(c) : problem(c, 403, "Resource not accessible by integration");
}

/** Whether a user's token covers gists. Reading needs no scope. */
export function mayUseGists(
  world: GithubWorld,
  viewer: Extract<Viewer, { kind: "user" }>,
  level: "read" | "write",
): boolean {
  if (viewer.token.scopes) return level === "read" || viewer.token.scopes.includes("gist");
  world.needed.add(`gists:${level}`);
  const granted = world.settings.permissions.gists;
  return granted === "write" || (granted === "read" && level === "read");
}

function withGist(c: RestContext, world: GithubWorld, act: (gist: Gist) => Answer): Answer {
  const viewer = c.get("viewer");
  if (viewer.kind === "installation") return problem(c, 403, "Resource not accessible by integration");
  const gist = world.state.gists.find(({ id }) => id === c.req.param("gist"));
  return gist ? act(gist) : notFound(c);
}

function asOwner(c: RestContext, world: GithubWorld, act: (gist: Gist) => Answer): Answer {
  return asUser(c, world, "write", (account) =>
    withGist(c, world, (gist) => (gist.owner === account.login ? act(gist) : notFound(c))),
  );
}

function list(c: RestContext, world: GithubWorld, gists: readonly Gist[]): Response {
  const query = readQuery(c, world, listQuery);
  if (query instanceof Response) return query;
  const found = changedSince(gists, query.since, ({ updatedAt }) => updatedAt);
  const newestFirst = found.sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1)).slice(0, LIST_LIMIT);
  return page(c, world, newestFirst, (gist) => renderGist(world, gist));
}

async function readComment(c: RestContext, world: GithubWorld): Promise<z.output<typeof text> | Response> {
  const body = await readBody(c, world, text);
  if (body instanceof Response) return body;
  const fault = bodyFault(body.body, COMMENT_LIMIT);
  return fault === null ? body : invalid({ c }, fault, "GistComment");
}

async function create(c: RestContext, world: GithubWorld, account: Account): Promise<Response> {
  const limit = secondaryLimit(c, world, c.get("viewer"));
  if (limit) return limit;
  const body = await readBody(c, world, creation);
  if (body instanceof Response) return body;
  const files = Object.entries(body.files);
  const refusal = filesRefusal(
    c,
    files.map(([name, { content }]) => ({ name, content })),
  );
  if (refusal) return refusal;
  const gist = await createGist(world, {
    owner: account.login,
    description: body.description ?? null,
    isPublic: body.public === true || body.public === "true",
    files: Object.fromEntries(files.map(([name, { content }]) => [name, content])),
  });
  countCreation(world, c.get("viewer"));
  c.header("Location", `${world.apiUrl}/gists/${gist.id}`);
  return c.json(renderWholeGist(world, gist), 201);
}

async function edit(c: RestContext, world: GithubWorld, gist: Gist): Promise<Response> {
  const body = await readBody(c, world, change);
  if (body instanceof Response) return body;
  if (body.description !== undefined) gist.description = body.description;
  if (body.files !== undefined) {
    const kept = listGistFiles(world, gist).filter(({ name }) => body.files?.[name] !== null);
    const added = Object.entries(body.files).filter(([, entry]) => entry !== null);
    if (kept.length + added.length === 0) return filesRefusal(c, []) ?? notFound(c);
    await commitGist(world, gist, body.files);
  }
  gist.updatedAt = timestamp();
  world.save();
  return c.json(renderWholeGist(world, gist));
}

/** A gist needs at least one file, files need a text, and names must not contain folders. */
function filesRefusal(c: RestContext, files: readonly { name: string; content: string }[]): Response | null {
  const refuse = (field: string, code: string) =>
    problem(c, 422, "Validation Failed", { errors: [{ resource: "Gist", field, code }] });
  if (files.length === 0) return refuse("files", "missing_field");
  if (files.some(({ content }) => content.trim() === "")) return refuse("files", "missing_field");
  return files.some(({ name }) => name.includes("/")) ? refuse("files", "invalid") : null;
}
