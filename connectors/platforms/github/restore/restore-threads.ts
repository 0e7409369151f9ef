import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { openStage, type RestoreStage, reportOnce } from "#connectors/toolkit/records/restore-stage.ts";
import { paths } from "../client.ts";
import {
  finishThread,
  foundIssueSchema,
  type IssueWriter,
  isWithoutImport,
  openIssueWriter,
  turnToPlainWriter,
  type WrittenIssue,
} from "./issue-writer.ts";
import { listThreads, type Thread } from "./list-threads.ts";
import { CUT_TEXT } from "./quote-github.ts";
import type { RestoreIo } from "./restore-io.ts";
import { isRefusal, refusalReason } from "./restore-refusal.ts";
import {
  draftThread,
  type IssueDraft,
  type PullBranches,
  placeholderDraft,
  type ThreadDraft,
} from "./thread-draft.ts";

/** The last restored number of the original, and the offset from old to new numbers. */
type Position = { number: number; shift: number };
type Stage = RestoreStage<Position>;
type FoundIssue = z.output<typeof foundIssueSchema>;

/**
 * Number of placeholders that are always acceptable. With more gaps than this and more gaps than threads, keeping every
 * number costs more than it is worth.
 */
const FREE_PLACEHOLDERS = 200;

/** Whether lost numbers are filled with placeholders, so that all other numbers stay the same. */
export function fillsGapsOf({ threads, highest }: { threads: number; highest: number }): boolean {
  return highest - threads <= Math.max(FREE_PLACEHOLDERS, threads);
}

const pullSchema = z.object({ number: z.int(), html_url: z.string() });

/** What restored threads need from earlier parts. */
export type ThreadOrder = {
  /** The original's full name, which distinguishes its own branches from those of forks. */
  sourceName: string;
  /** Branches that were restored. */
  branches: ReadonlySet<string>;
  /** Old → new milestone numbers. */
  milestones: ReadonlyMap<number, number>;
};

/**
 * Restores issues, pull requests and discussions in number order, so that each gets its own number again: a new
 * repository counts from 1. Closed placeholders fill numbers that the original lost. A resumed run looks up which
 * numbers already exist, so nothing is written twice.
 */
export async function* restoreThreads(io: RestoreIo, order: ThreadOrder): AsyncGenerator<RestoreEvent> {
  const stage = await openStage<Position>(io.journal, "threads");
  const { threads, highest } = stage.isDone ? { threads: 0, highest: 0 } : await count(io);
  if (threads > 0) {
    const writer = await openIssueWriter(io);
    const fillsGaps = fillsGapsOf({ threads, highest });
    const walk: Walk = {
      io,
      order,
      stage,
      writer,
      fillsGaps,
      there: await highestNumber(io, stage.at),
    };
    let shift = stage.at?.shift ?? 0;
    let next = (stage.at?.number ?? 0) + 1;
    let done = 0;
    for await (const thread of listThreads(io.snapshot)) {
      done += 1;
      if (thread.number < next) continue;
      yield {
        type: "progress",
        progress: { phase: "Restoring issues and pull requests", done, total: threads, unit: "items" },
      };
      for (; fillsGaps && next < thread.number; next++) {
        shift = await writeNext(walk, null, next, shift);
        if (await stage.step({ number: next, shift })) yield { type: "checkpoint" };
      }
      if (!fillsGaps) shift -= thread.number - next;
      shift = await writeNext(walk, thread, thread.number, shift);
      next = thread.number + 1;
      if (await stage.step({ number: thread.number, shift })) yield { type: "checkpoint" };
    }
    if (walk.writer.way === "plain") stage.tell(DATES_IN_TEXT);
    await stage.finish();
  }
  yield* stage.events();
}

/** Reported when a thread had assignees. */
export const ASSIGNEES_IN_TEXT = {
  type: "changed",
  what: "Assignees",
  reason:
    "Assigning would notify people, and they may not be members of the new repository; the texts name them.",
} as const;
/** Reported when anything in a thread had reactions. */
export const REACTIONS_IN_TEXT = {
  type: "changed",
  what: "Reactions",
  reason: "An app can only react as itself; the first lines of each text count them.",
} as const;

/** Reported for issues that were written call by call. */
export const DATES_IN_TEXT = {
  type: "changed",
  what: "Dates of issues and comments",
  reason: "The date is the day of the restore; each text starts with its original date and author.",
} as const;

