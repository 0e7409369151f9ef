import { createHash, randomUUID } from "node:crypto";
import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { identifyToken, tokenOf } from "../access.ts";
import { count, quotaHeaders, tooMany } from "../rate-limit.ts";
import type { GitlabWorld } from "../state.ts";
import { fault, type RestContext, type RestEnv } from "./answers.ts";
import { boardRoutes } from "./boards.ts";
import { comparisonRoutes } from "./comparisons.ts";
import { groupRoutes } from "./groups.ts";
import { issueLinkRoutes } from "./issue-links.ts";
import { issueRoutes } from "./issues.ts";
import { labelRoutes } from "./labels.ts";
import { mergeRequestChangeRoutes } from "./merge-request-changes.ts";
import { mergeRequestRoutes } from "./merge-requests.ts";
import { milestoneRoutes } from "./milestones.ts";
import { moreSettingRoutes } from "./more-settings.ts";
import { noteRoutes } from "./notes.ts";
import { projectRoutes } from "./projects.ts";
import { releaseRoutes } from "./releases.ts";
import { repositoryRoutes } from "./repository.ts";
import { resourceEventRoutes } from "./resource-events.ts";
import { settingRoutes } from "./settings.ts";
import { snippetRoutes } from "./snippets.ts";
import { transferRoutes } from "./transfers.ts";
import { uploadRoutes } from "./uploads.ts";
import { userRoutes } from "./users.ts";
import { wikiRoutes } from "./wikis.ts";

const ROUTES = [
  ...[
    transferRoutes,
    uploadRoutes,
    userRoutes,
    groupRoutes,
    projectRoutes,
    repositoryRoutes,
    comparisonRoutes,
    issueRoutes,
    issueLinkRoutes,
    mergeRequestRoutes,
    mergeRequestChangeRoutes,
    noteRoutes,
    resourceEventRoutes,
  ],
  ...[labelRoutes, milestoneRoutes, boardRoutes, releaseRoutes, snippetRoutes, wikiRoutes, settingRoutes],
  ...[moreSettingRoutes],
];

/** The REST API below `/api/v4`: credentials, scopes, quotas and conditional requests, then the routes. */
export function restApp(world: GitlabWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.use(common(world), conditional());
  for (const routes of ROUTES) app.route("/", routes(world));
  // A separate route, because Hono does not call `notFound` of an app mounted in another.
  app.all("*", (c) => {
    const { method, path } = c.req;
    world.refuse({ kind: "unknown", method, path, status: 404, reason: "no such operation" });
    return c.json({ error: "404 Not Found" }, 404);
  });
  app.onError((error, c) => c.json({ message: `The simulator failed: ${error.stack}` }, 500));
  return app;
}

function common(world: GitlabWorld) {
  return createMiddleware<RestEnv>(async (c, next) => {
    const requestId = randomUUID().replaceAll("-", "").toUpperCase().slice(0, 26);
    c.header("X-Request-Id", requestId);
    c.header("X-Gitlab-Meta", JSON.stringify({ correlation_id: requestId, version: "1" }));
    const url = new URL(c.req.url);
    const identity = identifyToken(
      world,
      tokenOf((name) => c.req.header(name), url.searchParams),
    );
    switch (identity.kind) {
      case "unknown":
        return c.json({ message: "401 Unauthorized" }, 401);
      case "expired":
        return invalidToken(c, "Token is expired. You can either do re-authorization or token refresh.");
      case "revoked":
        return invalidToken(c, "Token was revoked. You have to re-authorize from the user.");
      case "anonymous":
      case "user":
        break;
    }
    c.set("viewer", identity);
    const key = identity.kind === "user" ? `api ${identity.user.id}` : "api anonymous";
    const quota = count(world, key, identity.kind === "user" ? world.settings.rateLimit : 500);
    for (const [name, value] of Object.entries(quotaHeaders(quota))) c.header(name, value);
    if (quota.used > quota.limit) {
      const { status, headers, body } = tooMany(quota);
      return new Response(body, { status, headers });
    }
    if (identity.kind === "user") {
      const wanted = scopesFor(c.req.method, url.pathname);
      if (!wanted.some((scope) => identity.token.scopes.includes(scope))) {
        const error_description = "The request requires higher privileges than provided by the access token.";
        c.header("WWW-Authenticate", 'Bearer realm="Protected by OAuth 2.0", error="insufficient_scope"');
        return fault(c, world, 403, {
          error: "insufficient_scope",
          error_description,
          scope: wanted.join(" "),
        });
      }
    }
    return next();
  });
}

/** The scopes that allow a request; one of them is enough. */
function scopesFor(method: string, pathname: string): string[] {
  if (method !== "GET" && method !== "HEAD") return ["api"];
  const more = [
    ...(/^\/api\/v4\/users?(\/|$)/.test(pathname) ? ["read_user"] : []),
    ...(/^\/api\/v4\/projects\/[^/]+\/repository\//.test(pathname) ? ["read_repository"] : []),
  ];
  return ["api", "read_api", ...more];
}

function invalidToken(c: RestContext, description: string): Response {
  c.header(
    "WWW-Authenticate",
    `Bearer realm="Protected by OAuth 2.0", error="invalid_token", error_description="${description}"`,
  );
  return c.json({ error: "invalid_token", error_description: description }, 401);
}

/** ETags for reads. At GitLab a 304 counts against the limit like any other response. */
function conditional() {
  return createMiddleware<RestEnv>(async (c, next) => {
    await next();
    const isJson = c.res.headers.get("content-type")?.includes("json") === true;
    if (c.req.method !== "GET" || c.res.status !== 200 || !isJson) return;
    const text = await c.res.clone().text();
    const etag = `W/"${createHash("md5").update(text).digest("hex")}"`;
    const headers = new Headers(c.res.headers);
    headers.set("ETag", etag);
    headers.set("Cache-Control", "max-age=0, private, must-revalidate");
    const isKnown = c.req.header("if-none-match") === etag;
    if (isKnown) headers.delete("content-type");
    c.res = undefined;
    c.res = isKnown
      ? new Response(null, { status: 304, headers })
      : new Response(text, { status: 200, headers });
  });
}
