import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { type ApiEnv, fault, problem } from "./answers.ts";
import { fileRoutes } from "./file-routes.ts";
import { type DriveWorld, FILE_SCOPE } from "./state.ts";
import { uploadRoutes } from "./upload-routes.ts";

const WHOLE_DRIVE = "https://www.googleapis.com/auth/drive";

/** `www.googleapis.com`: checks token and scope, then runs the route. */
export function apiApp(world: DriveWorld): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.use(signedIn(world));
  app.route("/drive/v3", fileRoutes(world));
  app.route("/upload/drive/v3", uploadRoutes(world));
  // A catch-all route, because Hono ignores an app's `notFound` when the app is mounted in another.
  app.all("*", (c) => {
    const { method, path } = c.req;
    world.refuse({ kind: "unknown", method, path, status: 404, reason: "no such operation" });
    return c.text("Not Found", 404);
  });
  app.onError((error, c) => c.text(`The simulator failed: ${error.stack}`, 500));
  return app;
}

function signedIn(world: DriveWorld) {
  return createMiddleware<ApiEnv>(async (c, next) => {
    const value = /^bearer\s+(\S+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
    const isSession = c.req.query("upload_id") !== undefined && c.req.method !== "POST";
    if (value === undefined && isSession) return next();
    if (value === undefined) {
      const message =
        "Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or other valid authentication credential.";
      const location = { type: "header" as const, name: "Authorization" };
      return fault(c, world, { status: 401, reason: "required", message, location });
    }
    const identity = world.desk.identify(value);
    if (identity.kind !== "live") {
      const location = { type: "header" as const, name: "Authorization" };
      return problem(c, { status: 401, reason: "authError", message: "Invalid Credentials", location });
    }
    const { scopes, personId } = identity.grant;
    if (!scopes.includes(FILE_SCOPE) && !scopes.includes(WHOLE_DRIVE)) {
      const message = "Request had insufficient authentication scopes.";
      return problem(c, { status: 403, reason: "insufficientPermissions", message });
    }
    const person = world.state.people.find(({ id }) => id === personId);
    if (person === undefined) throw new Error(`The grant of ${personId} has no person`);
    c.set("person", person);
    c.set("isAllVisible", scopes.includes(WHOLE_DRIVE));
    return next();
  });
}
