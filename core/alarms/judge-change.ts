import type { TreeDifference } from "#core/comparisons/index.ts";
import { CLIFF_SHARE, LEAST_CLIFF_BYTES, LEAST_ENTRIES, LOST_SHARE, MANY_REWRITTEN } from "./limits.ts";

/** The reason for an alarm, and the sentence that describes it. */
export type Finding = { kind: "mass-deletion" | "history-rewrite" | "size-cliff"; message: string };

/** The facts of a version that are known without reading its entries. */
export type VersionSums = { counts: Readonly<Record<string, number>>; sizeBytes: number };

type Words = Readonly<Record<string, { one: string; many: string }>>;

/** Finds signs of unwanted loss between two versions. Pure. */
export function judgeChange(
  before: VersionSums,
  after: VersionSums,
  { words, trees }: { words: Words; trees: readonly (TreeDifference & { refsBefore: number })[] },
): Finding[] {
  const gone = [...lostEntries(before, after, words), ...trees.flatMap(lostRefs)];
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

function lostEntries(before: VersionSums, after: VersionSums, words: Words): string[] {
  return Object.entries(words).flatMap(([kind, { many }]) => {
    const [had, has] = [before.counts[kind] ?? 0, after.counts[kind] ?? 0];
    if (had < LEAST_ENTRIES || had - has < had * LOST_SHARE) return [];
    return [`${number(had - has)} of ${number(had)} ${many} are gone.`];
  });
}

function lostRefs({ refs, refsBefore }: TreeDifference & { refsBefore: number }): string[] {
  const main = refs.find(({ isDefault, change }) => isDefault && change === "removed");
  const sentences = main ? [`The default branch ${main.label} was deleted.`] : [];
  const removed = refs.filter(
    ({ change, kind }) => change === "removed" && (kind === "branch" || kind === "tag"),
  );
  if (refsBefore >= LEAST_ENTRIES && removed.length >= refsBefore * LOST_SHARE)
    sentences.push(`${number(removed.length)} of ${number(refsBefore)} branches and tags are gone.`);
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
