import type { Context } from "hono";
import { AppError } from "#core/kernel/app-error.ts";
import type { ApiEnv } from "./api-env.ts";
import { MAX_BODY_BYTES, readBytes } from "./read-body.ts";
import { parseStrictJson } from "./strict-json.ts";

/**
 * Reads a call's input: the query of a GET, the JSON body of other methods, or both when the route allows it. Rejects
 * duplicate names. An absent body is an empty object.
 * @throws AppError `err.request.invalid`, `err.request.too.large`, `err.request.type`
 */
export async function readInput(
  c: Context<ApiEnv>,
  {
    hasBody,
    alsoQuery,
    maxBodyBytes = MAX_BODY_BYTES,
  }: { hasBody: boolean; alsoQuery: boolean; maxBodyBytes?: number },
): Promise<unknown> {
  if (!hasBody) return readQuery(c.req.url);
  const body = await readJson(c.req.raw, maxBodyBytes);
  if (!alsoQuery) return body;
  if (body === null || typeof body !== "object" || Array.isArray(body)) return body;
  const query = readQuery(c.req.url);
  const twice = Object.keys(query).find((name) => Object.hasOwn(body, name));
  if (twice !== undefined) throw invalid(`${twice} is given in the query and in the body.`);
  return { ...query, ...body };
}

function readQuery(url: string): Record<string, string> {
  const seen = new Map<string, string>();
  for (const [name, value] of new URL(url).searchParams) {
    if (seen.has(name)) throw invalid(`The parameter ${name.slice(0, 50)} is given twice.`);
    if (name === "__proto__") throw invalid("A parameter may not be called __proto__.");
    seen.set(name, value);
  }
  return Object.fromEntries(seen);
}

async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  const text = await readText(request, maxBytes);
  if (text.trim() === "") return {};
  const type = request.headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new AppError("err.request.type");
  try {
    return parseStrictJson(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new AppError("err.request.invalid", {
      message: `The body is not the JSON we accept. ${cause.message}`.slice(0, 300),
      cause,
    });
  }
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  const bytes = await readBytes(request, maxBytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new AppError("err.request.invalid", { message: "The body is not UTF-8." });
  }
}

function invalid(message: string): AppError {
  return new AppError("err.request.invalid", { message });
}
