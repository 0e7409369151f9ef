import type { Context } from "hono";
import type { z } from "zod";
import { canSeeIssue, canSeeProject, hasGlobal, hasPermission } from "../permissions.ts";
import { forbidden, invalid, missing, Refused } from "../refused.ts";
import type { Issue, Project } from "../state.ts";
import { findIssue, findProject, projectOf } from "../store.ts";
import type { Viewer } from "../viewer.ts";

/** What routes find in their context. */
export type RestEnv = { Variables: { viewer: Viewer } };

/** The project of a path. @throws Refused 404 when it is missing or hidden */
export function projectIn(viewer: Viewer, key: string): Project {
  const project = findProject(viewer.site, key);
  if (!project || !canSeeProject(viewer, project)) {
    throw missing(`No project could be found with ${/^\d+$/.test(key) ? "id" : "key"} '${key}'.`);
  }
  return project;
}

/** The issue of a path. @throws Refused 404 when it is missing or hidden */
export function issueIn(viewer: Viewer, key: string): Issue {
  const issue = findIssue(viewer.world, viewer.site, key);
  if (!issue || !canSeeIssue(viewer, issue)) {
    throw missing("Issue does not exist or you do not have permission to see it.");
  }
  return issue;
}

/** The issue of a path that the viewer may do something to. @throws Refused 404, or 403 without the permission */
export function issueFor(viewer: Viewer, key: string, permission: string): Issue {
  const issue = issueIn(viewer, key);
  requirePermission(viewer, permission, projectOf(viewer.site, issue), issue);
  return issue;
}

/** @throws Refused 403 without the permission in the project */
export function requirePermission(
  viewer: Viewer,
  permission: string,
  project: Project,
  issue: Issue | null = null,
): void {
  if (project.isArchived) throw forbidden("The project is archived and read-only.");
  if (!hasPermission(viewer, permission, project, issue)) {
    throw forbidden(`You do not have the permission ${permission}.`);
  }
}

/** @throws Refused 403 without the permission of the site */
export function requireGlobal(viewer: Viewer, permission: string): void {
  if (hasGlobal(viewer, permission)) return;
  throw forbidden("You do not have the required permission. Only Jira administrators can do this.");
}

/** Reads a JSON body strictly, as Jira does for its newer operations. @throws Refused 400 */
export async function readBody<S extends z.ZodType>(c: Context, schema: S): Promise<z.output<S>> {
  const type = c.req.header("content-type") ?? "";
  if (!type.startsWith("application/json")) throw new Refused(415, null);
  let body: unknown;
  try {
    body = JSON.parse(await c.req.text());
  } catch {
    throw invalid("There was an error parsing JSON. Check that your request body is valid.");
  }
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const [first] = read.error.issues;
  throw invalid(
    `Invalid request payload. Refer to the REST API documentation and try again. (${first?.path.join(".")}: ${first?.message})`,
  );
}

/** The value of `expand` as a set. */
export function expandOf(value: string | undefined): Set<string> {
  return new Set(
    (value ?? "")
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  );
}

/** Every value of a query parameter, also when it is repeated or has commas. */
export function listOf(c: Context, name: string): string[] {
  return (c.req.queries(name) ?? []).flatMap((value) => value.split(",")).filter((value) => value !== "");
}

/** A whole number of the query. @throws Refused 400 */
export function numberOf(c: Context, name: string, usual: number): number {
  const text = c.req.query(name);
  if (text === undefined) return usual;
  if (!/^\d+$/.test(text)) throw invalid(`The value '${text}' of '${name}' is not a number.`);
  return Number(text);
}

/** A page of a list in the form `{ self, maxResults, startAt, total, isLast, nextPage?, values }`. */
export function pageOf<T>(c: Context, list: readonly T[], { usual = 50, most = 50 } = {}) {
  const startAt = numberOf(c, "startAt", 0);
  // A larger page than allowed is cut without a word.
  const maxResults = Math.min(numberOf(c, "maxResults", usual), most);
  const values = list.slice(startAt, startAt + maxResults);
  const isLast = startAt + values.length >= list.length;
  const base = `${c.get("viewer").base}${c.req.path.replace(/^.*?(?=\/rest\/)/, "")}`;
  const at = (start: number) => {
    const query = new URLSearchParams(new URL(c.req.url).searchParams);
    query.set("startAt", String(start));
    query.set("maxResults", String(maxResults));
    return `${base}?${query}`;
  };
  return {
    self: at(startAt),
    ...(isLast ? {} : { nextPage: at(startAt + values.length) }),
    maxResults,
    startAt,
    total: list.length,
    isLast,
    values,
  };
}
