import type { Context } from "hono";
import { z } from "zod";
import { isId } from "../ids.ts";
import { invalid } from "../refused.ts";
import type { TrelloWorld } from "../state.ts";

/** Parameters that every request accepts. */
const EVERYWHERE = new Set(["key", "token"]);

/** A text; also accepts numbers and booleans. */
export const text = z.union([z.string(), z.number().transform(String), z.boolean().transform(String)]);
/** A text of at most 16,384 characters, Trello's limit. */
export const longText = text.pipe(z.string().max(16_384));
/** A name; not empty. */
export const name = text.pipe(z.string().min(1).max(16_384));
/** An id of 24 hexadecimal digits. */
export const id = z.string().refine(isId);
/** A boolean, as JSON or as text. */
export const bool = z
  .union([z.boolean(), z.enum(["true", "false"])])
  .transform((value) => value === true || value === "true");
/** A time in ISO 8601; empty or null clears it. */
export const moment = z.union([z.null(), z.string()]).transform((value, context) => {
  if (value === null || value === "" || value === "null") return null;
  if (!Number.isNaN(Date.parse(value))) return new Date(value).toISOString();
  context.addIssue({ code: "custom", message: "is no moment" });
  return z.NEVER;
});
/** A position: `top`, `bottom` or a number above zero. */
export const place = z.union([z.enum(["top", "bottom"]), z.coerce.number().positive().finite()]);
/** Ids, as a list or as comma-separated text; an empty text gives an empty list. */
export const ids = z
  .union([z.array(z.string()), z.string()])
  .transform((value) => (typeof value === "string" ? value.split(",") : value))
  .transform((values) => values.map((value) => value.trim()).filter((value) => value !== ""))
  .pipe(z.array(id));
/** Whether a response includes a part; default = false. */
export const flag = bool.default(false);

/**
 * Reads the parameters of a request from query, JSON, form or multipart. Undeclared parameters are ignored, as at
 * Trello, and recorded, because they are mistakes.
 * @throws Refused 400 `invalid value for …`
 */
export async function readParameters<S extends z.ZodObject>(
  c: Context,
  world: TrelloWorld,
  schema: S,
): Promise<z.output<S>> {
  const isRead = c.req.method === "GET" || c.req.method === "DELETE";
  const raw = { ...c.req.query(), ...(isRead ? {} : await bodyOf(c)) };
  const undeclared = Object.keys(raw).filter((known) => !EVERYWHERE.has(known) && !(known in schema.shape));
  if (undeclared.length > 0) {
    const reason = `the parameter ${undeclared.join(", ")} is not declared`;
    world.refuse({ kind: "refused", method: c.req.method, path: c.req.path, status: 200, reason });
  }
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw invalid(String(parsed.error.issues[0]?.path[0] ?? "request"));
}

async function bodyOf(c: Context): Promise<Record<string, unknown>> {
  const type = c.req.header("content-type") ?? "";
  if (type.includes("multipart/form-data")) return Object.fromEntries(await c.req.formData());
  const body = await c.req.text();
  if (body === "") return {};
  if (type.includes("x-www-form-urlencoded")) return Object.fromEntries(new URLSearchParams(body));
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    throw invalid("request");
  }
}

/** An object, as JSON or as JSON text. */
export function objectOf(value: unknown, field: string): Record<string, unknown> {
  let parsed = value;
  if (typeof value === "string") {
    try {
      parsed = JSON.parse(value);
    } catch {
      throw invalid(field);
    }
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) throw invalid(field);
  return parsed as Record<string, unknown>;
}
