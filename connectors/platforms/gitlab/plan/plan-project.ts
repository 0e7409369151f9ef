import type { NewTarget, Session } from "#connectors/contract/platform-connector.ts";
import type { RestorePlan } from "#connectors/contract/restore-plan.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { findChain, readRefs } from "#connectors/toolkit/git/repository/git-chain.ts";
import { planFiles, planPush, spendOnPush } from "#connectors/toolkit/git/repository/plan-push.ts";
import type { PlanSheet } from "#connectors/toolkit/records/plan-sheet.ts";
import { MOST_SAMPLED, readSome, sumBytes } from "#connectors/toolkit/records/sample-folder.ts";
import { LARGEST_PAGE } from "../client.ts";
import { gitPlatform, plainGitPlatform, WIKI } from "../git-platform.ts";
import { boardSchema, labelSchema, milestoneSchema } from "../payloads.ts";
import { projectRecordSchema } from "../read/project-record.ts";
import { findGit, reportWithoutGit } from "../read/read-git.ts";
import { recordPaths } from "../record-paths.ts";
import { readBadges } from "../restore/restore-badges.ts";
import { reportKept } from "../restore/restore-kept.ts";
import { filesOf, reportMissing } from "../restore/restore-lfs.ts";
import { isAsGiven, readProtectedBranches, reportPeople } from "../restore/restore-protected-branches.ts";
import { readProtectedTags, reportTagPeople } from "../restore/restore-protected-tags.ts";
import type { Answers } from "../restore/restore-questions.ts";
import { defaultBranchOf, openAgain } from "../restore/restore-settings.ts";
import { openToMembers, PIPELINES_ARE_OFF, privateInstead } from "../restore/restore-target.ts";
import { FILES_PER_NOTE } from "../restore/restore-uploads.ts";
import { planIssuables } from "./plan-issuables.ts";

/** Plans the restore of a project, in the same parts as `restoreProject`. */
export async function planProject(
  sheet: PlanSheet,
  order: {
    account: Pick<Session, "accountName">;
    snapshot: SnapshotView;
    target: NewTarget;
    answers: Answers;
  },
): Promise<RestorePlan> {
  const { account, snapshot, target, answers } = order;
  const source = projectRecordSchema.parse(await snapshot.readRecord(recordPaths.project));
  const git = await findGit(snapshot);
  sheet.creates("project", 1);
  for (const line of privateInstead(source)) sheet.tell(line);
  for (const line of openToMembers(target.place)) sheet.tell(line);
  sheet.tell(PIPELINES_ARE_OFF);
  sheet.spend({ writes: 1 });
  let branches = new Set<string>();
  if (git === null) for (const line of reportWithoutGit(source)) sheet.tell(line);
  else {
    const { missing } = await filesOf(snapshot, git.chain);
    await planFiles(sheet, snapshot);
    for (const line of reportMissing(missing)) sheet.tell(line);
    if (missing.length > 0) sheet.spend({ writes: 1 });
    const proposalBranches = answers.mergeRequestBranches;
    branches = planPush(sheet, { platform: gitPlatform, ...git, proposalBranches });
  }
  await planWiki(sheet, snapshot);
  await planUploads(sheet, snapshot);
  await planAround(sheet, snapshot);
  await planIssuables(sheet, { snapshot, branches, isOwner: target.place?.restores !== "partly" });
  const branch = defaultBranchOf(source, git?.refs ?? null);
  await planProtectedBranches(sheet, snapshot, branch);
  await planTagsAndBadges(sheet, snapshot);
  // Merge settings, parts, description, and the default branch if there is one.
  sheet.spend({ writes: 3 });
  if (branch !== null && branches.has(branch)) sheet.spend({ writes: 1 });
  for (const line of openAgain(source)) sheet.tell(line);
  for await (const line of reportKept({ snapshot, session: account })) sheet.tell(line);
  return sheet.done();
}

async function planWiki(sheet: PlanSheet, snapshot: SnapshotView): Promise<void> {
  const chain = await findChain(snapshot, WIKI);
  if (chain === null || chain.packs.length === 0) return;
  const { refs } = await readRefs(snapshot, WIKI);
  sheet.creates("wiki", 1);
  spendOnPush(sheet, { platform: plainGitPlatform, chain, refCount: refs.length });
}

