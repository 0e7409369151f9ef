import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { View } from "#connectors/contract/view.ts";
import { findFileView } from "#connectors/toolkit/git/repository/find-file-view.ts";
import { threadFolders } from "#connectors/toolkit/views/thread-folders.ts";
import { GIT, GIT_VIEW, WIKI } from "../git-platform.ts";
import { discussionFacts, issueFacts, pullFacts, releaseFacts } from "./thread-facts.ts";
import {
  COMMENT_NOTES,
  DISCUSSION_NOTES,
  EVENT_NOTES,
  REVIEW_COMMENT_NOTES,
  REVIEW_NOTES,
} from "./thread-notes.ts";

/** The views: files of the repository or gist, its threads, and its wiki. */
export async function views(snapshot: SnapshotView): Promise<readonly View[]> {
  const attachments = ["attachments/"];
  const all = [
    await findFileView(snapshot, { prefix: GIT, id: GIT_VIEW, label: "Files" }),
    threadFolders(snapshot, {
      ...{ id: "issues", label: "Issues", words: { one: "issue", many: "issues" }, hasStates: true },
      ...{ kind: "issue", prefix: "issues/", file: "issue.json", files: attachments },
      ...{ read: issueFacts, notes: [COMMENT_NOTES, EVENT_NOTES] },
    }),
    threadFolders(snapshot, {
      ...{ id: "pulls", label: "Pull requests", words: { one: "pull request", many: "pull requests" } },
      ...{ hasStates: true, kind: "pull-request", prefix: "pulls/", file: "pull.json", files: attachments },
      ...{ read: pullFacts, notes: [COMMENT_NOTES, REVIEW_NOTES, REVIEW_COMMENT_NOTES, EVENT_NOTES] },
    }),
    threadFolders(snapshot, {
      ...{ id: "discussions", label: "Discussions", words: { one: "discussion", many: "discussions" } },
      ...{ hasStates: true, kind: "discussion", prefix: "discussions/", file: "discussion.json" },
      ...{ read: discussionFacts, notes: [DISCUSSION_NOTES], files: attachments },
    }),
    threadFolders(snapshot, {
      ...{ id: "releases", label: "Releases", words: { one: "release", many: "releases" }, hasStates: false },
      ...{ kind: "release", prefix: "releases/", file: "release.json", files: ["assets/", "attachments/"] },
      ...{ read: releaseFacts, notes: [] },
    }),
    await findFileView(snapshot, { prefix: WIKI, id: "wiki", label: "Wiki" }),
  ];
  return all.filter((view) => view !== null);
}
