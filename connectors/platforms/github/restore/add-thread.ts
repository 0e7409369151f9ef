import { z } from "zod";
import type { RestoredItem, RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { cutText } from "#connectors/toolkit/records/cut-text.ts";
import { type IssueIntent, issueIntentSchema, newMark } from "#connectors/toolkit/records/issue-intent.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import { openStage, type RestoreStage, reportOnce } from "#connectors/toolkit/records/restore-stage.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { paths } from "../client.ts";
import { repositoryRecordSchema } from "../read/repository-record.ts";
import { recordPaths } from "../record-paths.ts";
import { finishThread } from "./issue-writer.ts";
import type { Thread } from "./list-threads.ts";
import { CUT_TEXT, LONGEST } from "./quote-github.ts";
import type { RestoreIo } from "./restore-io.ts";
import { createLabel, labelBody, labelsOf } from "./restore-labels.ts";
import { milestonesOf } from "./restore-milestones.ts";
import { isRefusal, refusalReason } from "./restore-refusal.ts";
import { ASSIGNEES_IN_TEXT, REACTIONS_IN_TEXT, THREAD_KINDS } from "./restore-threads.ts";
import { labelSchema, milestoneSchema } from "./restored-records.ts";
import { draftThread, type IssueDraft } from "./thread-draft.ts";
import { threadLines } from "./thread-lines.ts";

const LIST = { per_page: 100 };
/** Room for the first text before its mark, which is a UUID in a comment. */
const LONGEST_TEXT = LONGEST.thread - 80;

const issueSchema = z.object({
  number: z.int(),
  html_url: z.string(),
  body: z.string().nullish(),
  labels: z.array(z.object({ name: z.string() })).catch([]),
  milestone: z.object({ number: z.int() }).nullish(),
});
type MadeIssue = z.output<typeof issueSchema>;
const issuesSchema = z.array(issueSchema);
const commentsSchema = z.array(z.object({ id: z.int(), body: z.string().nullish() }));

/**
 * Adds one issue, pull request or discussion to an existing repository, as a new issue. GitHub's import is not used:
 * nobody promises that it takes issues for a repository in use. The first text ends with an invisible mark, by which a
 * resumed run finds the issue that it has created.
 *
 * @returns the repository, with the page of the new issue
 * @throws ConnectorError when GitHub does not take the issue
 */
export async function* addThread(io: RestoreIo, thread: Thread): AsyncGenerator<RestoreEvent, RestoredItem> {
  const stage = await openStage<null>(io.journal, "thread");
  const { fullName } = repositoryRecordSchema.parse(await io.snapshot.readRecord(recordPaths.repository));
  const draft = await draftThread({ ...io, config: io.session.config, sourceName: fullName }, thread);
  const before = await readNote(io.journal, "intent", issueIntentSchema);
  const intent = before ?? (await prepare(io, draft));
  yield progress(draft, 0);
  const noted = await readNote(io.journal, "issue", issueSchema);
  const found = noted ?? (before === null ? null : await findMarked(io, intent));
  const issue = found ?? (await createIssue(io, draft, intent));
  if (!stage.isDone) {
    yield* addComments(io, stage, { draft, issue, isNew: found === null });
    stage.count(THREAD_KINDS[thread.source]);
    report(stage, { thread, draft, intent, issue });
    for (const line of await threadLines(io.snapshot, thread)) stage.tell(line);
    await stage.finish();
  }
  yield* stage.events();
  return { ...io.created, name: draft.title, webUrl: issue.html_url };
}

/** Looks at the repository and journals what is missing there, before anything is written. */
async function prepare(io: RestoreIo, draft: IssueDraft): Promise<IssueIntent> {
  const there = draft.labels.length === 0 ? new Map() : await labelsOf(io);
  const title = await milestoneTitle(io, draft);
  const intent: IssueIntent = {
    mark: newMark(),
    since: new Date(io.session.clock.now() - DAY_MS).toISOString().replace(/\.\d+Z$/, "Z"),
    newLabels: draft.labels.filter((name) => !there.has(name.toLowerCase())),
    milestone: title === null ? null : ((await milestonesOf(io)).get(title) ?? null),
  };
  await io.journal.record("intent", intent);
  return intent;
}

async function milestoneTitle({ snapshot }: RestoreIo, { milestone }: IssueDraft): Promise<string | null> {
  const path = milestone === null ? null : recordPaths.milestone(milestone);
  if (path === null || (await snapshot.find(path)) === null) return null;
  return milestoneSchema.parse(await snapshot.readRecord(path)).title;
}

async function findMarked(io: RestoreIo, { mark, since }: IssueIntent): Promise<MadeIssue | null> {
  const path = paths.issues(io.created.fullName);
  const query = { ...LIST, state: "all", since };
  const call = { method: "GET", path, query, about: "the new issue", missing: "forbidden" } as const;
  for await (const issue of io.client.members(call, issuesSchema, ({ number }) => String(number))) {
    if (issue.body?.includes(mark)) return issue;
  }
  return null;
}

async function createIssue(io: RestoreIo, draft: IssueDraft, intent: IssueIntent): Promise<MadeIssue> {
  await makeLabels(io, intent.newLabels);
  const { title, labels } = draft;
  const { mark, milestone } = intent;
  const text = `${cutText(draft.body, LONGEST_TEXT)}\n\n${mark}`;
  const body = { title, body: text, labels, ...(milestone !== null && { milestone }) };
  const path = paths.issues(io.created.fullName);
  const call = { method: "POST", path, body, about: "a new issue", missing: "forbidden" } as const;
  const made = await io.client.request(call, issueSchema);
  await io.journal.record("issue", { ...made, body: null });
  return made;
}

/** Creates missing labels with their colours: GitHub would make them grey. A refused one is missing on the issue, too. */
async function makeLabels(io: RestoreIo, names: readonly string[]): Promise<void> {
  const wanted = new Set(names);
  if (wanted.size === 0) return;
  const known = new Map<string, ReturnType<typeof labelBody>>();
  for await (const { path, title } of io.snapshot.list("labels/")) {
    if (title === undefined || !wanted.has(title)) continue;
    const label = labelBody(labelSchema.parse(await io.snapshot.readRecord(path)));
    known.set(label.name, label);
  }
  for (const name of names) {
    const body = known.get(name) ?? labelBody({ name, color: null, description: null });
    await createLabel(io, body).catch((error: unknown) => {
      // An earlier attempt may have made it.
      if (!isRefusal(error)) throw error;
    });
  }
}

/** Adds the comments that the issue lacks. People and bots may have written others in between. */
async function* addComments(
  io: RestoreIo,
  stage: RestoreStage<null>,
  { draft, issue, isNew }: { draft: IssueDraft; issue: MadeIssue; isNew: boolean },
): AsyncGenerator<RestoreEvent> {
  const { client, created } = io;
  const { number } = issue;
  const path = paths.issueComments(created.fullName, number);
  const there = isNew ? new Map<string, number>() : await headsOf(io, number);
  for (const [index, { body }] of draft.comments.entries()) {
    yield progress(draft, index + 1);
    const copies = there.get(headOf(body)) ?? 0;
    try {
      if (copies > 0) there.set(headOf(body), copies - 1);
      else
        await client.send({
          method: "POST",
          path,
          body: { body },
          about: `issue #${number}`,
          missing: "forbidden",
        });
      stage.count("comment");
    } catch (error) {
      stage.tell({ type: "missing", what: `Comment ${index + 1}`, reason: refusalReason(error) });
    }
    // What is there is read again, so a slice may end here.
    yield { type: "checkpoint" };
  }
  await finishThread(io, number, draft, { state: "open", comments: draft.comments.length });
}

/** How many comments of the issue begin with each line. The first line of a copy names its original. */
async function headsOf({ client, created }: RestoreIo, number: number): Promise<Map<string, number>> {
  const path = paths.issueComments(created.fullName, number);
  const call = { method: "GET", path, query: LIST, about: "the new comments", missing: "forbidden" } as const;
  const heads = new Map<string, number>();
  for await (const { body } of client.members(call, commentsSchema, ({ id }) => String(id))) {
    const head = headOf(body ?? "");
    heads.set(head, (heads.get(head) ?? 0) + 1);
  }
  return heads;
}

const headOf = (text: string) => text.split(/\r?\n/, 1)[0]?.trim() ?? "";

/** Tells what the issue has of the repository, and what it lacks. */
function report(
  stage: RestoreStage<null>,
  {
    thread,
    draft,
    intent,
    issue,
  }: { thread: Thread; draft: IssueDraft; intent: IssueIntent; issue: MadeIssue },
): void {
  const [from, to] = [`#${thread.number}`, `#${issue.number}`];
  if (from !== to)
    stage.tell({ type: "mapped", kind: THREAD_KINDS[thread.source], from, to, url: issue.html_url });
  const set = new Set(issue.labels.map(({ name }) => name.toLowerCase()));
  const lost = draft.labels.filter((name) => !set.has(name.toLowerCase()));
  const made = intent.newLabels.filter((name) => set.has(name.toLowerCase()));
  if (made.length > 0) {
    const reason =
      "The repository had none of the name, so the restore made it, with the colour of the version.";
    stage.tell({ type: "changed", what: `New labels: ${made.join(", ")}`, reason });
  }
  if (lost.length > 0) stage.tell({ type: "missing", what: `Labels: ${lost.join(", ")}`, reason: NOT_SET });
  if (draft.milestone !== null && intent.milestone === null) {
    const reason = "The repository has no milestone of the same title.";
    stage.tell({ type: "changed", what: "Milestone", reason });
  } else if (intent.milestone !== null && issue.milestone?.number !== intent.milestone) {
    stage.tell({ type: "missing", what: "Milestone", reason: NOT_SET });
  }
  if (draft.hasAssignees) reportOnce(stage, ASSIGNEES_IN_TEXT);
  if (draft.hasReactions) reportOnce(stage, REACTIONS_IN_TEXT);
  if (draft.cutTexts > 0 || draft.body.length > LONGEST_TEXT)
    stage.tell({ type: "changed", what: draft.title, reason: CUT_TEXT });
}

const NOT_SET = "GitHub lets only people who may write to the repository set it.";

function progress(draft: IssueDraft, done: number): RestoreEvent {
  const phase = "Restoring the issue and its comments";
  return { type: "progress", progress: { phase, done, total: draft.comments.length + 1, unit: "items" } };
}
