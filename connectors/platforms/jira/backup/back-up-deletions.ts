import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { nameBelow } from "#connectors/toolkit/records/drop-missing.ts";
import type { BackupStage, StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import type { JiraClient } from "../client.ts";
import { recordPaths } from "../record-paths.ts";
import { MARK } from "./back-up-issues.ts";
import { COUNTED_KINDS, dropIssue, issuesRecords, readIssues } from "./issue-records.ts";
import { NOTES, openProject } from "./project-run.ts";
import {
  countIssues,
  fetchIssues,
  ISSUES_AT_ONCE,
  numberOf,
  projectJql,
  projectQuery,
  searchIds,
} from "./search-issues.ts";

/** What Jira's count said more than its list, when both were last compared. */
const SKEW = "skew";

/**
 * Compares the number of issues with Jira's own. Only if they differ, the ids of all issues are listed: what Jira no
 * longer has is dropped, and what it has besides is read. Jira calls its count approximate, so a difference that the list
 * explains is remembered and asked about once. A first version of several pages is compared in any case.
 */
export const deletionsStage: BackupStage = {
  id: "deletions",
  async *run(run) {
    const { client, projectId } = openProject(run);
    const counted = await countIssues(client, projectQuery(projectId));
    const skew = run.next.counts[SKEW] ?? 0;
    const ours = () => run.next.counts.issue ?? 0;
    const { previous } = run.order;
    const isFirst = previous === null;
    if (isFirst ? run.notes[NOTES.isPaged] === true : counted !== ours() + skew) {
      yield* compareIds(run, client, { projectId, previous });
    }
    if (!isFirst && counted !== ours() + skew) {
      const rest = counted - ours();
      if (rest === 0) delete run.next.counts[SKEW];
      else run.next.counts[SKEW] = rest;
    }
    for (const kind of COUNTED_KINDS) {
      yield { type: "reported", kind, count: run.next.counts[kind] ?? 0 };
    }
  },
};

async function* compareIds(
  run: StagesRun,
  client: JiraClient,
  { projectId, previous }: { projectId: string; previous: SnapshotView | null },
): AsyncGenerator<BackupEvent, void> {
  /** Ids by the number in the key. */
  const listed = new Map<number, string>();
  for await (const issues of allIds(client, projectId)) {
    for (const { id, key } of issues) listed.set(numberOf(key), id);
    yield {
      type: "progress",
      progress: { phase: "Comparing the list of issues", done: listed.size, total: null, unit: "items" },
    };
  }
  const known = new Set<string>();
  for await (const { path } of previous?.list(recordPaths.issues) ?? []) known.add(issueIdOf(path));
  const present = new Set(listed.values());
  const missing = [...known].filter((id) => !present.has(id));
  for (const ids of piecesOf(missing, ISSUES_AT_ONCE)) {
    // The index of the search lags: an issue is gone only if it cannot be read by its id either.
    const found = await fetchIssues(client, projectId, ids);
    const there = new Set(found.map(({ id }) => id));
    for (const id of ids) if (!there.has(id)) yield* dropIssue(run, id);
    // Its deletion may have moved another issue to a page that was already read: the next backup reads them again.
    const mark = run.known?.marks[MARK];
    if (there.size < ids.length && run.notes[NOTES.isPaged] === true && mark !== undefined) {
      run.next.marks[MARK] = mark;
    }
    yield* issuesRecords(run, client, found, { mode: "changed", isLinkDay: true });
  }
  const read = readIssues(run);
  const unread = [...listed]
    .filter(([number, id]) => !known.has(id) && !read.has(number))
    .map(([, id]) => id);
  for (const ids of piecesOf(unread, ISSUES_AT_ONCE)) {
    const found = await fetchIssues(client, projectId, ids);
    yield* issuesRecords(run, client, found, { mode: "changed", isLinkDay: true });
  }
}

async function* allIds(client: JiraClient, projectId: string) {
  for (let token: string | null = null; ; ) {
    const { issues, next } = await searchIds(client, projectJql(projectId), token);
    yield issues;
    if (next === null) return;
    if (next === token) throw new ConnectorError("malformed", "Jira's list of issues leads in a circle.");
    token = next;
  }
}

/** The id of the issue that an entry belongs to. */
export function issueIdOf(path: string): string {
  return String(Number(nameBelow(recordPaths.issues, path)));
}

/** Pieces of at most `size` members. */
export function* piecesOf<T>(all: readonly T[], size: number): Generator<T[], void> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}
