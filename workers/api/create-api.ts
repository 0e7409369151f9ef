import { TrieRouter } from "hono/router/trie-router";
import { AppError } from "#core/kernel/app-error.ts";
import { ERROR_CODES } from "#core/kernel/error-codes.ts";
import { describeDoors } from "./describe-doors.ts";
import { describeRoute, registerErrors } from "./describe-route.ts";
import { answerError } from "./middleware/errors.ts";
import { maintenance } from "./middleware/maintenance.ts";
import { requestContext } from "./middleware/request-context.ts";
import { securityHeaders } from "./middleware/security-headers.ts";
import { type Api, createRouter } from "./mount-route.ts";
import type { CoreOperations } from "./operations.ts";
import { type ApiPlatform, mountPlatforms } from "./platform-endpoints.ts";
import { approvePage, oldCallback } from "./routes/approve.ts";
import { mountAudit } from "./routes/audit.ts";
import { connectCallback } from "./routes/connect.ts";
import { mountDashboard } from "./routes/dashboard.ts";
import { mountFederation } from "./routes/federation.ts";
import { mountHosts } from "./routes/host.ts";
import { mountIdentity } from "./routes/identity.ts";
import { mountMail } from "./routes/mail.ts";
import { mountOrganisation } from "./routes/organisation.ts";
import { paymentWebhook } from "./routes/payments/webhook.ts";
import { mountPayments } from "./routes/payments.ts";
import { mountProfile, openAvatar } from "./routes/profile.ts";
import { mountRestores } from "./routes/restores.ts";
import { mountRuns } from "./routes/runs.ts";
import { mountSearch } from "./routes/search.ts";
import { securityTxt } from "./routes/security-txt.ts";
import { type ApiStorage, mountStorage, storageCallback } from "./routes/storage.ts";
import { mountUser } from "./routes/user.ts";
import { mountVersionViews } from "./routes/version-views.ts";
import { mountVersions } from "./routes/versions.ts";
import { takeDelivery } from "./routes/webhooks.ts";

/**
 * The HTTP app: context, headers and error handling for every request, and the API with its OpenAPI document. The other
 * routes (live, downloads, screens) are mounted on the returned app.
 */
export function createApi({
  core,
  platforms,
  storages = [],
  hostApps = [],
}: {
  core: CoreOperations;
  platforms: readonly ApiPlatform[];
  /** Storages that are connected by a form. The others need no path of their own. */
  storages?: readonly ApiStorage[];
  /** Our apps inside platforms, whether they are set up or not. */
  hostApps?: readonly { base: string }[];
}): Api {
  const api = createRouter();
  api.use("*", securityHeaders);
  api.use("*", requestContext(doorsOf(api)));
  api.use("*", maintenance);
  api.onError((error, c) => answerError(error, c));
  mountDocument(api);
  mountIdentity(api);
  mountFederation(api);
  mountHosts(api, hostApps);
  mountUser(api, core, platforms);
  mountProfile(api);
  mountOrganisation(api);
  mountAudit(api);
  mountDashboard(api);
  mountPayments(
    api,
    platforms.map(({ id }) => id),
  );
  mountMail(api);
  mountVersions(api);
  mountVersionViews(api);
  mountRestores(api);
  mountRuns(api);
  mountSearch(api);
  mountStorage(api, core, storages);
  mountPlatforms(api, core, platforms);
  api.post("/api/payments/stripe-webhook", paymentWebhook);
  api.post("/hooks/:platform", takeDelivery);
  const known = new TrieRouter<true>();
  for (const { method, path } of api.routes) if (method !== "ALL") known.add("ALL", path, true);
  for (const base of ["/api/*", "/identity/*"]) {
    api.all(base, (c) => {
      if (!c.var.member) throw new AppError("err.session.missing");
      const isKnown = known.match("ALL", c.req.path)[0].length > 0;
      throw new AppError(isKnown ? "err.request.method" : "err.not.found");
    });
  }
  api.get("/connect/:platform/callback", connectCallback(core));
  api.get("/storage/:kind/callback", storageCallback(core));
  api.post("/connect/:platform/callback", connectCallback(core));
  api.get("/:page{[a-z0-9-]+-approve-hidden}", approvePage());
  api.get("/:stage/:platform/:callback{login-[a-z0-9-]+-callback}", oldCallback());
  api.get("/avatars/:id", openAvatar);
  api.get("/.well-known/security.txt", securityTxt);
  return api;
}

/**
 * Says whether one of the app's own routes answers a GET of the path. Routes that match every path do not count: they
 * are middleware, and the screens.
 */
function doorsOf(api: Api): (path: string) => boolean {
  let router: TrieRouter<true> | null = null;
  return (path) => {
    if (router === null) {
      router = new TrieRouter();
      for (const route of api.routes) if (route.path !== "/*") router.add(route.method, route.path, true);
    }
    return router.match("GET", path)[0].length > 0;
  };
}

const ABOUT = [
  "Every answer is the envelope `{status, message, result, code}`; success means `status` is `success`.",
  "A refusal has a sentence for people in `message` and a name for programs in `code`; `warning` in place of `error`",
  "says that another plan would lift it. Without a session a call answers 423; a path that is none answers 404, and a",
  "known path with another method 405. Times are milliseconds since 1970, sizes bytes, pages count from 0. A client signs",
  "in with `session_as: token` and sends the token of the answer in `Authorization`; browsers keep the session in a cookie.",
].join(" ");

function mountDocument(api: Api): void {
  api.openAPIRegistry.registerComponent("securitySchemes", "session", {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description: "The session token, with or without `Bearer`.",
  });
  api.openAPIRegistry.registerComponent("schemas", "ErrorCode", {
    type: "string",
    enum: Object.keys(ERROR_CODES),
    description: errorTable(),
  });
  api.openAPIRegistry.registerComponent("schemas", "Envelope", {
    type: "object",
    required: ["status", "message", "result", "code"],
    properties: {
      status: { type: "string", enum: ["success", "failure", "warning"] },
      message: { type: ["string", "null"] },
      result: {},
      code: {
        anyOf: [{ $ref: "#/components/schemas/ErrorCode" }, { type: "null" }],
        description: "Why it was refused, e.g. err.user.backup.limit.",
      },
    },
  });
  registerErrors(api);
  // Generated on the first request, to keep the Worker's start fast.
  api.get("/api/openapi.json", (c) => {
    const routes = api.documented.splice(0);
    for (const route of routes) describeRoute(api, route);
    if (routes.length > 0) describeDoors(api);
    return c.json(
      api.getOpenAPI31Document({
        openapi: "3.1.0",
        info: { title: "Holdfast API", version: "1", description: ABOUT },
        servers: [{ url: c.var.services.settings.PUBLIC_URL }],
        security: [{ session: [] }],
      }),
    );
  });
}

/** All error codes with status and message. A call may override the message (spec A-450). */
function errorTable(): string {
  const rows = Object.entries(ERROR_CODES).map(
    ([code, { status, message }]) => `| ${code} | ${status} | ${message} |`,
  );
  return ["| code | HTTP status | message |", "| --- | --- | --- |", ...rows].join("\n");
}
