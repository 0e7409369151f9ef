import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { HTTPException } from "hono/http-exception";
import { type Door, identify, isInScope } from "../access.ts";
import { boardIssueRoutes, boardRoutes } from "../agile/boards.ts";
import { sprintRoutes } from "../agile/sprints.ts";
import { runDueTasks } from "../bulk-tasks.ts";
import { admit, charge, pointsOf, quotaHeaders, throttledAnswer } from "../limits.ts";
import { Refused } from "../refused.ts";
import { type Api, scopesFor } from "../scopes.ts";
import type { JiraWorld } from "../state.ts";
import { findSite } from "../store.ts";
import { bulkRoutes } from "./bulk.ts";
import { commentRoutes } from "./comments.ts";
import { configurationRoutes } from "./configuration.ts";
import { fileRoutes } from "./files.ts";
import { issueCreateRoutes } from "./issue-create.ts";
import { issueEditRoutes } from "./issue-edit.ts";
import { issuePartRoutes } from "./issue-parts.ts";
import { issueRoutes } from "./issues.ts";
import { linkRoutes } from "./links.ts";
import { peopleRoutes } from "./people.ts";
import { projectEditRoutes } from "./project-edit.ts";
import { projectKeyRoutes } from "./project-keys.ts";
import { projectRoutes } from "./projects.ts";
import type { RestEnv } from "./reach.ts";
import { schemeRoutes } from "./schemes.ts";
import { serviceDeskRoutes } from "./service-desk.ts";
import { watchingRoutes } from "./watching.ts";
import { workflowRoutes } from "./workflows.ts";
import { worklogRoutes } from "./worklogs.ts";

const PLATFORM_ROUTES = [
  // Paths with fixed names come before those with a name in the same place.
  ...[issueCreateRoutes, bulkRoutes, commentRoutes, worklogRoutes, fileRoutes, linkRoutes, watchingRoutes],
  ...[issueEditRoutes, projectEditRoutes, projectKeyRoutes],
  ...[issueRoutes, issuePartRoutes, peopleRoutes, projectRoutes],
  ...[configurationRoutes, schemeRoutes, workflowRoutes],
];

/** The API of one site, mounted at `/ex/jira/:site` (the gateway) and at `/sites/:site` (the site's own address). */
export function restApp(world: JiraWorld, door: Door): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.use("/rest/*", common(world, door));
  for (const routes of PLATFORM_ROUTES) app.route("/rest/api/3", routes());
  app.route("/rest/agile/1.0", boardRoutes());
  app.route("/rest/agile/1.0", sprintRoutes());
  app.route("/rest/software/1.0", boardIssueRoutes());
  app.route("/rest/servicedeskapi", serviceDeskRoutes());
  app.all("/rest/api/3/search", (c) => {
    const { method, path } = c.req;
    world.refuse({ kind: "refused", method, path, status: 410, reason: "the old search is gone" });
    const message =
      "The requested API has been removed. Please migrate to the /rest/api/3/search/jql API. A full migration guideline is available at https://developer.atlassian.com/changelog/#CHANGE-2046";
    return c.json({ errorMessages: [message], errors: {} }, 410);
  });
  app.all("/rest/*", (c) => {
    const { method, path } = c.req;
    world.refuse({ kind: "unknown", method, path, status: 404, reason: "no such operation" });
    return c.json({ message: `null for uri: ${path}`, "status-code": 404 }, 404);
  });
  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    if (!(error instanceof Refused)) return c.text(`The simulator failed: ${error.stack}`, 500);
    const { status, body } = error;
    // Only wrong requests are recorded; missing and forbidden things are normal.
    if (status === 400 || status === 415) {
      const { method, path } = c.req;
      world.refuse({ kind: "refused", method, path, status, reason: error.message });
    }
    return c.json(body, status);
  });
  return app;
}

function apiOf(name: string): Api {
  if (name === "api/3") return "platform";
  return name === "servicedeskapi" ? "desk" : "software";
}

/** Credentials, limits, scopes; afterwards the points of the answer. */
function common(world: JiraWorld, door: Door) {
  return createMiddleware<RestEnv>(async (c, next) => {
    const site = findSite(world, c.req.param("site") ?? "");
    if (!site) return c.json({ code: 404, message: "Not Found" }, 404);
    const identity = identify(world, site, door, c.req.header("authorization"));
    if (identity.kind === "refused") return c.json(identity.body, identity.status);
    const { viewer } = identity;
    const [, api = "", path = ""] =
      /\/rest\/(api\/3|agile\/1\.0|software\/1\.0|servicedeskapi)(\/.*)$/.exec(c.req.path) ?? [];
    const { method } = c.req;
    const throttled = admit(viewer, method, path);
    if (throttled) {
      const { status, headers, body } = throttledAnswer(throttled);
      return new Response(body, { status, headers });
    }
    const needed = scopesFor(apiOf(api), method, path);
    if (!isInScope(viewer, needed)) {
      return c.json({ code: 401, message: "Unauthorized; scope does not match" }, 401);
    }
    runDueTasks(world, site);
    c.set("viewer", viewer);
    await next();
    const isJson = c.res.headers.get("content-type")?.includes("json") === true;
    const body: unknown = isJson && viewer.via === "app" ? await c.res.clone().json() : null;
    charge(viewer, pointsOf(method, path, body));
    for (const [name, value] of Object.entries(quotaHeaders(viewer))) c.res.headers.set(name, value);
  });
}
