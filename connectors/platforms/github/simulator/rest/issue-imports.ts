import { Hono } from "hono";
import { z } from "zod";
import { importOrderSchema } from "../issue-imports.ts";
import type { IssueImport } from "../records.ts";
import type { Body } from "../render.ts";
import { repositoryUrl } from "../render-issue.ts";
import { type GithubWorld, nextId, type Repository, timestamp } from "../state.ts";
import { notFound, page, problem, type RestEnv, readBody, readQuery } from "./answers.ts";
import { changedSince, sinceSchema } from "./lists.ts";
import { type Asked, type RouteNeeds, repositoryRouter } from "./repository-route.ts";

const MEDIA_TYPE = "application/vnd.github.golden-comet-preview+json";
/** Requests larger than one mebibyte are refused. */
const PAYLOAD_LIMIT = 1_048_576;

const NEEDS: RouteNeeds = { permission: "issues", reach: "write", feature: "issues" };

/**
 * The issue import, which keeps dates. GitHub does not document it, and it needs its own media type. A request is
 * accepted at once and processed later, one after the other, so numbers follow the order of the requests.
 */
export function issueImportRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const route = repositoryRouter(app, world);
  route("POST", "/import/issues", NEEDS, (asked) => refused(asked) ?? take(asked));
  route("GET", "/import/issues", NEEDS, (asked) => {
    const refusal = refused(asked);
    if (refusal !== null) return refusal;
    const query = readQuery(asked.c, world, z.object({ since: sinceSchema.optional() }));
    if (query instanceof Response) return query;
    const found = changedSince(asked.records.imports, query.since, ({ updatedAt }) => updatedAt);
    return page(asked.c, world, found, (each) => renderImport(world, asked.repository, each));
  });
  route("GET", "/import/issues/:import{[0-9]+}", NEEDS, (asked) => {
    const refusal = refused(asked);
    if (refusal !== null) return refusal;
    const id = Number(asked.c.req.param("import"));
    const found = asked.records.imports.find((known) => known.id === id);
    return found ? asked.c.json(renderImport(world, asked.repository, found)) : notFound(asked.c);
  });
  return app;
}

/** The refusal of tokens without scopes; null = the token may import. */
function refused({ c, world, viewer }: Asked): Response | null {
  const hasScopes = viewer.kind === "user" && viewer.token.scopes !== null;
  if (hasScopes || world.settings.offersImportToApps) return null;
  return problem(c, 403, "Resource not accessible by integration");
}

async function take(asked: Asked): Promise<Response> {
  const { c, world, repository, records, login } = asked;
  if (!c.req.header("accept")?.includes(MEDIA_TYPE)) {
    return problem(
      c,
      415,
      "If you would like to help us test the Import Issues API during its preview period, you must specify a custom media type in the 'Accept' header.",
    );
  }
  const length = Number(c.req.header("content-length") ?? "0");
  if (length > PAYLOAD_LIMIT) {
    const message = `Payload too big: ${PAYLOAD_LIMIT} bytes are allowed, ${length} bytes were posted.`;
    return problem(c, 413, message);
  }
  const body = await readBody(c, world, importOrderSchema);
  if (body instanceof Response) return body;
  const now = timestamp();
  const last = records.imports.at(-1)?.dueAt ?? 0;
  const order: IssueImport = {
    id: nextId(world.state),
    status: "pending",
    dueAt: Math.max(last, Date.now()) + world.settings.importMs,
    by: login,
    order: body,
    number: null,
    errors: [],
    createdAt: now,
    updatedAt: now,
  };
  records.imports.push(order);
  asked.save();
  return c.json(renderImport(world, repository, order), 202);
}

function renderImport(world: GithubWorld, repository: Repository, order: IssueImport): Body {
  const base = repositoryUrl(world, repository);
  return {
    id: order.id,
    status: order.status,
    url: `${base}/import/issues/${order.id}`,
    import_issues_url: `${base}/import/issues`,
    repository_url: base,
    ...(order.number === null ? {} : { issue_url: `${base}/issues/${order.number}` }),
    ...(order.errors.length === 0 ? {} : { errors: order.errors }),
    created_at: order.createdAt,
    updated_at: order.updatedAt,
  };
}
