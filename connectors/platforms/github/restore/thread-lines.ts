import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { ReportLine } from "#connectors/toolkit/records/restore-stage.ts";
import type { Thread } from "./list-threads.ts";
import { reportKept } from "./restore-kept.ts";
import { DATES_IN_TEXT } from "./restore-threads.ts";
import { issueSchema } from "./restored-records.ts";

/** A line that needs only the version: plan and report tell it alike. */
type KnownLine = Extract<ReportLine, { type: "changed" | "impossible" }>;

/** People hear of an issue in a repository in use, unlike of one in a repository that a restore has just made. */
const WATCHERS: KnownLine = {
  type: "changed",
  what: "Notifications",
  reason:
    "GitHub tells people who watch the repository of the new issue and of each comment. Nobody is mentioned in them.",
};

const AS_ISSUE = {
  pull: {
    what: "Pull request as an issue",
    reason: "Its text names its branches and commits, which a part does not bring back.",
  },
  discussion: {
    what: "Discussion as a closed issue",
    reason: "With all its comments. GitHub's API for issues has none of its categories and answers.",
  },
} as const;

const RELATIONS: KnownLine = {
  type: "impossible",
  what: "Its place among sub-issues and blockers",
  reason: "These are other issues of the original. The version names them.",
};

/** What becomes of a single thread in an existing repository, as far as the version tells. */
export async function threadLines(snapshot: SnapshotView, thread: Thread): Promise<KnownLine[]> {
  const { source, folder } = thread;
  const lines: KnownLine[] = [DATES_IN_TEXT, WATCHERS];
  if (source !== "issue") lines.push({ type: "changed", ...AS_ISSUE[source] });
  else {
    const issue = issueSchema.parse(await snapshot.readRecord(`${folder}issue.json`));
    if (issue.parent_issue_url !== null || issue.blocked_by.length > 0) lines.push(RELATIONS);
  }
  const counts = await countsBelow(snapshot, folder);
  for (const line of reportKept({ counts: () => counts })) if (line.type === "impossible") lines.push(line);
  return lines;
}

/** Entries of a folder by kind. */
export async function countsBelow(snapshot: SnapshotView, folder: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for await (const { kind } of snapshot.list(folder)) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
