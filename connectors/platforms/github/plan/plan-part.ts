import type { RestoreOrder } from "#connectors/contract/platform-connector.ts";
import type { RestorePlan } from "#connectors/contract/restore-plan.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { planBranch } from "#connectors/toolkit/git/repository/plan-branch.ts";
import { existingPart } from "#connectors/toolkit/records/existing-part.ts";
import type { PlanSheet } from "#connectors/toolkit/records/plan-sheet.ts";
import { readSome } from "#connectors/toolkit/records/sample-folder.ts";
import { GIT } from "../git-platform.ts";
import type { Thread } from "../restore/list-threads.ts";
import { readPart } from "../restore/read-part.ts";
import { CREATION, LIMITS_IN_PRACTICE, READ, WRITE } from "../restore/restore-pace.ts";
import { ASSIGNEES_IN_TEXT, THREAD_KINDS } from "../restore/restore-threads.ts";
import { discussionSchema, issueSchema, pullSchema, reviewSchema } from "../restore/restored-records.ts";
import { saysSomething } from "../restore/thread-draft.ts";
import { countsBelow, threadLines } from "../restore/thread-lines.ts";

/** Most reviews that are read; of more, the plan estimates how many say something. */
const MOST_REVIEWS = 60;

/** Plans a `restorePart`. Does not know what the repository has; the restore reads that. */
export async function planPart(
  sheet: PlanSheet,
  snapshot: SnapshotView,
  order: RestoreOrder,
): Promise<RestorePlan> {
  const { part } = existingPart(order);
  const wanted = await readPart(snapshot, part);
  if (wanted.type === "file") {
    await planBranch(sheet, snapshot, { ...wanted, prefix: GIT });
    return sheet.done();
  }
  if (wanted.type === "labels") return planLabels(sheet, snapshot);
  return await planThread(sheet, snapshot, wanted.thread);
}

function planLabels(sheet: PlanSheet, snapshot: SnapshotView): RestorePlan {
  const count = snapshot.counts().label ?? 0;
  sheet.creates("label", count);
  // The repository, and the labels that it has.
  sheet.spend(READ, 2);
  sheet.spend(CREATION, count);
  return sheet.done();
}

async function planThread(sheet: PlanSheet, snapshot: SnapshotView, thread: Thread): Promise<RestorePlan> {
  const { isClosed, isLocked, hasAssignees, labels, milestone } = await readHead(snapshot, thread);
  const comments = await countComments(sheet, snapshot, thread);
  sheet.creates(THREAD_KINDS[thread.source], 1);
  sheet.creates("comment", comments);
  for (const line of await threadLines(snapshot, thread)) sheet.tell(line);
  if (hasAssignees) sheet.tell(ASSIGNEES_IN_TEXT);
  // The repository, its labels and its milestones; then the issue and its comments.
  sheet.spend(READ, 1 + Number(labels > 0) + Number(milestone !== null));
  sheet.spend(CREATION, 1 + comments);
  sheet.spend(WRITE, Number(isClosed) + Number(isLocked));
  const reason = "GitHub may take fewer texts than it promises, down to 20 a minute and 150 an hour.";
  return sheet.done({ reason, limits: LIMITS_IN_PRACTICE });
}

async function readHead(snapshot: SnapshotView, { source, folder }: Thread) {
  if (source === "discussion") {
    const { locked, labels } = discussionSchema.parse(await snapshot.readRecord(`${folder}discussion.json`));
    return { isClosed: true, isLocked: locked, hasAssignees: false, labels: labels.length, milestone: null };
  }
  const { state, locked, assignees, labels, milestone } =
    source === "issue"
      ? issueSchema.parse(await snapshot.readRecord(`${folder}issue.json`))
      : pullSchema.parse(await snapshot.readRecord(`${folder}pull.json`));
  return {
    ...{ isClosed: state === "closed", isLocked: locked },
    ...{ hasAssignees: assignees.length > 0, labels: labels.length, milestone },
  };
}

/** Comments of all kinds, and the reviews that say something. */
async function countComments(sheet: PlanSheet, snapshot: SnapshotView, { folder }: Thread): Promise<number> {
  const counts = await countsBelow(snapshot, folder);
  const of = (kind: string) => counts[kind] ?? 0;
  const comments = of("issue-comment") + of("review-comment") + of("discussion-comment");
  const reviews: string[] = [];
  if (of("review") > 0)
    for await (const { kind, path } of snapshot.list(folder)) {
      if (kind === "review" && reviews.length < MOST_REVIEWS) reviews.push(path);
    }
  if (reviews.length === 0) return comments;
  if (reviews.length < of("review")) sheet.estimate();
  const said = await readSome(reviews, async (path) =>
    saysSomething(reviewSchema.parse(await snapshot.readRecord(path))),
  );
  return comments + Math.round((said.filter(Boolean).length / reviews.length) * of("review"));
}
