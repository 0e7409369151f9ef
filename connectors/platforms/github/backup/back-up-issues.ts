import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { readChanges } from "#connectors/toolkit/records/read-changes.ts";
import { readPages } from "#connectors/toolkit/records/read-pages.ts";
import { type BackupStage, mayGoWithout, type StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { paths } from "../client.ts";
import { type GithubIssue, issueAsListed, issueSchema, recordForm } from "../record-form.ts";
import { recordPaths } from "../record-paths.ts";
import { backUpAttachments } from "./back-up-attachments.ts";
import { type Reactions, readReactions } from "./read-reactions.ts";
import {
  itemsProgress,
  openRepository,
  readNotes,
  reportSwitchedOff,
  THREADS_REST,
  writeNotes,
} from "./repository-run.ts";

/** Position in a list of changes. */
export const positionSchema = z.strictObject({ since: z.string().nullable(), page: z.int().positive() });

/** At most this many changed issues are checked for deleted comments; the weekly full read finds the rest. */
const MOST_COUNTED = 2_000;

/**
 * Issues, read from the list of changes, which also contains the pull requests that changed. Reactions are read only
 * for issues that have any.
 */
export const issuesStage: BackupStage = {
  id: "issues",
  optional: { kind: "issue", path: "issues/", prefixes: ["issues/"] },
  rests: THREADS_REST,
  async *run(run, cursor) {
    const { client, get, features } = openRepository(run);
    if (features.issues === false) {
      yield* reportSwitchedOff(run, { kind: "issue", prefix: "issues/", what: "Issues" });
      return;
    }
    const { issues, pulls, reactedPulls, totals, commentCounts } = readNotes(run);
    const list = {
      call: (since: string | null, page: number) =>
        get("/issues", "the issues", {
          ...{ state: "all", sort: "updated", direction: "asc", page },
          ...(since === null ? {} : { since }),
        }),
      schema: z.array(issueSchema),
      idOf: (issue: GithubIssue) => String(issue.number),
      changedAt: (issue: GithubIssue) => issue.updated_at,
    };
    const mark = run.known?.marks.issues ?? null;
    const total = mark === null && totals !== null ? totals.issues + totals.pulls : null;
    yield itemsProgress("Reading issues", issues.size() + pulls.size(), total);
    let here = readCursor(positionSchema, cursor);
    for await (const page of readChanges(client, list, { mark, position: here })) {
      for (const issue of page.members) {
        (issue.pull_request ? pulls : issues).add(issue.number);
        if (issue.pull_request && (issue.reactions?.total_count ?? 0) > 0) reactedPulls.add(issue.number);
        const isCounted = run.known !== null && Object.keys(commentCounts).length < MOST_COUNTED;
        if (isCounted && issue.comments !== undefined) commentCounts[issue.number] = issue.comments;
      }
      yield* issueRecords(
        run,
        page.members.filter((issue) => !issue.pull_request),
        here,
      );
      const sets = { issues: issues.toText(), pulls: pulls.toText(), reactedPulls: reactedPulls.toText() };
      writeNotes(run, { ...sets, commentCounts });
      yield itemsProgress("Reading issues", issues.size() + pulls.size(), total);
      if (page.newest !== null) run.next.marks.issues = page.newest;
      here = page.position;
      if (here !== null) yield { type: "checkpoint", cursor: here };
    }
    writeNotes(run, { areChangesKnown: true });
    run.next.counts.issues = await countKnown(run, issues.values(), "issues", recordPaths.issue);
  },
};

/**
 * Yields the records of some issues, and their attached files.
 * @param cursor Where the stage reads these issues again.
 */
export async function* issueRecords(
  run: StagesRun,
  issues: readonly GithubIssue[],
  cursor?: Json,
): AsyncGenerator<BackupEvent, void> {
  const base = paths.repositoryByName(run.order.item.fullName);
  const reacted = issues.filter((issue) => (issue.reactions?.total_count ?? 0) > 0);
  const things = reacted.map((issue) => ({
    nodeId: issue.node_id,
    path: `${base}/issues/${issue.number}/reactions`,
  }));
  const reactions = await readReactions(run.session, things);
  for (const issue of issues) {
    const thing = things[reacted.indexOf(issue)];
    const blockers = yield* readBlockers(run, issue);
    yield {
      type: "record",
      path: recordPaths.issue(issue.number),
      kind: "issue",
      title: `#${issue.number} ${issue.title}`,
      value: withReactions(
        { ...(issueAsListed(issue) as { [key: string]: Json }), ...blockers },
        thing && reactions.get(thing),
      ),
    };
  }
  const texts = issues.map(({ number, body }) => ({ text: body, parent: recordPaths.issue(number) }));
  yield* backUpAttachments(run, texts, cursor === undefined ? undefined : { cursor });
}

const blockersSchema = z.array(
  z.object({ number: z.int(), html_url: z.string(), repository_url: z.string().optional() }),
);

/** Reads which issues block an issue, if GitHub counts any. The parent of a sub-issue is in the issue itself. */
async function* readBlockers(
  run: StagesRun,
  { number, issue_dependencies_summary: summary }: GithubIssue,
): AsyncGenerator<BackupEvent, { blocked_by?: Json }> {
  if ((summary?.total_blocked_by ?? 0) === 0) return {};
  const { client, get } = openRepository(run);
  const call = get(`/issues/${number}/dependencies/blocked_by`, `what blocks #${number}`);
  try {
    const blockers: Json[] = [];
    for await (const { members } of readPages(client, call, blockersSchema))
      for (const one of members) blockers.push({ number: one.number, html_url: one.html_url });
    return { blocked_by: blockers };
  } catch (error) {
    if (!mayGoWithout(run, error)) throw error;
    yield { type: "skipped", path: recordPaths.issue(number), kind: "issue", reason: error.message };
    return {};
  }
}

/** Adds the reactions to a record; leaves the member out when there are none. */
export function withReactions(value: Json, reactions: Reactions | undefined): Json {
  const form = recordForm(value);
  if (reactions === undefined || Object.keys(reactions).length === 0) return form;
  return { ...(form as { [key: string]: Json }), reactions };
}

/** Counts the entries of one kind in the new snapshot: those of the previous snapshot plus the new ones. */
export async function countKnown(
  { known, order }: StagesRun,
  numbers: Iterable<number>,
  name: string,
  pathOf: (number: number) => string,
): Promise<number> {
  const before = known?.counts[name];
  let count = before ?? 0;
  for (const number of numbers) {
    const isOld = before !== undefined && (await order.previous?.find(pathOf(number)));
    if (!isOld) count += 1;
  }
  return count;
}
