import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { HTTPException } from "hono/http-exception";
import { identify, isInScope, readCredentials } from "../access.ts";
import { countRequest, limitHeaders, tooManyAnswer } from "../rate-limit.ts";
import { Refused } from "../refused.ts";
import type { TrelloWorld } from "../state.ts";
import { actionRoutes } from "./actions.ts";
import { boardRoutes } from "./boards.ts";
import { cardPartRoutes } from "./card-parts.ts";
import { cardRoutes } from "./cards.ts";
import { checklistRoutes } from "./checklists.ts";
import { customFieldRoutes } from "./custom-fields.ts";
import { labelRoutes } from "./labels.ts";
import { listRoutes } from "./lists.ts";
import { memberRoutes } from "./members.ts";
import type { RestEnv } from "./reach.ts";

const ROUTES = [
  ...[actionRoutes, boardRoutes, cardPartRoutes, checklistRoutes, customFieldRoutes],
  ...[cardRoutes, labelRoutes, listRoutes, memberRoutes],
];

/** The REST API, mounted at `/1`: credentials, rate limits, scopes, then the routes. */
export function restApp(world: TrelloWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.use(common(world));
  for (const routes of ROUTES) app.route("/", routes(world));
  app.get("/batch", async (c) => {
    // A comma-separated list of URLs, whose own commas are encoded twice.
    const urls = (new URL(c.req.url).searchParams.get("urls") ?? "").split(",").filter((url) => url !== "");
    if (urls.length === 0 || urls.length > 10 || urls.some((url) => !/^\/(?!batch\b)/.test(url))) {
      throw new Refused(400, "invalid value for urls");
    }
    const authorization = c.req.header("authorization");
    const credentials = new URLSearchParams(
      [...new URL(c.req.url).searchParams].filter(([name]) => name === "key" || name === "token"),
    );
    const answers: Record<string, unknown>[] = [];
    for (const url of urls) {
      const address = credentials.size === 0 ? url : `${url}${url.includes("?") ? "&" : "?"}${credentials}`;
      const response = await app.request(address, { headers: authorization ? { authorization } : {} });
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.includes("json") === true;
      const failure = { name: "Error", message: text, statusCode: response.status };
      answers.push(
        response.ok ? { "200": JSON.parse(text) } : isJson ? { ...failure, ...JSON.parse(text) } : failure,
      );
    }
    return c.json(answers);
  });
  app.all("*", (c) => {
    const { method, path } = c.req;
    world.refuse({ kind: "unknown", method, path, status: 404, reason: "no such operation" });
    return c.text(`Cannot ${method} ${path}`, 404);
  });
  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    if (!(error instanceof Refused)) return c.text(`The simulator failed: ${error.stack}`, 500);
    const { status, body } = error;
    // Only wrong requests are recorded; missing and forbidden things are normal.
    if (status === 400) {
      const { method, path } = c.req;
      world.refuse({ kind: "refused", method, path, status, reason: error.message });
    }
    return typeof body === "string" ? c.text(body, status) : c.json(body, status);
  });
  return app;
}

function common(world: TrelloWorld) {
  return createMiddleware<RestEnv>(async (c, next) => {
    const url = new URL(c.req.url);
    const path = url.pathname.replace(/^\/1(?=\/)/, "");
    const credentials = readCredentials(c.req.header("authorization"), url.searchParams);
    if (credentials.isInQuery) {
      const reason = "credentials in the address land in logs";
      world.refuse({ kind: "refused", method: c.req.method, path, status: 200, reason });
    }
    const identity = identify(world, credentials);
    if (identity.kind === "refused") return c.text(identity.message, identity.status);
    const { viewer } = identity;
    const ceiling = countRequest(world, viewer.token, path);
    if (ceiling !== null) {
      const { status, headers, body } = tooManyAnswer(ceiling);
      return new Response(body, { status, headers });
    }
    if (!isInScope(viewer.token, c.req.method, path)) {
      const isLegacy = viewer.token.kind === "legacy";
      return c.text(isLegacy ? "unauthorized permission requested" : "missing scopes", 401);
    }
    c.set("viewer", viewer);
    const told = limitHeaders(world, viewer.token);
    await next();
    for (const [name, value] of Object.entries(told)) c.res.headers.set(name, value);
    return undefined;
  });
}
