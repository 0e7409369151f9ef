import type { Context } from "hono";
import type { z } from "zod";
import type { Tagged } from "./entries.ts";
import type { DropboxPerson, DropboxWorld } from "./state.ts";

/** What the middleware hands to the routes. */
export type ApiEnv = { Variables: { person: DropboxPerson; call: string; arg: unknown } };
/** A route's context. */
export type ApiContext = Context<ApiEnv>;

/** An error of the called route itself: 409 with the union in it. */
export function routeError(c: ApiContext, error: Tagged): Response {
  return c.json({ error_summary: `${summaryOf(error)}/..`, error }, 409);
}

/** An error of signing in: 401. */
export function authError(c: Context, error: Tagged): Response {
  return c.json({ error_summary: `${error[".tag"]}/..`, error }, 401);
}

/** A request that cannot be read: 400, in words. It is somebody's mistake, and noted as such. */
export function badInput(c: ApiContext, world: DropboxWorld, why: string): Response {
  const { method, path } = c.req;
  world.refuse({ kind: "refused", method, path, status: 400, reason: why });
  return c.text(`Error in call to API function "${c.get("call")}": ${why}`, 400);
}

/** A call's argument by its schema; a Response when it does not fit, for Dropbox refuses unknown fields too. */
export function readArg<S extends z.ZodType>(
  c: ApiContext,
  world: DropboxWorld,
  schema: S,
): z.output<S> | Response {
  const parsed = schema.safeParse(c.get("arg"));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  return badInput(
    c,
    world,
    `request body: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "unreadable"}`,
  );
}

/** The tags from the outside in: `path/conflict/file`. */
function summaryOf(error: Tagged): string {
  const inner = Object.entries(error).find(
    ([field, value]) => field !== ".tag" && typeof value === "object" && value !== null && ".tag" in value,
  );
  return inner === undefined ? error[".tag"] : `${error[".tag"]}/${summaryOf(inner[1] as Tagged)}`;
}
