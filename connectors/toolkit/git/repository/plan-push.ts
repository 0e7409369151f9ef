import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { PlanSheet } from "#connectors/toolkit/records/plan-sheet.ts";
import { sumBytes } from "#connectors/toolkit/records/sample-folder.ts";
import { LFS, LFS_OBJECT } from "../lfs/lfs-records.ts";
import type { GitChain, RefsRecord } from "./git-chain.ts";
import type { GitPlatform } from "./git-platform.ts";
import { reportRefs, tooLargePack, wantedRefs } from "./push-repository.ts";

/** Adds a version's repository to a plan: its refs, its bytes, and the pauses between pushes. */
export function planPush(
  sheet: PlanSheet,
  order: { platform: GitPlatform; refs: RefsRecord; chain: GitChain; proposalBranches: boolean },
): Set<string> {
  const { platform, chain } = order;
  const obstacle = tooLargePack(order);
  const wanted = obstacle === null ? wantedRefs(order) : [];
  if (obstacle !== null) sheet.tell(obstacle);
  for (const { kind } of wanted) sheet.creates(kind, 1);
  for (const line of reportRefs(order)) sheet.tell(line);
  spendOnPush(sheet, { platform, chain, refCount: wanted.length });
  const branches = wanted.filter(({ ref }) => ref.startsWith("refs/heads/"));
  return new Set(branches.map(({ ref }) => ref.slice("refs/heads/".length)));
}

/** Adds the bytes and pauses of a push whose refs the plan does not count, e.g. of a wiki. */
export function spendOnPush(
  sheet: Pick<PlanSheet, "spend">,
  { platform, chain, refCount }: { platform: GitPlatform; chain: GitChain; refCount: number },
): void {
  if (refCount === 0) return;
  const { refsAtOnce, unhurried, spacingMs } = platform.push;
  const pushes = chain.packs.length + Math.ceil(refCount / refsAtOnce);
  sheet.spend({
    bytes: chain.packs.reduce((sum, { bytes }) => sum + bytes, 0),
    waitMs: Math.max(0, pushes - unhurried) * spacingMs,
  });
}

/** Adds a version's Git LFS files to a plan and returns their number. */
export async function planFiles(sheet: PlanSheet, snapshot: SnapshotView): Promise<number> {
  const count = snapshot.counts()[LFS_OBJECT] ?? 0;
  sheet.creates(LFS_OBJECT, count);
  sheet.spend({ bytes: await sumBytes(snapshot, { prefix: LFS, kind: LFS_OBJECT, count }) });
  return count;
}
