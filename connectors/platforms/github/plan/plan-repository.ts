import type { RestorePlan } from "#connectors/contract/restore-plan.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { findChain, hasRepository, readRefs } from "#connectors/toolkit/git/repository/git-chain.ts";
import { planFiles, planPush } from "#connectors/toolkit/git/repository/plan-push.ts";
import type { PlanSheet } from "#connectors/toolkit/records/plan-sheet.ts";
import { readSome, sampleFolder, sumBytes } from "#connectors/toolkit/records/sample-folder.ts";
import { gitPlatform, WIKI } from "../git-platform.ts";
import { readGit, tagsOf } from "../read/read-git.ts";
import { repositoryRecordSchema } from "../read/repository-record.ts";
import { recordPaths } from "../record-paths.ts";
import { readAutolinks } from "../restore/restore-autolinks.ts";
import { reportKept } from "../restore/restore-kept.ts";
import { CREATION, LIMITS_IN_PRACTICE, READ, WRITE } from "../restore/restore-pace.ts";
import type { Answers } from "../restore/restore-questions.ts";
import { defaultBranchOf, openAgain } from "../restore/restore-settings.ts";
import { ACTIONS_ARE_OFF, privateInstead } from "../restore/restore-target.ts";
import { releaseSchema } from "../restore/restored-records.ts";
import { planThreads } from "./plan-threads.ts";

/**
 * Labels that GitHub adds to every new repository (docs: managing labels). Those that the original lacks are removed.
 */
const GIVEN_LABELS = new Set([
  "bug",
  "documentation",
  "duplicate",
  "enhancement",
  "good first issue",
  "help wanted",
  "invalid",
  "question",
  "wontfix",
]);
/** Largest number of labels whose names are read. */
const MOST_LABELS = 2_000;

/** Plans the restore of a repository, in the order of `restoreRepository`. */
export async function planRepository(
  sheet: PlanSheet,
  snapshot: SnapshotView,
  answers: Answers,
): Promise<RestorePlan> {
  const source = repositoryRecordSchema.parse(await snapshot.readRecord(recordPaths.repository));
  const { refs, chain } = await readGit(snapshot);
  sheet.creates("repository", 1);
  for (const line of privateInstead(source)) sheet.tell(line);
  sheet.tell(ACTIONS_ARE_OFF);
  // Creating the repository and switching Actions off.
  sheet.spend(WRITE, 2);
  await planFiles(sheet, snapshot);
  const branches = planPush(sheet, {
    platform: gitPlatform,
    refs,
    chain,
    proposalBranches: answers.pullRequestBranches,
  });
  await planWiki(sheet, snapshot);
  await planLabels(sheet, snapshot);
  const milestones = snapshot.counts().milestone ?? 0;
  sheet.creates("milestone", milestones);
  if (milestones > 0) sheet.spend(READ);
  sheet.spend(CREATION, milestones);
  const hasThreads = await planThreads(sheet, { snapshot, sourceName: source.fullName, branches });
  await planReleases(sheet, snapshot, new Set(tagsOf(refs).keys()));
  await planSmallThings(sheet, snapshot);
  for (const line of reportKept(snapshot)) sheet.tell(line);
  const branch = defaultBranchOf(source, refs);
  // Description and website, features, then discussions, the default branch and topics, if any.
  sheet.spend(WRITE, source.features.discussions === true ? 3 : 2);
  if (branch !== null && branches.has(branch)) sheet.spend(WRITE);
  if (source.topics.length > 0) sheet.spend(WRITE);
  for (const line of openAgain(source)) sheet.tell(line);
  if (!hasThreads) return sheet.done();
  const reason = "GitHub may take fewer texts than it promises, down to 20 a minute and 150 an hour.";
  return sheet.done({ reason, limits: LIMITS_IN_PRACTICE });
}

async function planWiki(sheet: PlanSheet, snapshot: SnapshotView): Promise<void> {
  if (!(await hasRepository(snapshot, WIKI))) return;
  const chain = await findChain(snapshot, WIKI);
  if (chain !== null && (await readRefs(snapshot, WIKI)).refs.length === 0) return;
  const reason =
    chain === null
      ? "The list of git packs of this version's wiki is missing."
      : "GitHub takes no pushes to a wiki before its first page exists, and that page can be made on the web site only. The report says how to bring it back from the ZIP.";
  sheet.tell({ type: "missing", what: "Wiki", reason });
}

/** Comments on commits and autolinks: one read for each list that has any, then one write each. */
async function planSmallThings(sheet: PlanSheet, snapshot: SnapshotView): Promise<void> {
  const comments = snapshot.counts()["commit-comment"] ?? 0;
  sheet.creates("commit-comment", comments);
  if (comments > 0) sheet.spend(READ);
  sheet.spend(CREATION, comments);
  const { length } = await readAutolinks(snapshot);
  sheet.creates("autolink", length);
  if (length > 0) sheet.spend(READ);
  sheet.spend(WRITE, length);
}

async function planLabels(sheet: PlanSheet, snapshot: SnapshotView): Promise<void> {
  const count = snapshot.counts().label ?? 0;
  if (count === 0) return;
  const given = new Set<string>();
  let seen = 0;
  for await (const { title } of snapshot.list("labels/")) {
    const name = title?.toLowerCase() ?? "";
    if (GIVEN_LABELS.has(name)) given.add(name);
    if (++seen === MOST_LABELS) break;
  }
  sheet.creates("label", count);
  sheet.spend(CREATION, count - given.size);
  sheet.spend(READ);
  sheet.spend(WRITE, GIVEN_LABELS.size - given.size);
}

async function planReleases(
  sheet: PlanSheet,
  snapshot: SnapshotView,
  tags: ReadonlySet<string>,
): Promise<void> {
  const counts = snapshot.counts();
  const count = counts.release ?? 0;
  if (count === 0) return;
  const { things, isWhole } = await sampleFolder(snapshot, { prefix: "releases/", count });
  if (!isWhole) sheet.estimate();
  const looked = await readSome(things, async ({ folder }) => {
    const record = releaseSchema.parse(await snapshot.readRecord(`${folder}release.json`));
    let assets = 0;
    for await (const _asset of snapshot.list(`${folder}assets/`)) assets += 1;
    return { record, assets, isTagged: record.draft || tags.has(record.tag_name) };
  });
  const lost = looked.filter(({ isTagged }) => !isTagged);
  for (const { record } of lost) {
    const what = `Release ${record.name || record.tag_name}`;
    sheet.tell({ type: "missing", what, reason: `The version has no tag ${record.tag_name}.` });
  }
  const lostAssets = lost.reduce((sum, { assets }) => sum + assets, 0);
  const share = looked.length === 0 ? 0 : count / looked.length;
  const releases = count - Math.round(lost.length * share);
  const files = Math.max(0, (counts["release-asset"] ?? 0) - Math.round(lostAssets * share));
  sheet.creates("release", releases);
  sheet.creates("release-asset", files);
  sheet.spend(READ);
  sheet.spend(CREATION, releases);
  const bytes = await sumBytes(snapshot, { prefix: "releases/", kind: "release-asset", count: files });
  sheet.spend(WRITE, files);
  sheet.spend({ bytes });
  if (releases === 0) return;
  const what = `${releases} ${releases === 1 ? "release" : "releases"}`;
  const reason = "The date is the day of the restore and the author your account; the texts name both.";
  sheet.tell({ type: "changed", what, reason });
}
