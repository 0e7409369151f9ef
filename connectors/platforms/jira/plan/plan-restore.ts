import type { RestoreOrder, Session } from "#connectors/contract/platform-connector.ts";
import type { CallLimit, RestorePlan } from "#connectors/contract/restore-plan.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { openPlanSheet, type PlanSheet } from "#connectors/toolkit/records/plan-sheet.ts";
import { sumBytes } from "#connectors/toolkit/records/sample-folder.ts";
import { quotas } from "../client.ts";
import { recordPaths } from "../record-paths.ts";
import type { IssueRecord } from "../record-types.ts";
import { type Answers, readAnswers } from "../restore/answers.ts";
import { NO_REQUEST_TYPE } from "../restore/issue-fields.ts";
import { ISSUES_PER_CREATE, ISSUES_PER_FETCH, ISSUES_PER_MOVE } from "../restore/jira-calls.ts";
import { knownLines } from "../restore/report-lines.ts";
import { issuesOf, requirePart } from "../restore/restored-issues.ts";
import { chosenTemplate } from "../restore/templates.ts";
import { readFrame, type VersionFrame } from "../restore/version-frame.ts";
import { restoredKinds } from "../restored-kinds.ts";
import { countIssues, countPart, type IssueCounts } from "./count-issues.ts";

/** Calls and created things draw on the same points. */
const LIMITS: readonly CallLimit[] = quotas.flatMap(({ resource, points, perMs }) =>
  (["calls", "creations"] as const).map((of): CallLimit => ({ of, resource, most: points, periodMs: perMs })),
);
/** Reads of the target before anything is created, besides those of each work type. */
const FIRST_READS = 8;
const READS_PER_TYPE = 2;

/** Plans a restore: counts what `restore` would create, part by part and in the same order. */
export async function planRestore(
  _account: Pick<Session, "accountName">,
  snapshot: SnapshotView,
  order: RestoreOrder,
): Promise<RestorePlan> {
  await requirePart(snapshot, order);
  const answers = readAnswers(order);
  const frame = await readFrame(snapshot);
  const isNew = order.target.kind === "new";
  if (isNew) chosenTemplate(frame, answers.template);
  const issues: IssueRecord[] = [];
  if (order.part !== null) for await (const { issue } of issuesOf(snapshot, order.part)) issues.push(issue);
  const targetKey =
    order.target.kind === "existing" ? (order.target.item.fullName.split(" ", 1)[0] ?? "") : "";
  const ends = { projectKey: frame.project.key, targetKey, siteUrl: siteOf(frame), fields: frame.fields };
  const counts =
    order.part === null
      ? await countIssues(snapshot, snapshot.counts().issue ?? 0, ends)
      : await countPart(snapshot, issues, ends);
  const content =
    order.part === null
      ? await wholeContent(snapshot, answers)
      : await partContent(snapshot, issues, answers);
  const sheet = openPlanSheet(restoredKinds, LIMITS);
  if (isNew) {
    sheet.creates("project", 1);
    sheet.spend({ reads: 2, writes: 2, creations: 1 });
  }
  if (order.part === null) addFrame(sheet, snapshot, { frame, answers, isNew });
  addIssues(sheet, frame, { ...counts, issues: counts.issues - leftOut(counts, answers, isNew) });
  addContent(sheet, content);
  if (answers.watchers) {
    sheet.creates("watcher", counts.watchers);
    sheet.spend({ writes: counts.watchers });
  }
  for (const { filename, key } of counts.lostFiles) {
    const what = `File ${filename} of ${key}`;
    sheet.tell({ type: "missing", what, reason: "The version does not hold its bytes." });
  }
  for (const name of counts.requestTypes)
    sheet.tell({ type: "changed", what: `Request type ${name}`, reason: NO_REQUEST_TYPE });
  const { comment = 0, worklog = 0 } = snapshot.counts();
  const known = { hasComments: comment > 0, hasWorklogs: worklog > 0, answers, isNew };
  for (const line of knownLines({ ...known, isWhole: order.part === null })) sheet.tell(line);
  if (!counts.isWhole) sheet.estimate();
  return sheet.done();
}

/** A new project has no security levels, so restricted issues are left out unless the user wants them. */
function leftOut({ restricted }: IssueCounts, answers: Answers, isNew: boolean): number {
  return isNew && !answers.restricted ? restricted : 0;
}

/** The address of the site, from the project's own record; texts name it. */
function siteOf({ project }: VersionFrame): string {
  const self = project.siteUrl;
  return typeof self === "string" ? self : "";
}

type Frame = { frame: VersionFrame; answers: Answers; isNew: boolean };

function addFrame(sheet: PlanSheet, snapshot: SnapshotView, { frame, answers, isNew }: Frame): void {
  const { component = 0, version = 0 } = snapshot.counts();
  const hasSprints = isNew ? chosenTemplate(frame, answers.template).hasSprints : true;
  const sprints = hasSprints ? frame.sprints.filter(({ state }) => state !== "closed").length : 0;
  for (const [kind, count] of Object.entries({ component, version, sprint: sprints })) {
    sheet.creates(kind, count);
    sheet.spend({ writes: count, creations: count });
  }
}

function addIssues(sheet: PlanSheet, { types }: VersionFrame, counts: IssueCounts): void {
  const { issues, links, webLinks, rewritten, moved, resolved } = counts;
  sheet.creates("issue", issues);
  sheet.creates("link", links);
  sheet.creates("web-link", webLinks);
  const batches = Math.ceil(issues / ISSUES_PER_CREATE);
  sheet.spend({
    reads: FIRST_READS + READS_PER_TYPE * types.length + Math.ceil(issues / ISSUES_PER_FETCH),
    writes: batches + links + webLinks + rewritten + moved + resolved + Math.ceil(issues / ISSUES_PER_MOVE),
    creations: batches + links + webLinks,
  });
}

type Content = { comments: number; worklogs: number; files: number; bytes: number };

async function wholeContent(snapshot: SnapshotView, answers: Answers): Promise<Content> {
  const { comment = 0, worklog = 0, attachment = 0 } = snapshot.counts();
  const bytes = await sumBytes(snapshot, {
    prefix: recordPaths.issues,
    kind: "attachment",
    count: attachment,
  });
  return {
    comments: answers.comments ? comment : 0,
    worklogs: answers.worklogs ? worklog : 0,
    files: attachment,
    bytes,
  };
}

async function partContent(
  snapshot: SnapshotView,
  issues: readonly IssueRecord[],
  answers: Answers,
): Promise<Content> {
  const content: Content = { comments: 0, worklogs: 0, files: 0, bytes: 0 };
  for (const { id } of issues) {
    for await (const { kind, sizeBytes } of snapshot.list(recordPaths.issueFolder(id))) {
      if (kind === "comment" && answers.comments) content.comments += 1;
      if (kind === "worklog" && answers.worklogs) content.worklogs += 1;
      if (kind !== "attachment") continue;
      content.files += 1;
      content.bytes += sizeBytes;
    }
  }
  return content;
}

function addContent(sheet: PlanSheet, { comments, worklogs, files, bytes }: Content): void {
  sheet.creates("comment", comments);
  sheet.creates("worklog", worklogs);
  sheet.creates("attachment", files);
  const all = comments + worklogs + files;
  sheet.spend({ writes: all, creations: all, bytes });
}
