import type { BackupStage } from "#connectors/toolkit/records/run-stages.ts";
import { recordPaths } from "../record-paths.ts";
import { NOTES, openProject } from "./project-run.ts";

/**
 * Reports how many issues the account does not see, e.g. because of their security level: Jira's number of the project's
 * issues covers them, its search does not.
 */
export const sightStage: BackupStage = {
  id: "sight",
  async *run(run) {
    const all = Number(run.notes[NOTES.allIssues] ?? 0);
    const hidden = all - (run.next.counts.issue ?? 0);
    if (hidden <= 0) return;
    const { connection } = openProject(run);
    const who = connection.fullName ?? "the connected account";
    const reason = `Jira counts ${all} issues in this project and does not show ${hidden} of them to ${who}.`;
    yield { type: "skipped", path: recordPaths.issues, kind: "issue", reason };
  },
};
