import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { isWholeDay } from "#connectors/toolkit/records/backup-state.ts";
import type { BackupStage } from "#connectors/toolkit/records/run-stages.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { recordPaths } from "../record-paths.ts";
import { issueIdOf, piecesOf } from "./back-up-deletions.ts";
import { issuesRecords, readIssues } from "./issue-records.ts";
import { NOTES, openProject } from "./project-run.ts";
import { fetchIssues, ISSUES_AT_ONCE } from "./search-issues.ts";

/** Days until every issue was read again although nothing says that it changed. */
export const CYCLE_DAYS = 30;
/** Cycles until links and properties, which cost calls of their own, were read again. */
export const LINK_CYCLES = 3;
const WEEK_DAYS = 7;

/**
 * Reads a share of the issues again, because votes, watchers, ranks and security may change without updating an issue.
 * In a project where nothing happens, the shares of a week are read on one day, so that the others cost nothing.
 */
export const rollingStage: BackupStage = {
  id: "rolling",
  async *run(run) {
    const { previous, item } = run.order;
    const today = Math.floor(run.session.clock.now() / DAY_MS);
    const isWeekly = isWholeDay(item.externalId, run.session.clock.now());
    run.notes[NOTES.shares] ??= sharesOf(run.notes[NOTES.isBusy] === true, isWeekly);
    const days = Number(run.notes[NOTES.shares]);
    if (previous === null || run.known === null || days === 0) return;
    const { client, projectId } = openProject(run);
    const cycle = Math.floor(today / CYCLE_DAYS);
    for (let back = 0; back < days; back++) {
      const ids = await shareOf(previous, (today - back) % CYCLE_DAYS);
      const linked = ids.filter((id) => Number(id) % LINK_CYCLES === cycle % LINK_CYCLES);
      for (const [share, isLinkDay] of [
        [linked, true],
        [ids.filter((id) => !linked.includes(id)), false],
      ] as const) {
        for (const piece of piecesOf(share, ISSUES_AT_ONCE)) {
          const found = await fetchIssues(client, projectId, piece);
          yield* issuesRecords(run, client, found, { mode: "rolling", isLinkDay });
          yield { type: "checkpoint", cursor: { read: readIssues(run).size() } };
        }
      }
    }
  },
};

function sharesOf(isBusy: boolean, isWeekly: boolean): number {
  if (isBusy) return 1;
  return isWeekly ? WEEK_DAYS : 0;
}

/** The ids of one of the cycle's shares: a range, so that the rest of the list is not read. */
async function shareOf(previous: SnapshotView, share: number): Promise<string[]> {
  const [first, last] = [
    await firstId(previous.list(recordPaths.issues)),
    await firstId(previous.listBack(recordPaths.issues)),
  ];
  if (first === null || last === null) return [];
  const edge = (part: number) => first + Math.ceil(((last + 1 - first) * part) / CYCLE_DAYS);
  const [from, to] = [edge(share), edge(share + 1)];
  const ids = new Set<string>();
  // Entries of an issue are behind the path of its folder.
  for await (const { path } of previous.list(recordPaths.issues, recordPaths.issueFolder(from))) {
    const id = issueIdOf(path);
    if (Number(id) >= to) break;
    ids.add(id);
  }
  return [...ids];
}

async function firstId(entries: ReturnType<SnapshotView["list"]>): Promise<number | null> {
  for await (const { path } of entries) return Number(issueIdOf(path));
  return null;
}
