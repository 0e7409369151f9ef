import { createHash, randomUUID } from "node:crypto";
import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { identify, type Viewer } from "../access.ts";
import { countRequest, limitMessage, quotaHeaders, quotaKey, rateLimitAnswer } from "../rate-limit.ts";
import type { GithubWorld } from "../state.ts";
import { actionsRoutes } from "./actions.ts";
import { notFound, problem, type RestEnv } from "./answers.ts";
import { branchProtectionRoutes } from "./branch-protection.ts";
import { collaboratorRoutes } from "./collaborators.ts";
import { commitCommentRoutes } from "./commit-comments.ts";
import { commitRoutes } from "./commits.ts";
import { contentRoutes } from "./contents.ts";
import { gistRoutes } from "./gists.ts";
import { gitDataRoutes } from "./git-data.ts";
import { graphqlRoutes } from "./graphql.ts";
import { hookRoutes } from "./hooks.ts";
import { installationRoutes } from "./installations.ts";
import { issueCommentRoutes } from "./issue-comments.ts";
import { issueEventRoutes } from "./issue-events.ts";
import { issueImportRoutes } from "./issue-imports.ts";
import { issueRelationRoutes } from "./issue-relations.ts";
import { issueRoutes } from "./issues.ts";
import { keyAndAutolinkRoutes } from "./keys-and-autolinks.ts";
import { labelRoutes } from "./labels.ts";
import { markdownRoutes } from "./markdown.ts";
import { milestoneRoutes } from "./milestones.ts";
import { neighbourRoutes } from "./neighbours.ts";
import { organisationRoutes } from "./organisations.ts";
import { pullRoutes } from "./pulls.ts";
import { isAcceptable, unknownParameter } from "./query-parameters.ts";
import { reactionRoutes } from "./reactions.ts";
import { releaseAssetRoutes, uploadRoutes } from "./release-assets.ts";
import { releaseRoutes } from "./releases.ts";
import { repositoryRoutes } from "./repositories.ts";
import { reviewRoutes } from "./reviews.ts";
import { rulesetRoutes } from "./rulesets.ts";
import { searchRoutes } from "./search.ts";
import { userRoutes } from "./users.ts";

/** Supported API versions. The first is the default. */
const API_VERSIONS = ["2022-11-28", "2026-03-10"];

const ROUTES = [
  userRoutes,
  organisationRoutes,
  repositoryRoutes,
  installationRoutes,
  searchRoutes,
  issueRoutes,
  issueCommentRoutes,
  issueEventRoutes,
  issueRelationRoutes,
  commitCommentRoutes,
  keyAndAutolinkRoutes,
  reactionRoutes,
  labelRoutes,
  milestoneRoutes,
  pullRoutes,
  reviewRoutes,
  releaseRoutes,
  releaseAssetRoutes,
  branchProtectionRoutes,
  rulesetRoutes,
  hookRoutes,
  actionsRoutes,
  collaboratorRoutes,
  contentRoutes,
  commitRoutes,
  gitDataRoutes,
  neighbourRoutes,
  issueImportRoutes,
  gistRoutes,
  graphqlRoutes,
  markdownRoutes,
];

/** The REST API below `/api`: credentials, versions, quotas and conditional requests, then the routes. */
export function restApp(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.use(common(world, "/api"), conditional(world));
  for (const routes of ROUTES) app.route("/", routes(world));
  // A catch-all route, because Hono does not call `notFound` of a mounted app.
  app.all("*", (c) => {
    world.refuse({
      kind: "unknown",
      method: c.req.method,
      path: c.req.path,
      status: 404,
      reason: "no such operation",
    });
    return notFound(c);
  });
  app.onError((error, c) => problem(c, 500, `The simulator failed: ${error.stack}`));
  return app;
}

/** The host for uploads of release assets, below `/uploads`: the same checks, other routes. */
export function uploadApp(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.use(common(world, "/uploads"));
  app.route("/", uploadRoutes(world));
  app.all("*", (c) => notFound(c));
  app.onError((error, c) => problem(c, 500, `The simulator failed: ${error.stack}`));
  return app;
}

