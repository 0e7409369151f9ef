import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { accountRoutes } from "./account-routes.ts";
import { type ApiEnv, authError, badInput } from "./answers.ts";
import { fileRoutes } from "./file-routes.ts";
import type { DropboxWorld } from "./state.ts";
import { uploadRoutes } from "./upload-routes.ts";

/** What a call needs; scope null = any grant. Calls of the host `content` carry bytes besides their argument. */
const CALLS: Record<string, { host: "api" | "content"; scope: string | null; hasArg: boolean }> = {
  "users/get_current_account": { host: "api", scope: "account_info.read", hasArg: false },
  "users/get_space_usage": { host: "api", scope: "account_info.read", hasArg: false },
  "auth/token/revoke": { host: "api", scope: null, hasArg: false },
  "files/get_metadata": { host: "api", scope: "files.metadata.read", hasArg: true },
  "files/list_folder": { host: "api", scope: "files.metadata.read", hasArg: true },
  "files/list_folder/continue": { host: "api", scope: "files.metadata.read", hasArg: true },
  "files/create_folder_v2": { host: "api", scope: "files.content.write", hasArg: true },
  "files/delete_v2": { host: "api", scope: "files.content.write", hasArg: true },
  "files/upload": { host: "content", scope: "files.content.write", hasArg: true },
  "files/upload_session/start": { host: "content", scope: "files.content.write", hasArg: true },
  "files/upload_session/append_v2": { host: "content", scope: "files.content.write", hasArg: true },
  "files/upload_session/finish": { host: "content", scope: "files.content.write", hasArg: true },
  "files/download": { host: "content", scope: "files.content.read", hasArg: true },
};

const BYTES = ["application/octet-stream", "text/plain; charset=dropbox-cors-hack"];
const JSON_TYPES = [
  "application/json",
  "application/json; charset=utf-8",
  "text/plain; charset=dropbox-cors-hack",
];

/** One of Dropbox's two API hosts: checks token, scope and argument, then runs the route. */
export function apiApp(world: DropboxWorld, host: "api" | "content"): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.use(knownCall(world, host), signedIn(world), argument(world));
  if (host === "api") app.route("/", accountRoutes(world)).route("/", fileRoutes(world));
  else app.route("/", uploadRoutes(world));
  app.onError((error, c) => c.text(`The simulator failed: ${error.stack}`, 500));
  return app;
}

function knownCall(world: DropboxWorld, host: "api" | "content") {
  return createMiddleware<ApiEnv>(async (c, next) => {
    const name = /\/2\/(.+)$/.exec(c.req.path)?.[1] ?? "";
    c.set("call", name);
    const call = CALLS[name];
    if (call === undefined || call.host !== host || c.req.method !== "POST") {
      const { method, path } = c.req;
      world.refuse({
        kind: "unknown",
        method,
        path,
        status: 404,
        reason: `no such call on the host ${host}`,
      });
      return c.text(`Unknown API function: "${name}"`, 404);
    }
    return next();
  });
}

function signedIn(world: DropboxWorld) {
  return createMiddleware<ApiEnv>(async (c, next) => {
    const header = c.req.header("authorization");
    if (header === undefined) {
      return badInput(c, world, 'Must provide HTTP header "Authorization" or URL parameter "authorization".');
    }
    const value = /^bearer\s+(\S+)$/i.exec(header)?.[1];
    if (value === undefined) {
      return badInput(c, world, 'Invalid authorization value in HTTP header "Authorization".');
    }
    const identity = world.desk.identify(value);
    if (identity.kind === "expired") return authError(c, { ".tag": "expired_access_token" });
    if (identity.kind !== "live") return authError(c, { ".tag": "invalid_access_token" });
    const { grant } = identity;
    const scope = CALLS[c.get("call")]?.scope ?? null;
    if (scope !== null && !grant.scopes.includes(scope)) {
      return authError(c, { ".tag": "missing_scope", required_scope: scope });
    }
    const person = world.state.people.find(({ id }) => id === grant.personId);
    if (person === undefined) return authError(c, { ".tag": "user_suspended" });
    c.set("person", person);
    return next();
  });
}

/** Reads the argument from the body, or from the header `Dropbox-API-Arg` if the body is a file's bytes. */
function argument(world: DropboxWorld) {
  return createMiddleware<ApiEnv>(async (c, next) => {
    const call = CALLS[c.get("call")];
    const type = c.req.header("content-type");
    const text = call?.host === "content" ? headerArgument(c) : await c.req.text();
    if (text === null) return badInput(c, world, 'HTTP header "Dropbox-API-Arg": not ASCII, or missing');
    const isDownload = c.get("call") === "files/download";
    const allowed = call?.host === "content" ? BYTES : JSON_TYPES;
    const isTypeNeeded = call?.hasArg === true && !isDownload;
    if (type === undefined ? isTypeNeeded : !allowed.includes(type.toLowerCase())) {
      const expected = allowed.map((each) => `"${each}"`).join(", ");
      return badInput(
        c,
        world,
        `Bad HTTP "Content-Type" header: "${type ?? ""}". Expecting one of ${expected}.`,
      );
    }
    if (call?.hasArg !== true) {
      const isEmpty = type === undefined ? text === "" : text === "null";
      if (!isEmpty) return badInput(c, world, "request body: could not decode input as JSON");
      return next();
    }
    try {
      c.set("arg", JSON.parse(text));
    } catch {
      return badInput(c, world, "could not decode input as JSON");
    }
    return next();
  });
}

/** Returns null unless all characters beyond ASCII are escaped. */
function headerArgument(c: Context): string | null {
  const text = c.req.header("dropbox-api-arg");
  return text === undefined || /[^\x20-\x7e]/.test(text) ? null : text;
}
