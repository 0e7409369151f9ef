import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { PlanSheet } from "#connectors/toolkit/records/plan-sheet.ts";
import { highestNumber, readSome, sampleFolder } from "#connectors/toolkit/records/sample-folder.ts";
import { CREATION, READ, WRITE } from "../restore/restore-pace.ts";
import { canBePull, DATES_IN_TEXT, fillsGapsOf } from "../restore/restore-threads.ts";
import { discussionSchema, issueSchema, pullSchema, reviewSchema } from "../restore/restored-records.ts";
import { branchesOf, saysSomething } from "../restore/thread-draft.ts";

/** One thread as a restore handles it. */
type Thread = {
  isPull: boolean;
  isClosed: boolean;
  isLocked: boolean;
  isMarked: boolean;
  /** Comments of a pull request. Comments of issues are counted together. */
  comments: number;
  reviews: number;
  spoken: number;
};
type Threads = { snapshot: SnapshotView; sourceName: string; branches: ReadonlySet<string> };

/**
 * Plans issues, pull requests and discussions, with one call per text. With GitHub's import, a restore needs fewer
 * calls and keeps the dates, but a plan cannot know in advance whether the import is available.
 * @returns false when the snapshot has none
 */
export async function planThreads(sheet: PlanSheet, order: Threads): Promise<boolean> {
  const { snapshot } = order;
  const counts = snapshot.counts();
  const of = (kind: string) => counts[kind] ?? 0;
  const [issues, pulls, discussions] = [of("issue"), of("pull-request"), of("discussion")];
  const threads = issues + pulls + discussions;
  if (threads === 0) return false;
  const placeholders = await lostNumbers(sheet, snapshot, threads);
  const issueSample = await sampleFolder(snapshot, { prefix: "issues/", count: issues });
  const pullSample = await sampleFolder(snapshot, { prefix: "pulls/", count: pulls });
  if (!issueSample.isWhole || !pullSample.isWhole) sheet.estimate();
  const lookedIssues = await readSome(issueSample.things, ({ folder }) => lookAtIssue(snapshot, folder));
  const lookedPulls = await readSome(pullSample.things, ({ folder }) => lookAtPull(order, folder), 3);
  const reviews = Math.round(of("review") * shareOf(lookedPulls, ({ spoken, reviews }) => [spoken, reviews]));
  const comments = of("issue-comment") + of("review-comment") + of("discussion-comment") + reviews;
  sheet.creates("issue", issues);
  sheet.creates("pull-request", pulls);
  sheet.creates("discussion", discussions);
  sheet.creates("comment", comments);

  sheet.tell(DATES_IN_TEXT);
  // Checking for the import, and finding the newest number of the new repository.
  sheet.spend(READ, 2);
  const real = lookedPulls.filter(({ isPull }) => isPull);
  const pullShare = lookedPulls.length === 0 ? 0 : pulls / lookedPulls.length;
  for (const pull of real) spendOnPull(sheet, pull, pullShare);
  for (const thread of lookedIssues) spendOnThread(sheet, thread, issues / lookedIssues.length);
  for (const thread of lookedPulls) if (!thread.isPull) spendOnThread(sheet, thread, pullShare);
  const closed = { isClosed: true, isLocked: false };
  spendOnThread(sheet, closed, placeholders);
  const talks = await sampleFolder(snapshot, { prefix: "discussions/", count: discussions });
  if (!talks.isWhole) sheet.estimate();
  const lookedTalks = await readSome(talks.things, ({ folder }) => lookAtDiscussion(snapshot, folder));
  for (const isLocked of lookedTalks) {
    spendOnThread(sheet, { ...closed, isLocked }, discussions / lookedTalks.length);
  }
  const inPulls = Math.round(real.reduce((sum, pull) => sum + pull.comments, 0) * pullShare);
  sheet.spend(CREATION, Math.max(0, comments - inPulls));

  const asIssues = pulls - Math.round(real.length * pullShare);
  reportForms(sheet, { asIssues, discussions });
  return true;
}

