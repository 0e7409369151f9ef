import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { type NumberSet, numberSet, numberSetSchema } from "#connectors/toolkit/records/number-set.ts";
import type { StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import { canonicalJson, type Json } from "#core/kernel/canonical-json.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import type { JiraClient } from "../client.ts";
import type { Issue } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import { issueRecordSchema } from "../record-types.ts";
import { backUpFile, isFetchable } from "./back-up-file.ts";
import { issueTitle, listTitles } from "./entry-titles.ts";
import { lackedExtras, type OldExtras, oldExtras, readExtras } from "./issue-extras.ts";
import { issueForm, plainForm } from "./issue-form.ts";
import { firstPage, type ListName, readList } from "./issue-lists.ts";
import {
  findLacking,
  type LackingFile,
  type LackingFiles,
  noteLacking,
  skippedFiles,
} from "./lacking-files.ts";
import { withNames } from "./people-names.ts";
import { peopleNews } from "./people-news.ts";
import { NOTES } from "./project-run.ts";
import { numberOf } from "./search-issues.ts";

const LISTS: readonly { list: ListName; kind: string; pathOf: (issue: string, id: string) => string }[] = [
  { list: "comments", kind: "comment", pathOf: recordPaths.comment },
  { list: "worklogs", kind: "worklog", pathOf: recordPaths.worklog },
  { list: "changes", kind: "change", pathOf: recordPaths.change },
];

/** The kinds whose totals Jira states with each issue. */
export const COUNTED_KINDS = ["issue", "comment", "worklog", "change", "attachment"] as const;

/** How an issue is read: `changed` = all of it; `rolling` = what may have changed without updating it. */
export type IssueReading = { mode: "changed" | "rolling"; isLinkDay: boolean };

/**
 * An issue with everything below it. What the previous version has of it and Jira no longer shows is dropped. Totals in
 * the state follow.
 */
export async function* issueRecords(
  run: StagesRun,
  client: JiraClient,
  issue: Issue,
  { mode, isLinkDay }: IssueReading,
): AsyncGenerator<BackupEvent, void> {
  const { previous } = run.order;
  const old = previous === null ? new Map<string, string>() : await readOld(previous, issue.id);
  const lacked = previous === null ? null : await findLacking(previous, issue.id);
  const seen = new Set<string>();
  const path = recordPaths.issue(issue.id);
  const value = issueForm(issue);
  const isSame = (await sha256Hex(canonicalJson(value))) === old.get(path)?.split(" ")[1];
  // Listed again because of the overlap: with the same time of change, all of it is as the previous version has it.
  if (isSame && mode === "changed" && !isFetchable(run.session, lacked)) {
    if (lacked !== null) yield* skippedFiles(lacked);
    return noteRead(run, numberOf(issue.key));
  }
  if (!isSame) run.notes[NOTES.isBusy] = true;
  seen.add(path);
  yield { type: "record", path, kind: "issue", title: issueTitle(issue), value };
  const totals: Record<string, number> = { issue: 1, attachment: issue.fields.attachment.length };
  for (const { list, kind, pathOf } of LISTS) {
    totals[kind] = firstPage(issue, list).total;
    for await (const entry of readList(client, issue, list)) {
      const at = pathOf(issue.id, entry.id);
      seen.add(at);
      const title = listTitles[kind]!(entry);
      yield { type: "record", path: at, kind, title, parent: path, value: plainForm(entry) };
    }
  }
  const files: LackingFile[] = [];
  for (const attachment of issue.fields.attachment.toSorted((a, b) => Number(a.id) - Number(b.id))) {
    seen.add(recordPaths.attachment(issue.id, attachment.id));
    const lacking = yield* backUpFile(run, issue, attachment);
    if (lacking !== null) files.push(lacking);
  }
  yield* skippedFiles({ issueId: issue.id, files });
  yield* noteLacking(previous, issue, files);
  yield* extrasRecord(run, client, issue, { old, seen, mode, isLinkDay });
  for (const [at] of old) if (!seen.has(at)) yield { type: "drop", path: at };
  count(run, old, { totals, lacked });
  noteRead(run, numberOf(issue.key));
}

function noteRead(run: StagesRun, number: number): void {
  const read = readIssues(run);
  read.add(number);
  run.notes[NOTES.read] = read.toText();
}

/** Some issues, except those that this run has read already. */
export async function* issuesRecords(
  run: StagesRun,
  client: JiraClient,
  issues: readonly Issue[],
  reading: IssueReading,
): AsyncGenerator<BackupEvent, void> {
  for (const issue of issues) {
    if (!readIssues(run).has(numberOf(issue.key))) yield* issueRecords(run, client, issue, reading);
  }
}

/** The numbers of the issues that this run has read. */
export function readIssues(run: StagesRun): NumberSet {
  return readCursor(numberSetSchema, run.notes[NOTES.read]) ?? numberSet();
}

/** Removes an issue that Jira no longer has. */
export async function* dropIssue(run: StagesRun, issueId: string): AsyncGenerator<BackupEvent, void> {
  const { previous } = run.order;
  if (previous === null) return;
  const old = await readOld(previous, issueId);
  for (const [path] of old) yield { type: "drop", path };
  const lacked = await findLacking(previous, issueId);
  if (lacked !== null) {
    yield { type: "drop", path: recordPaths.lackingFiles(issueId) };
    noteRead(run, lacked.number);
  }
  count(run, old, { totals: {}, lacked });
  run.notes[NOTES.isBusy] = true;
}

/** Entries of an issue in the previous version: kind and hash by path. */
async function readOld(previous: SnapshotView, issueId: string): Promise<Map<string, string>> {
  const old = new Map<string, string>();
  for await (const { path, kind, hash } of previous.list(recordPaths.issueFolder(issueId))) {
    old.set(path, `${kind} ${hash}`);
  }
  return old;
}

function count(
  run: StagesRun,
  old: ReadonlyMap<string, string>,
  { totals, lacked }: { totals: Readonly<Record<string, number>>; lacked: LackingFiles | null },
): void {
  const before: Record<string, number> = { attachment: lacked?.files.length ?? 0 };
  for (const [, entry] of old) {
    const kind = entry.split(" ", 1)[0]!;
    before[kind] = (before[kind] ?? 0) + 1;
  }
  for (const kind of COUNTED_KINDS) {
    run.next.counts[kind] = (run.next.counts[kind] ?? 0) + (totals[kind] ?? 0) - (before[kind] ?? 0);
  }
}

async function* extrasRecord(
  run: StagesRun,
  client: JiraClient,
  issue: Issue,
  { old, seen, mode, isLinkDay }: IssueReading & { old: ReadonlyMap<string, string>; seen: Set<string> },
): AsyncGenerator<BackupEvent, void> {
  const path = recordPaths.issueExtras(issue.id);
  const known = await knownExtras(run, issue.id, old);
  const isWhole = mode === "changed" || known === null;
  const { value, refused } = await readExtras(run, client, issue, { old: known, isWhole, isLinkDay });
  for (const { name, reason } of refused) {
    const lacks = lackedExtras(run);
    if (lacks.includes(name)) continue;
    run.notes[NOTES.lacks] = [...lacks, name];
    yield { type: "skipped", path: `${recordPaths.issues}${name}`, kind: "issue-extras", reason };
  }
  if (value === null) return;
  seen.add(path);
  yield {
    ...{
      type: "record",
      path,
      kind: "issue-extras",
      title: issueTitle(issue),
      parent: recordPaths.issue(issue.id),
    },
    value: value as Json,
  };
}

/** What the previous version has, with what is new about its people. */
async function knownExtras(
  run: StagesRun,
  issueId: string,
  old: ReadonlyMap<string, string>,
): Promise<OldExtras | null> {
  const { previous } = run.order;
  const [issuePath, extrasPath] = [recordPaths.issue(issueId), recordPaths.issueExtras(issueId)];
  if (previous === null || !old.has(issuePath)) return null;
  const { fields } = issueRecordSchema.parse(await previous.readRecord(issuePath));
  const stored = old.has(extrasPath) ? await previous.readRecord(extrasPath) : null;
  const countOf = (name: string, member: string) =>
    Number((fields[name] as Record<string, unknown> | undefined)?.[member] ?? 0);
  return {
    extras: oldExtras(withNames(stored, (await peopleNews(run)).names)),
    watchCount: countOf("watches", "watchCount"),
    voteCount: countOf("votes", "votes"),
  };
}
