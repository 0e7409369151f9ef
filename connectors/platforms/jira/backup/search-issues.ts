import type { z } from "zod";
import { openSizes, type Sizes } from "#connectors/toolkit/records/shrink.ts";
import { type JiraClient, paths } from "../client.ts";
import { bulkSchema, countSchema, foundIdsSchema, foundSchema, type Issue } from "../payloads.ts";

/** Issues with all fields that Jira returns at once. It may return fewer (contract, `maxResults`). */
export const ISSUES_AT_ONCE = 100;
/** Ids that Jira returns at once. */
export const IDS_AT_ONCE = 5_000;

/** One page of a search; `next` = null is the last one. A token lasts seven days. */
export type Found<T> = { issues: T[]; next: string | null };

/** Reads one page of issues with all fields and the first pages of their lists. Too large pages shrink. */
export async function searchIssues(
  client: JiraClient,
  jql: string,
  { token = null, sizes = openSizes() }: { token?: string | null; sizes?: Sizes } = {},
): Promise<Found<Issue>> {
  return await sizes.try({ asked: ISSUES_AT_ONCE, offset: 0 }, (maxResults) =>
    search(client, foundSchema, {
      ...{ jql, maxResults, fields: ["*all"], expand: "changelog" },
      ...(token === null ? {} : { nextPageToken: token }),
    }),
  );
}

/** Reads one page of ids and keys. */
export async function searchIds(
  client: JiraClient,
  jql: string,
  token: string | null,
): Promise<Found<{ id: string; key: string }>> {
  return await search(client, foundIdsSchema, {
    ...{ jql, maxResults: IDS_AT_ONCE, fields: ["id", "key"] },
    ...(token === null ? {} : { nextPageToken: token }),
  });
}

/**
 * Reads issues by id, up to `ISSUES_AT_ONCE`. Unlike a search it does not lag behind, and an unknown id is no error: JQL
 * refuses a query that names a deleted issue. An issue that moved to another project is left out.
 */
export async function fetchIssues(
  client: JiraClient,
  projectId: string,
  ids: readonly string[],
): Promise<Issue[]> {
  const sizes = openSizes();
  const found: Issue[] = [];
  for (let from = 0; from < ids.length; ) {
    const size = await sizes.try({ asked: ISSUES_AT_ONCE, offset: from }, async (most) => {
      found.push(...(await bulkFetch(client, ids.slice(from, from + most))));
      return most;
    });
    from += size;
  }
  return found.filter(({ fields }) => projectIdOf(fields) === projectId);
}

async function bulkFetch(client: JiraClient, ids: readonly string[]): Promise<Issue[]> {
  const body = { issueIdsOrKeys: ids, fields: ["*all"], expand: ["changelog"] };
  const call = {
    method: "POST",
    path: paths.bulkFetch,
    body,
    about: "some issues",
    isRepeatable: true,
  } as const;
  const { issues } = await client.request(
    { ...call, endpoint: "search" },
    bulkSchema,
    (answer) => answer.issues.length,
  );
  return issues;
}

function projectIdOf(fields: Issue["fields"]): string {
  return String((fields.project as { id?: unknown } | null | undefined)?.id ?? "");
}

/** Jira's own number of issues, which may lag behind by moments. */
export async function countIssues(client: JiraClient, jql: string): Promise<number> {
  const call = { method: "POST", path: paths.count, body: { jql }, about: "the number of issues" } as const;
  const { count } = await client.request({ ...call, isRepeatable: true, endpoint: "search" }, countSchema);
  return count;
}

async function search<T>(
  client: JiraClient,
  schema: z.ZodType<{ issues: T[]; nextPageToken: string | null; isLast?: boolean | null | undefined }>,
  body: object,
): Promise<Found<T>> {
  const call = { method: "POST", path: paths.search, body, about: "the issues", isRepeatable: true } as const;
  const found = await client.request({ ...call, endpoint: "search" }, schema, ({ issues }) => issues.length);
  return { issues: found.issues, next: found.isLast === true ? null : found.nextPageToken };
}

/** The issues of a project. */
export function projectQuery(projectId: string, condition: string | null = null): string {
  return `project = ${Number(projectId)}${condition === null ? "" : ` AND ${condition}`}`;
}

/** The same, oldest number first. */
export function projectJql(projectId: string, condition: string | null = null): string {
  return `${projectQuery(projectId, condition)} ORDER BY key ASC`;
}

/** The number in an issue's key. */
export function numberOf(key: string): number {
  return Number(key.slice(key.lastIndexOf("-") + 1));
}