function common(world: GithubWorld, prefix: "/api" | "/uploads") {
  return createMiddleware<RestEnv>(async (c, next) => {
    c.header("X-GitHub-Request-Id", randomUUID().slice(0, 18).toUpperCase());
    c.header("X-GitHub-Media-Type", "github.v3; format=json");
    if (!c.req.header("user-agent")) {
      const reason = "no User-Agent header";
      world.refuse({ kind: "refused", method: c.req.method, path: c.req.path, status: 403, reason });
      return c.text(
        "Request forbidden by administrative rules. Please make sure your request has a User-Agent header.",
        403,
      );
    }
    const version = c.req.header("x-github-api-version") ?? "2022-11-28";
    if (!API_VERSIONS.includes(version)) {
      const reason = `unknown API version ${version}`;
      world.refuse({ kind: "refused", method: c.req.method, path: c.req.path, status: 400, reason });
      return problem(c, 400, `${version} is not a supported version.`);
    }
    c.header("X-GitHub-Api-Version-Selected", version);
    const url = new URL(c.req.url);
    const path = url.pathname.slice(prefix.length);
    const asked = path + url.search;
    const accept = c.req.header("accept");
    if (!isAcceptable(accept)) {
      const reason = `the media type ${accept} is not sent`;
      world.refuse({ kind: "refused", method: c.req.method, path: asked, status: 415, reason });
      return problem(c, 415, `Unsupported 'Accept' header: '${accept}'. Must accept 'application/json'.`);
    }
    const unknown = unknownParameter(c.req.method, path, url.searchParams);
    const complaint =
      unknown === null
        ? world.settings.checkRequest?.(c.req.method, asked, undefined)
        : `the query parameter ${unknown} is not known here`;
    if (complaint) {
      world.refuse({ kind: "refused", method: c.req.method, path: asked, status: 422, reason: complaint });
      return problem(c, 422, `Invalid request.\n\n${complaint}`);
    }
    // The routes that take the App's client credentials check them.
    const authorization = c.req.path.startsWith("/api/applications/")
      ? undefined
      : c.req.header("authorization");
    const viewer = identify(world, authorization);
    if (!viewer) return problem(c, 401, "Bad credentials");
    c.set("viewer", viewer);
    if (viewer.kind === "user") {
      const { scopes } = viewer.token;
      c.header("X-OAuth-Scopes", scopes?.join(", ") ?? "");
      c.header("X-Accepted-OAuth-Scopes", "");
      c.header("X-OAuth-Client-Id", world.settings.clientId);
    }
    // GraphQL counts its own points.
    if (c.req.path !== "/api/graphql") {
      const quota = countRequest(world, viewer, c.req.path === "/api/rate_limit" ? 0 : 1);
      for (const [name, value] of Object.entries(quotaHeaders(quota))) c.header(name, value);
      if (quota.used > quota.limit) {
        return problem(c, 403, limitMessage(viewer), {
          documentation_url: "https://docs.github.com/rest/overview/resources-in-the-rest-api#rate-limiting",
        });
      }
    }
    return withinConcurrency(world, viewer, next);
  });
}

/** The secondary limit on concurrent requests. */
async function withinConcurrency(
  world: GithubWorld,
  viewer: Viewer,
  next: () => Promise<void>,
): Promise<Response | undefined> {
  const key = quotaKey(viewer);
  const running = (world.running.get(key) ?? 0) + 1;
  if (running > world.settings.maxConcurrent) {
    const { status, headers, body } = rateLimitAnswer({
      kind: "rate-limit",
      shape: "secondary-403",
      retryAfter: "60",
    });
    return new Response(body, { status, headers });
  }
  world.running.set(key, running);
  try {
    await next();
  } finally {
    world.running.set(key, (world.running.get(key) ?? 1) - 1);
  }
  return undefined;
}

/** Adds ETags to GET answers. A 304 does not count against the quota. */
function conditional(world: GithubWorld) {
  return createMiddleware<RestEnv>(async (c, next) => {
    await next();
    if (c.res.headers.get("content-type") === "application/json") {
      c.res.headers.set("Content-Type", "application/json; charset=utf-8");
    }
    if (c.req.method !== "GET" || c.res.status !== 200) return;
    const text = await c.res.clone().text();
    const etag = `W/"${createHash("sha256").update(text).digest("hex")}"`;
    const asked = (c.req.header("if-none-match") ?? "").split(",").map((tag) => tag.trim());
    if (asked.some((tag) => tag === etag || `W/${tag}` === etag)) {
      const quota = countRequest(world, c.get("viewer"), c.req.path === "/api/rate_limit" ? 0 : -1);
      const headers = new Headers(c.res.headers);
      headers.delete("content-type");
      headers.delete("content-length");
      headers.set("ETag", etag);
      for (const [name, value] of Object.entries(quotaHeaders(quota))) headers.set(name, value);
      c.res = undefined;
      c.res = new Response(null, { status: 304, headers });
      return;
    }
    c.res.headers.set("ETag", etag);
    c.res.headers.set("Cache-Control", "private, max-age=60, s-maxage=60");
  });
}