type Walk = {
  io: RestoreIo;
  order: ThreadOrder;
  stage: Stage;
  writer: IssueWriter;
  fillsGaps: boolean;
  /** The highest number that existed when this slice began. */
  there: number;
};

/** Writes one thread or placeholder, or completes it if it exists. @returns the offset to new numbers from here on */
async function writeNext(walk: Walk, thread: Thread | null, number: number, shift: number): Promise<number> {
  const { io, order, stage } = walk;
  const draft =
    thread === null
      ? placeholderDraft(number)
      : await draftThread({ ...io, config: io.session.config, sourceName: order.sourceName }, thread);
  const placed = {
    ...draft,
    milestone: draft.milestone === null ? null : (order.milestones.get(draft.milestone) ?? null),
  };
  const expected = number + shift;
  try {
    const written =
      walk.there >= expected
        ? await completeWritten(walk, placed, expected)
        : await write(walk, placed, number);
    reportThread(walk, thread, placed, number, written);
    return written.number - number;
  } catch (error) {
    const what = thread === null ? `Placeholder for #${number}` : `#${number} ${placed.title}`;
    stage.tell({ type: "missing", what, reason: refusalReason(error) });
    return thread === null ? shift - 1 : await writeNext(walk, null, number, shift);
  }
}

/**
 * A crash may have come between writing an issue and recording it. An existing issue is completed, never written again.
 */
async function completeWritten(walk: Walk, draft: ThreadDraft, number: number): Promise<WrittenIssue> {
  const { io } = walk;
  const found = await findByNumber(io, number);
  if (found?.title === placeholderDraft(number).title && draft.title !== found.title) {
    throw new ConnectorError("unsupported", "GitHub refused it, so a placeholder keeps its number.");
  }
  // null: it was deleted in the meantime. GitHub does not reuse its number.
  if (found !== null) {
    const isPull = found.pull_request !== undefined && found.pull_request !== null;
    await (isPull ? finishPull : finishThread)(io, number, draft, found);
  }
  const keepsDates = walk.writer.keepsDates(draft);
  return { number, url: `${io.created.webUrl}/issues/${number}`, keepsDates };
}

async function write(walk: Walk, draft: ThreadDraft, number: number): Promise<WrittenIssue> {
  if (draft.pull !== null && canBePull(walk.order.branches, draft.pull)) {
    const made = await writePull(walk.io, draft, draft.pull);
    if (made !== null) return made;
    const reason = "GitHub found nothing to merge between its branches, so it was restored as an issue.";
    walk.stage.tell({ type: "changed", what: `Pull request #${number}`, reason });
  }
  const issue: IssueDraft = draft;
  try {
    return await walk.writer.write(issue);
  } catch (error) {
    if (!walk.writer.keepsDates(issue) || !isWithoutImport(error)) throw error;
    walk.writer = await turnToPlainWriter(walk.io);
    return await walk.writer.write(issue);
  }
}

function reportThread(
  walk: Walk,
  thread: Thread | null,
  draft: ThreadDraft,
  number: number,
  { number: to, url, keepsDates }: WrittenIssue,
): void {
  const { stage } = walk;
  if (thread === null) {
    stage.count("placeholder");
    return;
  }
  stage.count(THREAD_KINDS[thread.source]);
  stage.count("comment", draft.comments.length);
  if (to !== number)
    stage.tell({ type: "mapped", kind: THREAD_KINDS[thread.source], from: `#${number}`, to: `#${to}`, url });
  if (walk.writer.way === "import" && !keepsDates && draft.pull === null) {
    stage.tell({
      type: "changed",
      what: `#${number} ${draft.title}`,
      reason:
        "Too long for GitHub's import: its dates are the day of the restore; the original ones are in the texts.",
    });
  }
  if (draft.hasAssignees) reportOnce(stage, ASSIGNEES_IN_TEXT);
  if (draft.hasReactions) reportOnce(stage, REACTIONS_IN_TEXT);
  if (draft.cutTexts > 0) {
    stage.tell({
      type: "changed",
      what: `#${number} ${draft.title}`,
      reason: CUT_TEXT,
    });
  }
  if (thread.source === "discussion") {
    stage.tell({
      type: "changed",
      what: `Discussion #${number}`,
      reason: "Restored as a closed issue with all its comments, so that its number stays.",
    });
  } else if (thread.source === "pull" && draft.pull === null) {
    stage.tell({
      type: "changed",
      what: `Pull request #${number}`,
      reason: "Restored as an issue: it was merged or closed, or its branch is in a fork.",
    });
  } else if (draft.pull !== null && !canBePull(walk.order.branches, draft.pull)) {
    const lost = [draft.pull.head, draft.pull.base].find((name) => !walk.order.branches.has(name));
    stage.tell({
      type: "changed",
      what: `Pull request #${number}`,
      reason: `Restored as an issue: its branch ${lost} was not restored.`,
    });
  }
}

