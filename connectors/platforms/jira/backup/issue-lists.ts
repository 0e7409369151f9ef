import type { JiraClient } from "../client.ts";
import { paths } from "../client.ts";
import { changesSchema, commentsSchema, type Entry, type Issue, worklogsSchema } from "../payloads.ts";

/** The lists of an issue whose first page comes with it. */
export type ListName = "comments" | "worklogs" | "changes";

type Page = { total: number; entries: Entry[] };

/** Jira returns up to 5,000 comments and work logs at once, but only 100 entries of the history. */
const MOST_AT_ONCE: Record<ListName, number> = { comments: 5_000, worklogs: 5_000, changes: 100 };
const MOST_PAGES = 10_000;

/** The part of a list that came with the issue. */
export function firstPage({ fields, changelog }: Issue, list: ListName): Page {
  const of = (total: number | undefined, entries: Entry[] | undefined) => ({
    total: total ?? 0,
    entries: entries ?? [],
  });
  if (list === "comments") return of(fields.comment?.total, fields.comment?.comments);
  if (list === "worklogs") return of(fields.worklog?.total, fields.worklog?.worklogs);
  return of(changelog?.total, changelog?.histories);
}

/**
 * Yields every entry of a list, each once: those that came with the issue, then the rest page by page. Lists by call are
 * sorted oldest first. If entries are missing at the end, because the list changed meanwhile, it is read from its start.
 */
export async function* readList(
  client: JiraClient,
  issue: Issue,
  list: ListName,
): AsyncGenerator<Entry, void> {
  const first = firstPage(issue, list);
  const seen = new Set<string>();
  const fresh = (entries: readonly Entry[]) =>
    entries.filter(({ id }) => !seen.has(id) && seen.add(id) !== undefined);
  yield* fresh(first.entries);
  if (seen.size >= first.total) return;
  const has = isNewestFirst(first.entries) ? 0 : first.entries.length;
  const until = isNewestFirst(first.entries) ? first.total - first.entries.length : first.total;
  let { total } = first;
  for (const [from, to] of [
    [has, until],
    [0, Number.POSITIVE_INFINITY],
  ] as const) {
    let startAt = from;
    for (let pages = 0; startAt < Math.min(to, total) && pages < MOST_PAGES; pages++) {
      const page = await readPage(client, issue.id, list, startAt);
      total = page.total;
      yield* fresh(page.entries);
      if (page.entries.length === 0) break;
      startAt += page.entries.length;
    }
    if (seen.size >= total) return;
  }
}

function isNewestFirst(entries: readonly Entry[]): boolean {
  const [first, last] = [entries[0]?.created, entries.at(-1)?.created];
  return first != null && last != null && Date.parse(first) > Date.parse(last);
}

async function readPage(client: JiraClient, issueId: string, list: ListName, startAt: number): Promise<Page> {
  const query = { startAt, maxResults: MOST_AT_ONCE[list] };
  const call = { method: "GET", query, endpoint: "issue" } as const;
  if (list === "comments") {
    const about = "the comments of an issue";
    const asked = { ...call, path: paths.comments(issueId), about, query: { ...query, orderBy: "created" } };
    const { total, comments } = await client.request(asked, commentsSchema);
    return { total, entries: comments };
  }
  if (list === "worklogs") {
    const about = "the work logs of an issue";
    const asked = { ...call, path: paths.worklogs(issueId), about };
    const { total, worklogs } = await client.request(asked, worklogsSchema);
    return { total, entries: worklogs };
  }
  const about = "the history of an issue";
  const page = await client.request({ ...call, path: paths.changes(issueId), about }, changesSchema);
  return { total: page.total ?? startAt + page.values.length, entries: page.values };
}
