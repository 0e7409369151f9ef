import { z } from "zod";
import type { RestoreEvent, RestoreJournal, Session } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { momentText } from "#connectors/toolkit/records/quote.ts";
import { openStage, type RestoreStage, reportOnce } from "#connectors/toolkit/records/restore-stage.ts";
import { isOutOfReach } from "#connectors/toolkit/records/run-stages.ts";
import { paths } from "../client.ts";
import { type GitlabIssue, issueSchema } from "../payloads.ts";
import { type IssuableKind, recordPaths } from "../record-paths.ts";
import { quoteGitlab } from "./quote-gitlab.ts";
import type { TextsRestore } from "./restore-io.ts";
import { readNotes, restoreNotes } from "./restore-notes.ts";
import type { RestorePace } from "./restore-pace.ts";
import { isRefusal } from "./restore-refusal.ts";

/** What the restore of issues and merge requests needs. */
export type IssuablesRestore = TextsRestore & {
  session: Session;
  journal: RestoreJournal;
  pace: RestorePace;
  /** New ids of milestones by title. */
  milestones: ReadonlyMap<string, number>;
};

/** Progress of the issues: the last one's path in the version, and the highest new number. */
export type IssuesPosition = { path: string; lastIid: number };

export const createdIssueSchema = z.object({
  iid: z.int(),
  title: z.string(),
  created_at: z.string(),
  web_url: z.string().nullish(),
});
export type CreatedIssue = z.output<typeof createdIssueSchema>;

const WITHOUT_DATES =
  "GitLab lets only owners of a project set dates; each text starts with its original date.";

/** The report line for issue numbers when the account is not an owner. */
export const NEW_NUMBERS = {
  type: "changed",
  what: "Numbers of issues",
  reason:
    "GitLab lets only owners of a project choose numbers; issues get the next free ones, and the report lists them.",
} as const;

/** The report lines for dates when the account is not an owner. */
export const NEW_DATES = {
  issues: { type: "changed", what: "Dates of issues", reason: WITHOUT_DATES },
  notes: { type: "changed", what: "Dates of comments", reason: WITHOUT_DATES },
} as const;

/**
 * Restores issues in number order, each with its notes. Only owners may set numbers and dates; the report says when
 * GitLab ignores either. An issue created after the last journal entry is found by its number, so a slice may end
 * anywhere.
 *
 * @returns the highest new number
 */
export async function* restoreIssues(restore: IssuablesRestore): AsyncGenerator<RestoreEvent, number> {
  const { snapshot, journal } = restore;
  const stage = await openStage<IssuesPosition>(journal, "issues");
  if (!stage.isDone) {
    const total = await countGroups(snapshot, "issue");
    const before = stage.at?.path ?? "";
    let mayBeThere = true;
    let done = 0;
    for await (const group of groupsOf(snapshot, "issue")) {
      done += 1;
      if (group.path <= before) continue;
      const progress = { phase: "Creating issues", done: done - 1, total, unit: "items" } as const;
      yield { type: "progress", progress };
      const issue = issueSchema.parse(await snapshot.readRecord(group.path));
      const lastIid = stage.at?.lastIid ?? 0;
      const found: CreatedIssue | null = mayBeThere
        ? await findIssue(restore, issue.title, [issue.iid, lastIid + 1])
        : null;
      mayBeThere = found !== null;
      const created = found ?? (await createIssue(restore, stage, issue));
      if (created === null) {
        mayBeThere = true;
        continue;
      }
      noteDifferences(stage, issue, created);
      yield* restoreNotesOf(restore, stage, {
        group,
        thing: paths.issue(restore.projectId, created.iid),
        originUrl: issue.web_url ?? null,
        mayBeThere: found !== null,
      });
      await finishIssue(restore, issue, created.iid);
      stage.count("issue");
      const position = { path: group.path, lastIid: Math.max(lastIid, created.iid) };
      await stage.step(position);
      yield { type: "checkpoint" };
    }
    await stage.finish();
  }
  yield* stage.events();
  return stage.at?.lastIid ?? 0;
}

