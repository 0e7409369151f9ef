import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { BackupStage, StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import { openSizes } from "#connectors/toolkit/records/shrink.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { readCursor, UnreadableCursorError } from "#core/kernel/stored-json.ts";
import type { Issue } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import { COUNTED_KINDS, issueRecords } from "./issue-records.ts";
import { listLacking } from "./lacking-files.ts";
import { NOTES, openProject } from "./project-run.ts";
import { numberOf, projectJql, searchIssues } from "./search-issues.ts";

/** Search may learn of a change a little after its time. */
const OVERLAP_MS = 5 * MINUTE_MS;
/** Name of the mark that holds the time of the latest change, in epoch ms. */
export const MARK = "updated";

const cursorSchema = z.strictObject({
  /** The token of the page; null = the first page. */
  token: z.string().nullable(),
  /** The number of the newest issue that was read. */
  number: z.number(),
  done: z.number(),
  /** The time of the latest change seen, in epoch ms. */
  newest: z.number(),
});

/**
 * Issues with everything on them, in the order of their numbers: all of them, or those that changed since the previous
 * version. JQL takes the time as epoch milliseconds, because it reads a written time in the zone of the account
 * (airbytehq/airbyte#48395).
 */
export const issuesStage: BackupStage = {
  id: "issues",
  async *run(run, cursor) {
    const { client, projectId } = openProject(run);
    const mark = run.known?.marks[MARK] ?? null;
    const { previous } = run.order;
    // A project that had no issue has no time from which on to read.
    const isPartial = mark !== null && Number(mark) > 0 && previous !== null;
    const resumed = readCursor(cursorSchema, cursor);
    let { token, number, done, newest } = resumed ?? {
      token: null,
      number: 0,
      done: 0,
      newest: Number(mark ?? 0),
    };
    if (resumed === null) {
      run.notes[NOTES.startedAt] = run.session.clock.now();
      run.notes[NOTES.read] = "";
      run.notes[NOTES.isPaged] = false;
      const before = { ...previous?.counts() };
      // Jira counts the files that the previous version lacks too.
      for await (const { files } of previous === null ? [] : listLacking(previous))
        before.attachment = (before.attachment ?? 0) + files.length;
      for (const kind of COUNTED_KINDS) run.next.counts[kind] = before[kind] ?? 0;
      // An issue that is as it was is not written again, also when all are read. A run of an earlier release did not keep
      // them in an earlier stage.
      if (previous !== null && run.notes[NOTES.isKept] !== true)
        yield { type: "keep-all", prefix: recordPaths.issues };
    }
    const condition = isPartial ? `updated >= ${Math.max(0, Number(mark) - OVERLAP_MS)}` : null;
    const sizes = openSizes();
    const point = (): BackupEvent => ({ type: "checkpoint", cursor: { token, number, done, newest } });
    for (;;) {
      yield { type: "progress", progress: { phase: "Reading issues", done, total: null, unit: "items" } };
      const page = await searchIssues(client, projectJql(projectId, condition), { token, sizes }).catch(
        (error: unknown) => {
          throw isExpired(error, token) ? new UnreadableCursorError("The list of issues has expired") : error;
        },
      );
      for (const issue of page.issues) {
        const own = numberOf(issue.key);
        // Read before the slice ended, or listed twice because the list changed meanwhile.
        if (own <= number) continue;
        yield* issueRecords(run, client, issue, { mode: "changed", isLinkDay: true });
        number = own;
        done += 1;
        newest = Math.max(newest, changedAt(issue));
        yield point();
      }
      if (page.next === null) break;
      if (page.next === token)
        throw new ConnectorError("malformed", "Jira's list of issues leads in a circle.");
      token = page.next;
      run.notes[NOTES.isPaged] = true;
      yield point();
    }
    yield { type: "progress", progress: { phase: "Reading issues", done, total: done, unit: "items" } };
    run.next.marks[MARK] = String(markAfter(run, newest));
  },
};

/** An issue that changes while others are read must be read again, so the mark is never behind the start. */
function markAfter(run: StagesRun, newest: number): number {
  const startedAt = readCursor(z.number(), run.notes[NOTES.startedAt]) ?? run.session.clock.now();
  return Math.min(newest, startedAt);
}

function changedAt({ fields }: Issue): number {
  const at = Date.parse((fields.updated ?? "").replace(/([+-]\d\d)(\d\d)$/, "$1:$2"));
  return Number.isNaN(at) ? 0 : at;
}

/** A token of an earlier slice lasts seven days. */
function isExpired(error: unknown, token: string | null): boolean {
  return error instanceof ConnectorError && error.status === 400 && token !== null;
}
