import type { Context } from "hono";
import { z } from "zod";
import type { GitlabWorld } from "../state.ts";
import { fault, type RestContext } from "./answers.ts";

/** Parameters that every request accepts. */
const EVERYWHERE = new Set([
  ...["page", "per_page", "pagination", "order_by", "sort", "id_after", "id_before", "cursor"],
  ...["access_token", "private_token", "sudo", "with_custom_attributes", "statistics"],
]);

/** An integer, as JSON or as text. */
export const int = z.coerce.number().int();
/** A boolean, as JSON or as text. */
export const bool = z.union([z.boolean(), z.enum(["true", "false", "1", "0"])]).transform((value) => {
  return value === true || value === "true" || value === "1";
});
/** A list, as JSON or as comma-separated text. */
export const csv = z
  .union([z.array(z.coerce.string()), z.string()])
  .transform((value) => (typeof value === "string" ? value.split(",") : value))
  .transform((values) => values.map((value) => value.trim()).filter((value) => value !== ""));
/** A list of ids; an empty text or 0 gives an empty list. */
export const ids = csv.transform((values) => values.map(Number).filter((value) => value > 0));
/** A time in ISO 8601. */
export const time = z.string().refine((text) => !Number.isNaN(Date.parse(text)), "is invalid");
/** A text; GitLab also accepts a number. */
export const text = z.union([z.string(), z.number().transform(String)]);

/**
 * Reads the parameters of a request from query, JSON, form or multipart. A Response (400) names what is missing or
 * invalid. Undeclared parameters are ignored, as at GitLab, and recorded, because they are mistakes.
 */
export async function readParameters<S extends z.ZodObject>(
  c: RestContext,
  world: GitlabWorld,
  schema: S,
): Promise<z.output<S> | Response> {
  const raw = { ...queryOf(c), ...(c.req.method === "GET" ? {} : await bodyOf(c)) };
  const undeclared = Object.keys(raw).filter((name) => !EVERYWHERE.has(name) && !(name in schema.shape));
  if (undeclared.length > 0) {
    const reason = `the parameter ${undeclared.join(", ")} is not declared`;
    world.refuse({ kind: "refused", method: c.req.method, path: c.req.path, status: 200, reason });
  }
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const complaints = parsed.error.issues.map((issue) => {
    const name = issue.path.map((part, index) => (index === 0 ? String(part) : `[${String(part)}]`)).join("");
    const isMissing = raw[String(issue.path[0])] === undefined;
    if (isMissing) return `${name} is missing`;
    return issue.code === "invalid_value" ? `${name} does not have a valid value` : `${name} is invalid`;
  });
  return fault(c, world, 400, { error: [...new Set(complaints)].join(", ") });
}

/** The query; `name[]=a&name[]=b` is a list. */
function queryOf(c: Context): Record<string, unknown> {
  return fromPairs([...new URL(c.req.url).searchParams]);
}

async function bodyOf(c: Context): Promise<Record<string, unknown>> {
  const type = c.req.header("content-type") ?? "";
  if (type.includes("multipart/form-data")) return fromPairs([...(await c.req.formData())]);
  const body = await c.req.text();
  if (body === "") return {};
  if (type.includes("x-www-form-urlencoded")) return fromPairs([...new URLSearchParams(body)]);
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** `name[]` becomes a list, `name[key]` an object. */
function fromPairs(pairs: [string, unknown][]): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, value] of pairs) {
    const [, name = key, inner] = /^([^[]+)\[([^\]]*)\]$/.exec(key) ?? [];
    if (inner === undefined) result[name] = value;
    else if (inner === "") result[name] = [...((result[name] as unknown[] | undefined) ?? []), value];
    else result[name] = { ...((result[name] as object | undefined) ?? {}), [inner]: value };
  }
  return result;
}