/** An issue or merge request: its path, the paths of its notes, and how many changes of its labels and states it has. */
export type Group = { path: string; notes: string[]; events: number };

/** Issues or merge requests of a version with their notes, in number order. */
export async function* groupsOf(snapshot: SnapshotView, kind: IssuableKind): AsyncGenerator<Group> {
  let group: Group | null = null;
  for await (const entry of snapshot.list(recordPaths.issuables(kind))) {
    if (entry.kind === kind) {
      if (group !== null) yield group;
      group = { path: entry.path, notes: [], events: 0 };
    } else if (group !== null && entry.parent === group.path) {
      if (entry.kind === "event") group.events += 1;
      if (entry.kind === "note") group.notes.push(entry.path);
    }
  }
  if (group !== null) yield group;
}

/** How many issues or merge requests a version holds. */
export async function countGroups(snapshot: SnapshotView, kind: IssuableKind): Promise<number> {
  let count = 0;
  for await (const entry of snapshot.list(recordPaths.issuables(kind))) if (entry.kind === kind) count += 1;
  return count;
}

/** Finds an issue of the new project by title among the numbers; null when none matches. */
export async function findIssue(
  { client, projectId }: { client: HttpClient; projectId: string },
  title: string,
  numbers: readonly number[],
): Promise<CreatedIssue | null> {
  for (const iid of new Set(numbers)) {
    try {
      const call = { method: "GET", path: paths.issue(projectId, iid), about: "a new issue" } as const;
      const issue = await client.request(call, createdIssueSchema);
      if (issue.title === title) return issue;
    } catch (error) {
      if (!isOutOfReach(error)) throw error;
    }
  }
  return null;
}

async function createIssue(
  restore: IssuablesRestore,
  stage: RestoreStage<IssuesPosition>,
  issue: GitlabIssue,
): Promise<CreatedIssue | null> {
  const { client, projectId, pace } = restore;
  await pace.beforeIssue();
  const body = { ...issueBody(restore, issue), iid: issue.iid };
  const call = { method: "POST", path: paths.issues(projectId), body, about: "an issue" } as const;
  try {
    return await client.request({ ...call, missing: "forbidden" }, createdIssueSchema);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const taken = await findIssue(restore, issue.title, [issue.iid]);
    if (taken !== null) return taken;
    stage.tell({ type: "missing", what: `Issue #${issue.iid} ${issue.title}`, reason: error.message });
    return null;
  }
}

/** The body of the call that creates an issue. */
export function issueBody(
  { session, milestones, rewrite }: Pick<IssuablesRestore, "session" | "milestones" | "rewrite">,
  issue: GitlabIssue,
): Record<string, unknown> {
  const milestoneId = issue.milestone ? milestones.get(issue.milestone.title) : undefined;
  const origin = {
    author: issue.author?.username ?? null,
    at: issue.created_at,
    url: issue.web_url ?? null,
    facts: [
      ...assigneeFacts(issue),
      ...voteFacts(issue),
      ...(issue.closed_at ? [`Closed on ${momentText(issue.closed_at)}.`] : []),
    ],
  };
  return {
    title: issue.title,
    description: quoteGitlab(session.config, origin, rewrite(issue.description ?? "")),
    created_at: issue.created_at,
    labels: issue.labels.join(","),
    ...(issue.confidential === true ? { confidential: true } : {}),
    ...(issue.due_date ? { due_date: issue.due_date } : {}),
    ...(issue.weight == null ? {} : { weight: issue.weight }),
    ...(issue.issue_type && issue.issue_type !== "issue" ? { issue_type: issue.issue_type } : {}),
    ...(milestoneId === undefined ? {} : { milestone_id: milestoneId }),
  };
}

const peopleSchema = z.array(z.looseObject({ username: z.string() })).catch([]);

/** A sentence with the assignees: a restore invites nobody, so it cannot assign anybody. */
export function assigneeFacts({ assignees }: Readonly<Record<string, unknown>>): string[] {
  const people = peopleSchema.parse(assignees ?? []).map(({ username }) => username);
  return people.length === 0 ? [] : [`Assigned to ${people.join(", ")}.`];
}