/** Kinds of the report by source. */
export const THREAD_KINDS = { issue: "issue", pull: "pull-request", discussion: "discussion" } as const;

/** Whether a pull request can be restored as one: both its branches were restored. */
export function canBePull(branches: ReadonlySet<string>, pull: PullBranches | null): boolean {
  return pull !== null && branches.has(pull.head) && branches.has(pull.base);
}

/** Opens a real pull request. @returns null when GitHub finds nothing to merge */
async function writePull(
  io: RestoreIo,
  draft: ThreadDraft,
  pull: PullBranches,
): Promise<WrittenIssue | null> {
  const { client, created } = io;
  const { title, body } = draft;
  const content = { title, body, head: pull.head, base: pull.base, draft: pull.isDraft };
  const call = {
    method: "POST",
    path: paths.pulls(created.fullName),
    about: "a new pull request",
    missing: "forbidden",
  } as const;
  try {
    const made = await client
      .request({ ...call, body: content }, pullSchema)
      .catch(async (error: unknown) => {
        // Not every kind of account can create drafts.
        if (!pull.isDraft || !isRefusal(error) || !/draft/i.test(error.message)) throw error;
        return await client.request({ ...call, body: { ...content, draft: false } }, pullSchema);
      });
    await finishPull(io, made.number, draft);
    return { number: made.number, url: made.html_url, keepsDates: false };
  } catch (error) {
    if (isRefusal(error) && error.status === 422) return null;
    throw error;
  }
}

async function finishPull(
  io: RestoreIo,
  number: number,
  draft: ThreadDraft,
  there?: FoundIssue,
): Promise<void> {
  const { labels, milestone } = draft;
  if (labels.length > 0 || milestone !== null) {
    const body = { labels, ...(milestone !== null && { milestone }) };
    const path = paths.issue(io.created.fullName, number);
    await io.client.send({
      method: "PATCH",
      path,
      body,
      about: `pull request #${number}`,
      missing: "forbidden",
    });
  }
  await finishThread(io, number, draft, there);
}

/** Reads an issue or pull request of the new repository; null when it was deleted. @throws ConnectorError */
async function findByNumber({ client, created }: RestoreIo, number: number): Promise<FoundIssue | null> {
  const call = { method: "GET", path: paths.issue(created.fullName, number), about: `#${number}` } as const;
  try {
    return await client.request(call, foundIssueSchema);
  } catch (error) {
    if (error instanceof ConnectorError && error.kind === "gone") return null;
    throw error;
  }
}

/** Whether the new repository has used a number. GitHub returns 410 for a deleted issue, 404 for an unused number. */
async function isGiven({ client, created }: RestoreIo, number: number): Promise<boolean> {
  const call = { method: "GET", path: paths.issue(created.fullName, number), about: `#${number}` } as const;
  try {
    await client.send(call);
    return true;
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.kind !== "gone") throw error;
    return error.status === 410;
  }
}

async function count({ snapshot }: RestoreIo): Promise<{ threads: number; highest: number }> {
  let threads = 0;
  let highest = 0;
  for await (const { number } of listThreads(snapshot)) {
    threads += 1;
    highest = number;
  }
  return { threads, highest };
}

/**
 * Finds the newest number of the new repository; 0 when it has none. Numbers have no gaps, so an exponential and then a
 * binary search of single numbers finds it. Lists do not help: imported issues keep their dates, so no list is in
 * number order.
 *
 * @param at The last number that the journal has recorded.
 */
async function highestNumber(io: RestoreIo, at: Position | null): Promise<number> {
  let low = at === null ? 0 : Math.max(0, at.number + at.shift);
  let step = 1;
  while (await isGiven(io, low + step)) {
    low += step;
    step *= 2;
  }
  for (let high = low + step; high - low > 1; ) {
    const middle = (low + high) >>> 1;
    if (await isGiven(io, middle)) low = middle;
    else high = middle;
  }
  return low;
}
