import type { PartVersions } from "./part-queries.ts";

type PartVersion = PartVersions["versions"][number];

/** What the versions say of a part, for a person who has one of them open. */
export type PartHistory = {
  /** Oldest first. */
  cells: PartVersion[];
  /** Number of versions that have the part, and of those in which it changed. */
  present: number;
  changed: number;
  /** Time of the first version that has it, epoch ms. */
  since: number;
  /** The version before its last change up to the open one; null = it has not changed since the first one. */
  before: PartVersion | null;
  /** The version of its next change; null = it has not changed since. */
  after: PartVersion | null;
  isCut: boolean;
};

/** Describes versions that are listed newest first; null when the open one is not among them. */
export function describePart({ versions, isCut }: PartVersions, openId: string): PartHistory | null {
  const cells = versions.toReversed();
  const openAt = cells.findIndex(({ snapshotId }) => snapshotId === openId);
  if (openAt < 0) return null;
  const has = cells.filter(({ state }) => state !== "absent");
  const lastChange = cells.findLastIndex(({ state }, at) => at <= openAt && state === "changed");
  const before = cells[lastChange - 1];
  return {
    cells,
    present: has.length,
    changed: has.filter(({ state }) => state === "changed").length,
    since: (has[0] ?? cells[openAt]!).takenAt,
    before: before === undefined || before.state === "absent" ? null : before,
    after: cells.find(({ state }, at) => at > openAt && state === "changed") ?? null,
    isCut,
  };
}