const votesSchema = z.array(z.object({ by: z.object({ username: z.string() }).nullable() })).catch([]);
const awardsSchema = z
  .array(z.object({ name: z.string(), by: z.object({ username: z.string() }).nullable() }))
  .catch([]);

/** Sentences with approvals and reactions: a restore cannot vote in other people's names. */
export function voteFacts({ approved_by, award_emoji }: Readonly<Record<string, unknown>>): string[] {
  const approvers = votesSchema.parse(approved_by ?? []).map(({ by }) => by?.username ?? "somebody");
  const people = new Map<string, string[]>();
  for (const { name, by } of awardsSchema.parse(award_emoji ?? [])) {
    people.set(name, [...(people.get(name) ?? []), by?.username ?? "somebody"]);
  }
  const reactions = [...people].map(([name, names]) => `:${name}: from ${names.join(", ")}`);
  return [
    ...(approvers.length === 0 ? [] : [`Approved by ${approvers.join(", ")}.`]),
    ...(reactions.length === 0 ? [] : [`Reactions: ${reactions.join("; ")}.`]),
  ];
}

/** Reports once that numbers or dates were ignored, and reports each changed number. */
function noteDifferences(
  stage: RestoreStage<IssuesPosition>,
  issue: GitlabIssue,
  created: CreatedIssue,
): void {
  if (created.iid !== issue.iid) {
    reportOnce(stage, NEW_NUMBERS);
    const url = created.web_url ?? null;
    stage.tell({ type: "mapped", kind: "issue", from: `#${issue.iid}`, to: `#${created.iid}`, url });
  }
  if (Date.parse(created.created_at) !== Date.parse(issue.created_at)) {
    reportOnce(stage, NEW_DATES.issues);
  }
}

/** The report line for system notes and for changes of labels, milestones and states. */
export const SYSTEM_NOTES = {
  type: "changed",
  what: "Notes of the system, such as changes of labels",
  reason: "GitLab writes these notes and changes itself; the backup and its ZIP keep them.",
} as const;

/** Restores the notes of an issue or merge request and counts them in its stage. */
export async function* restoreNotesOf(
  { session, client, snapshot, pace, rewrite }: IssuablesRestore,
  stage: Pick<RestoreStage<never>, "tell" | "count" | "events">,
  order: { group: Group; thing: string; originUrl: string | null; mayBeThere: boolean },
): AsyncGenerator<RestoreEvent> {
  const { group, ...place } = order;
  const target = { client, config: session.config, pace, rewrite, ...place };
  const writing = restoreNotes(await readNotes(snapshot, group.notes), target);
  for (;;) {
    const step = await writing.next();
    if (step.done) {
      if (step.value.count > 0) stage.count("note", step.value.count);
      if (!step.value.areDatesKept) {
        reportOnce(stage, NEW_DATES.notes);
      }
      if (step.value.system + group.events > 0) reportOnce(stage, SYSTEM_NOTES);
      return;
    }
    if (step.value.type === "missing") stage.tell(step.value);
    else yield step.value;
  }
}

/** Closes or locks an issue once its notes are restored. Idempotent. */
async function finishIssue(
  { client, projectId }: IssuablesRestore,
  issue: GitlabIssue,
  iid: number,
): Promise<void> {
  const body = finishBody(issue);
  if (Object.keys(body).length === 0) return;
  const path = paths.issue(projectId, iid);
  await client.send({ method: "PUT", path, body, about: `the issue #${iid}`, missing: "forbidden" });
}

/** The body that closes or locks a restored issue or merge request; empty = nothing to set. */
export function finishBody({
  state,
  discussion_locked,
}: Pick<GitlabIssue, "state" | "discussion_locked">): object {
  return {
    ...(state === "closed" ? { state_event: "close" } : {}),
    ...(discussion_locked === true ? { discussion_locked: true } : {}),
  };
}