async function lostNumbers(sheet: PlanSheet, snapshot: SnapshotView, threads: number): Promise<number> {
  let highest = 0;
  for (const prefix of ["issues/", "pulls/", "discussions/"]) {
    highest = Math.max(highest, await highestNumber(snapshot, prefix));
  }
  const lost = Math.max(0, highest - threads);
  if (lost === 0) return 0;
  if (fillsGapsOf({ threads, highest })) {
    sheet.creates("placeholder", lost);
    return lost;
  }
  const reason = `The original lost ${lost} numbers, too many to fill. The report lists every new number.`;
  sheet.tell({ type: "changed", what: "Numbers of issues and pull requests", reason });
  return 0;
}

async function lookAtIssue(snapshot: SnapshotView, folder: string): Promise<Thread> {
  const record = issueSchema.parse(await snapshot.readRecord(`${folder}issue.json`));
  return { ...threadOf(record), isPull: false, comments: 0, reviews: 0, spoken: 0 };
}

/** Reads whether a discussion is locked. Nothing else changes its cost. */
async function lookAtDiscussion(snapshot: SnapshotView, folder: string): Promise<boolean> {
  return discussionSchema.parse(await snapshot.readRecord(`${folder}discussion.json`)).locked;
}

async function lookAtPull({ snapshot, sourceName, branches }: Threads, folder: string): Promise<Thread> {
  const record = pullSchema.parse(await snapshot.readRecord(`${folder}pull.json`));
  const reviews: string[] = [];
  let comments = 0;
  for await (const { kind, path } of snapshot.list(folder)) {
    if (kind === "review") reviews.push(path);
    else if (kind === "issue-comment" || kind === "review-comment") comments += 1;
  }
  const looked = reviews.slice(0, MOST_REVIEWS);
  const said = await readSome(
    looked,
    async (path) => saysSomething(reviewSchema.parse(await snapshot.readRecord(path))),
    2,
  );
  const count = said.filter(Boolean).length;
  const spoken = looked.length === 0 ? 0 : Math.round((count / looked.length) * reviews.length);
  const isPull = canBePull(branches, branchesOf(record, sourceName));
  return { ...threadOf(record), isPull, comments: comments + spoken, reviews: reviews.length, spoken };
}

/** Largest number of reviews that are read per pull request. */
const MOST_REVIEWS = 20;

function threadOf({
  state,
  locked,
  labels,
  milestone,
}: Pick<ReturnType<typeof issueSchema.parse>, "state" | "locked" | "labels" | "milestone">) {
  return {
    isClosed: state === "closed",
    isLocked: locked,
    isMarked: labels.length > 0 || milestone !== null,
  };
}

/** The cost of an issue without its comments, which are counted together. */
function spendOnThread(
  sheet: PlanSheet,
  { isClosed, isLocked }: Pick<Thread, "isClosed" | "isLocked">,
  times: number,
): void {
  sheet.spend(CREATION, times);
  if (isClosed) sheet.spend(WRITE, times);
  if (isLocked) sheet.spend(WRITE, times);
}

function spendOnPull(sheet: PlanSheet, { comments, isLocked, isMarked }: Thread, times: number): void {
  sheet.spend(CREATION, times * (1 + comments));
  if (isMarked) sheet.spend(WRITE, times);
  if (isLocked) sheet.spend(WRITE, times);
}

function reportForms(
  sheet: PlanSheet,
  { asIssues, discussions }: { asIssues: number; discussions: number },
): void {
  if (asIssues > 0) {
    const what = `${asIssues} pull ${asIssues === 1 ? "request" : "requests"}`;
    const reason = "Back as issues: merged, closed, or without a branch of their own here.";
    sheet.tell({ type: "changed", what, reason });
  }
  if (discussions > 0) {
    const what = `${discussions} ${discussions === 1 ? "discussion" : "discussions"}`;
    const reason = "Back as closed issues with all comments, so that every number stays.";
    sheet.tell({ type: "changed", what, reason });
  }
}

/** A share over the sampled members; 1 when the sample is empty. */
function shareOf<T>(members: readonly T[], read: (member: T) => [part: number, whole: number]): number {
  let [part, whole] = [0, 0];
  for (const member of members) {
    const [some, all] = read(member);
    part += some;
    whole += all;
  }
  return whole === 0 ? 1 : part / whole;
}
