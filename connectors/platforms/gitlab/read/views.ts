import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { View } from "#connectors/contract/view.ts";
import { findFileView } from "#connectors/toolkit/git/repository/find-file-view.ts";
import { threadFolders } from "#connectors/toolkit/views/thread-folders.ts";
import { GIT, GIT_VIEW, WIKI } from "../git-platform.ts";
import { recordPaths } from "../record-paths.ts";
import { findReleasesView } from "./releases-view.ts";
import { EVENTS, issueFacts, mergeRequestFacts, NOTES } from "./thread-facts.ts";

/** The views: files of the project or snippet, its threads, and its wiki. */
export async function views(snapshot: SnapshotView): Promise<readonly View[]> {
  const all = [
    await findFileView(snapshot, { prefix: GIT, id: GIT_VIEW, label: "Files" }),
    threadFolders(snapshot, {
      ...{ id: "issues", label: "Issues", words: { one: "issue", many: "issues" }, hasStates: true },
      ...{ kind: "issue", prefix: recordPaths.issuables("issue"), file: "issue.json", files: [] },
      ...{ read: issueFacts, notes: [NOTES, ...EVENTS] },
    }),
    threadFolders(snapshot, {
      ...{ id: "merge-requests", label: "Merge requests" },
      ...{ words: { one: "merge request", many: "merge requests" }, hasStates: true, kind: "merge-request" },
      ...{ prefix: recordPaths.issuables("merge-request"), file: "merge-request.json", files: [] },
      ...{ read: mergeRequestFacts, notes: [NOTES, ...EVENTS] },
    }),
    findReleasesView(snapshot),
    await findFileView(snapshot, { prefix: WIKI, id: "wiki", label: "Wiki" }),
  ];
  return all.filter((view) => view !== null);
}
