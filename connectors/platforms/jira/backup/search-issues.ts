import type { z } from "zod";
import { openSizes, type Sizes } from "#connectors/toolkit/records/shrink.ts";
import { type JiraClient, paths } from "../client.ts";
import { countSchema, foundIdsSchema, foundSchema, type Issue } from "../payloads.ts";

/** Issues with all fields that Jira returns at once. It may return fewer (contract, `maxResults`). */
export const ISSUES_AT_ONCE = 100;
/** Ids that Jira returns at once. */
export const IDS_AT_ONCE = 5_000;
/** Issues for which a search can be told to wait for its index (contract, `reconcileIssues`). */
export const RECONCILED_AT_ONCE = 50;

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

/** Reads one page of ids. With `reconciled`, the search is up to date about these. */
export async function searchIds(
  client: JiraClient,
  jql: string,
  { token = null, reconciled = [] }: { token?: string | null; reconciled?: readonly string[] } = {},
): Promise<Found<{ id: string; key: string }>> {
  return await search(client, foundIdsSchema, {
    ...{ jql, maxResults: IDS_AT_ONCE, fields: ["id", "key"] },
    ...(reconciled.length === 0 ? {} : { reconcileIssues: reconciled.map(Number) }),
    ...(token === null ? {} : { nextPageToken: token }),
  });
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

/** Issues by id. */
export function idsJql(projectId: string, ids: readonly string[]): string {
  return projectJql(projectId, `issue in (${ids.map(Number).join(",")})`);
}

/** The number in an issue's key. */
export function numberOf(key: string): number {
  return Number(key.slice(key.lastIndexOf("-") + 1));
}
