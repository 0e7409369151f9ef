import type { TreeDifference } from "#core/comparisons/index.ts";
import { CLIFF_SHARE, LEAST_CLIFF_BYTES, LEAST_ENTRIES, MANY_REWRITTEN } from "./limits.ts";
import type { AlarmLimits } from "./views.ts";

/** The reason for an alarm, and the sentence that describes it. */
export type Finding = { kind: "mass-deletion" | "history-rewrite" | "size-cliff"; message: string };

/** The facts of a version that are known without reading its entries. */
export type VersionSums = { counts: Readonly<Record<string, number>>; sizeBytes: number };

/** How a tree changed. The counts are of all branches and tags; `refs` may be cut. */
export type JudgedTree = TreeDifference & { refsBefore: number; refsGone: number };

type Words = Readonly<Record<string, { one: string; many: string }>>;

/** Finds signs of unwanted loss between two versions. Pure. */
export function judgeChange(
  before: VersionSums,
  after: VersionSums,
  { words, trees, limits }: { words: Words; trees: readonly JudgedTree[]; limits: AlarmLimits },
): Finding[] {
  const gone = [
    ...lostEntries(before, after, { words, limits }),
    ...trees.flatMap((tree) => lostRefs(tree, limits)),
  ];
  const rewritten = trees.flatMap(rewrittenHistory);
  const findings: Finding[] = [];
  if (gone.length > 0) findings.push({ kind: "mass-deletion", message: gone.join(" ") });
  if (rewritten.length > 0) findings.push({ kind: "history-rewrite", message: rewritten.join(" ") });
  if (before.sizeBytes >= LEAST_CLIFF_BYTES && after.sizeBytes < before.sizeBytes * CLIFF_SHARE) {
    const share = Math.round((1 - after.sizeBytes / before.sizeBytes) * 100);
    findings.push({ kind: "size-cliff", message: `The version is ${share} % smaller than the one before.` });
  }
  return findings;
}

function lostEntries(
  before: VersionSums,
  after: VersionSums,
  { words, limits }: { words: Words; limits: AlarmLimits },
): string[] {
  return Object.entries(words).flatMap(([kind, { many }]) => {
    const [had, has] = [before.counts[kind] ?? 0, after.counts[kind] ?? 0];
    if (!isTooMuch(had, had - has, limits)) return [];
    return [`${number(had - has)} of ${number(had)} ${many} are gone.`];
  });
}

function isTooMuch(had: number, lost: number, { lostPercent, lostCount }: AlarmLimits): boolean {
  return lost >= lostCount || (had >= LEAST_ENTRIES && lost * 100 >= had * lostPercent);
}

function lostRefs({ refs, refsBefore, refsGone }: JudgedTree, limits: AlarmLimits): string[] {
  const main = refs.find(({ isDefault, change }) => isDefault && change === "removed");
  const sentences = main ? [`The default branch ${main.label} was deleted.`] : [];
  if (isTooMuch(refsBefore, refsGone, limits))
    sentences.push(`${number(refsGone)} of ${number(refsBefore)} branches and tags are gone.`);
  return sentences;
}

function rewrittenHistory({ refs }: TreeDifference): string[] {
  const rewritten = refs.filter(({ isRewritten, kind }) => isRewritten === true && kind === "branch");
  const main = rewritten.find(({ isDefault }) => isDefault);
  if (main) {
    const { count, isMore } = main.lost ?? { count: 0, isMore: false };
    const commits =
      count === 1 && !isMore ? "1 commit is" : `${isMore ? "at least " : ""}${number(count)} commits are`;
    return [`The history of ${main.label} was rewritten: ${commits} no longer on it.`];
  }
  return rewritten.length >= MANY_REWRITTEN
    ? [`The history of ${number(rewritten.length)} branches was rewritten.`]
    : [];
}

const number = (value: number) => value.toLocaleString("en-US");
