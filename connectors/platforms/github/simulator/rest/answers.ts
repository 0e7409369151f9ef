import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { z } from "zod";
import { isHeldBySso, reachOf, type Viewer } from "../access.ts";
import { type Lookup, listRepositories, lookUpRepository } from "../repositories.ts";
import type { GithubWorld, Repository } from "../state.ts";

/** Values that the middleware passes to the routes. */
export type RestEnv = { Variables: { viewer: Viewer } };
/** A route's context. */
export type RestContext = Context<RestEnv>;

const DOCS = "https://docs.github.com/rest";

/** GitHub's error body. */
export function problem(
  c: Context,
  status: ContentfulStatusCode,
  message: string,
  more: { documentation_url?: string; errors?: readonly Record<string, string>[] } & Record<
    string,
    unknown
  > = {},
): Response {
  return c.json(
    { message, ...more, documentation_url: more.documentation_url ?? DOCS, status: String(status) },
    status,
  );
}

/** The answer for objects that do not exist or that the viewer may not see. */
export function notFound(c: Context): Response {
  return problem(c, 404, "Not Found");
}

/** The answer when the route needs a signed-in viewer. */
export function requiresAuthentication(c: Context): Response {
  return problem(c, 401, "Requires authentication");
}

/** One page of a list with `Link` headers. Links use `path` if given, because GitHub's contain numeric ids. */
export function page<T>(
  c: Context,
  world: GithubWorld,
  items: readonly T[],
  render: (item: T) => unknown,
  options: { path?: string; envelope?: (rendered: unknown[]) => unknown } = {},
): Response {
  const asked = Number.parseInt(c.req.query("per_page") ?? "30", 10);
  const perPage = Number.isNaN(asked) || asked < 1 ? 30 : Math.min(asked, 100);
  const number = Math.max(1, Number.parseInt(c.req.query("page") ?? "1", 10) || 1);
  const last = Math.max(1, Math.ceil(items.length / perPage));
  const link = (to: number, relation: string) => {
    const query = new URLSearchParams(c.req.query());
    query.set("page", String(to));
    const path = options.path ?? new URL(c.req.url).pathname.slice("/api".length);
    return `<${world.apiUrl}${path}?${query}>; rel="${relation}"`;
  };
  const links = [
    ...(number > 1 ? [link(Math.min(number - 1, last), "prev")] : []),
    ...(number < last ? [link(number + 1, "next"), link(last, "last")] : []),
    ...(number > 1 ? [link(1, "first")] : []),
  ];
  if (links.length > 0) c.header("Link", links.join(", "));
  const rendered = items.slice((number - 1) * perPage, number * perPage).map(render);
  const text = JSON.stringify(options.envelope?.(rendered) ?? rendered);
  if (text.length > world.settings.mostBytesInTime) return problem(c, 504, "Server Error");
  return c.body(text, 200, { "Content-Type": "application/json" });
}

/** Reads a JSON body by its schema. Returns a Response when it is not JSON (400) or does not match the schema (422). */
export async function readBody<S extends z.ZodType>(
  c: Context,
  world: GithubWorld,
  schema: S,
): Promise<z.output<S> | Response> {
  const refuse = (status: 400 | 422, reason: string, message: string) => {
    world.refuse({ kind: "refused", method: c.req.method, path: c.req.path, status, reason });
    return problem(c, status, message);
  };
  let body: unknown;
  try {
    body = JSON.parse(await c.req.text());
  } catch (error) {
    return refuse(400, String(error), "Problems parsing JSON");
  }
  const url = new URL(c.req.url);
  const complaint = world.settings.checkRequest?.(
    c.req.method,
    url.pathname.slice("/api".length) + url.search,
    body,
  );
  if (complaint) return refuse(422, complaint, `Invalid request.\n\n${complaint}`);
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  return refuse(
    422,
    parsed.error.message,
    `Invalid request.\n\n${parsed.error.issues.map((i) => i.message).join("\n")}`,
  );
}

/** Reads the query by its schema. Returns a Response (422) when GitHub does not accept a value. */
export function readQuery<S extends z.ZodType>(
  c: Context,
  world: GithubWorld,
  schema: S,
): z.output<S> | Response {
  const parsed = schema.safeParse(c.req.query());
  if (parsed.success) return parsed.data;
  const reason = parsed.error.message;
  world.refuse({ kind: "refused", method: c.req.method, path: c.req.path, status: 422, reason });
  return problem(c, 422, "Validation Failed", {
    errors: parsed.error.issues.map((issue) => ({
      resource: "Search",
      field: issue.path.join("."),
      code: "invalid",
      message: issue.message,
    })),
  });
}

/** Finds the repository of a path for this viewer. Returns a Response when it was renamed, is blocked or is hidden. */
export function reachRepository(
  c: RestContext,
  world: GithubWorld,
  needs: "read" | "write" | "admin",
): Repository | Response {
  const id = c.req.param("id");
  const lookup = id
    ? lookUpById(world, Number(id))
    : lookUpRepository(world, c.req.param("owner") ?? "", c.req.param("repo") ?? "");
  if (lookup.kind === "missing") return notFound(c);
  const { repository } = lookup;
  const viewer = c.get("viewer");
  const reach = reachOf(world, viewer, repository);
  if (reach === "none") return notFound(c);
  if (lookup.kind === "moved") return moved(c, world, repository);
  if (isHeldBySso(world, viewer, repository.owner)) return heldBySso(c, world);
  if (repository.isBlocked) {
    return problem(c, 451, "Repository access blocked", {
      block: { reason: "dmca", created_at: repository.updatedAt, html_url: "https://github.com/github/dmca" },
    });
  }
  const order = ["none", "read", "write", "admin"];
  if (order.indexOf(reach) < order.indexOf(needs)) {
    if (viewer.kind === "anonymous") return requiresAuthentication(c);
    return problem(c, 403, "Must have admin rights to Repository.");
  }
  return repository;
}

/** The answer of an organisation that enforces SAML. */
export function heldBySso(c: Context, world: GithubWorld): Response {
  c.header("X-GitHub-SSO", `required; url=${world.webUrl}/orgs/sso`);
  return problem(
    c,
    403,
    "Resource protected by organization SAML enforcement. You must grant your OAuth token access to this organization.",
  );
}

function lookUpById(world: GithubWorld, id: number): Lookup {
  const repository = listRepositories(world).find((known) => known.id === id);
  return repository ? { kind: "found", repository } : { kind: "missing" };
}

/** Redirects reads with 301 and other methods with 307, which repeats the request unchanged. */
function moved(c: Context, world: GithubWorld, repository: Repository): Response {
  const rest = new URL(c.req.url).pathname.split("/").slice(5).join("/");
  const url = `${world.apiUrl}/repositories/${repository.id}${rest === "" ? "" : `/${rest}`}`;
  c.header("Location", url);
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  return c.json(
    {
      message: isRead ? "Moved Permanently" : "Temporary Redirect",
      url,
      documentation_url: `${DOCS}/guides/best-practices-for-using-the-rest-api#follow-redirects`,
    },
    isRead ? 301 : 307,
  );
}