/** Protected tags and badges: one read for each list that has any, then one write each. */
async function planTagsAndBadges(sheet: PlanSheet, snapshot: SnapshotView): Promise<void> {
  const tags = await readProtectedTags(snapshot);
  const badges = await readBadges(snapshot);
  for (const [kind, { length }] of [
    ["protected-tag", tags],
    ["badge", badges],
  ] as const) {
    sheet.creates(kind, length);
    if (length > 0) sheet.spend({ reads: 1, writes: length });
  }
  for (const tag of tags) for (const line of reportTagPeople(tag)) sheet.tell(line);
}

/** Attached files: the new project's list for some of them at a time, then one upload each. */
async function planUploads(sheet: PlanSheet, snapshot: SnapshotView): Promise<void> {
  const count = snapshot.counts().upload ?? 0;
  sheet.creates("upload", count);
  sheet.spend({ reads: Math.ceil(count / FILES_PER_NOTE), writes: count });
  sheet.spend({ bytes: await sumBytes(snapshot, { prefix: recordPaths.uploads, kind: "upload", count }) });
}

/** Labels, milestones, releases and boards: one read for each kind, then one write for each record. */
async function planAround(sheet: PlanSheet, snapshot: SnapshotView): Promise<void> {
  const counts = snapshot.counts();
  for (const kind of ["label", "milestone", "release", "board"]) {
    const count = counts[kind] ?? 0;
    sheet.creates(kind, count);
    sheet.spend({ reads: 1, writes: count });
  }
  const labels = await readFew(snapshot, recordPaths.labels, (value) => labelSchema.parse(value).name);
  // Board lists reference labels, so the labels are read again.
  sheet.spend({ reads: Math.max(1, Math.ceil((counts.label ?? 0) / LARGEST_PAGE)) });
  const known = new Set(labels.read);
  const lists = await readFew(snapshot, recordPaths.boards, (value) => {
    const names = (boardSchema.parse(value).lists ?? []).flatMap(({ label }) => (label ? [label.name] : []));
    return names.filter((name) => !labels.isWhole || known.has(name)).length;
  });
  sheet.spend({ writes: lists.read.reduce((sum, one) => sum + one, 0) }, scale(lists, counts.board));
  const milestones = await readFew(
    snapshot,
    recordPaths.milestones,
    (value) => milestoneSchema.parse(value).state === "closed",
  );
  const closed = milestones.read.filter(Boolean).length;
  sheet.spend({ writes: closed }, scale(milestones, counts.milestone));
  if (![labels, lists, milestones].every(({ isWhole }) => isWhole)) sheet.estimate();
}

async function planProtectedBranches(
  sheet: PlanSheet,
  snapshot: SnapshotView,
  defaultBranch: string | null,
): Promise<void> {
  const branches = await readProtectedBranches(snapshot);
  sheet.creates("protected-branch", branches.length);
  sheet.spend({ reads: 1 });
  for (const branch of branches) {
    // GitLab protects the default branch by itself; different rules replace that protection.
    const isGiven = branch.name === defaultBranch;
    sheet.spend({ writes: isGiven ? (isAsGiven(branch) ? 0 : 2) : 1 });
    for (const line of reportPeople(branch)) sheet.tell(line);
  }
}

type Few<T> = { read: T[]; isWhole: boolean };

/** The first records of a list. It is nearly always short enough to read whole. */
async function readFew<T>(
  snapshot: SnapshotView,
  prefix: string,
  parse: (value: unknown) => T,
): Promise<Few<T>> {
  const paths: string[] = [];
  let isWhole = true;
  for await (const { path } of snapshot.list(prefix)) {
    isWhole = paths.length < MOST_SAMPLED;
    if (!isWhole) break;
    paths.push(path);
  }
  return { read: await readSome(paths, async (path) => parse(await snapshot.readRecord(path))), isWhole };
}

function scale({ read }: Few<unknown>, count = 0): number {
  return read.length === 0 ? 0 : count / read.length;
}
