import type { Context } from "hono";
import type { z } from "zod";
import type { Tagged } from "./entries.ts";
import type { DropboxPerson, DropboxWorld } from "./state.ts";

/** What the middleware passes to the routes. */
export type ApiEnv = { Variables: { person: DropboxPerson; call: string; arg: unknown } };
/** A route's context. */
export type ApiContext = Context<ApiEnv>;

/** A route error: 409 with the error union. */
export function routeError(c: ApiContext, error: Tagged): Response {
  return c.json({ error_summary: `${summaryOf(error)}/..`, error }, 409);
}

/** An authentication error: 401. */
export function authError(c: Context, error: Tagged): Response {
  return c.json({ error_summary: `${error[".tag"]}/..`, error }, 401);
}

/** A malformed request: 400 with a text. Logged as a refusal, because our code should not send it. */
export function badInput(c: ApiContext, world: DropboxWorld, why: string): Response {
  const { method, path } = c.req;
  world.refuse({ kind: "refused", method, path, status: 400, reason: why });
  return c.text(`Error in call to API function "${c.get("call")}": ${why}`, 400);
}

/** Parses a call's argument; returns a Response when it does not match. Like Dropbox, it rejects unknown fields. */
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
