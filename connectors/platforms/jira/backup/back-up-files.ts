import type { BackupStage } from "#connectors/toolkit/records/run-stages.ts";
import { piecesOf } from "./back-up-deletions.ts";
import { isFetchable } from "./back-up-file.ts";
import { issuesRecords, readIssues } from "./issue-records.ts";
import { listLacking, skippedFiles } from "./lacking-files.ts";
import { openProject } from "./project-run.ts";
import { fetchIssues, ISSUES_AT_ONCE } from "./search-issues.ts";

/**
 * Files that the previous version lacks: those that waited for a sign-in are fetched once there is one, with their issues,
 * which did not change. The others are listed again, because this version lacks them too.
 */
export const filesStage: BackupStage = {
  id: "files",
  async *run(run) {
    const { previous } = run.order;
    if (previous === null) return;
    const { client, projectId } = openProject(run);
    const wanted: string[] = [];
    for await (const lacking of listLacking(previous)) {
      const isWanted = isFetchable(run.session, lacking) && !readIssues(run).has(lacking.number);
      if (isWanted) wanted.push(lacking.issueId);
    }
    for (const piece of piecesOf(wanted, ISSUES_AT_ONCE)) {
      const found = await fetchIssues(client, projectId, piece);
      yield* issuesRecords(run, client, found, { mode: "rolling", isLinkDay: false });
      yield { type: "checkpoint", cursor: { read: readIssues(run).size() } };
    }
    // Behind the last checkpoint, so that no slice lists them twice.
    for await (const lacking of listLacking(previous)) {
      if (!readIssues(run).has(lacking.number)) yield* skippedFiles(lacking);
    }
  },
};
