import type { EntryKinds } from "#connectors/contract/platform-connector.ts";

/** Display names of the entry kinds. */
export const entryKinds: EntryKinds = {
  repository: { one: "repository", many: "repositories" },
  gist: { one: "gist", many: "gists" },
  issue: { one: "issue", many: "issues" },
  "issue-comment": { one: "comment", many: "comments" },
  "pull-request": { one: "pull request", many: "pull requests" },
  review: { one: "review", many: "reviews" },
  "review-comment": { one: "review comment", many: "review comments" },
  "issue-event": { one: "event", many: "events" },
  "commit-comment": { one: "comment on a commit", many: "comments on commits" },
  release: { one: "release", many: "releases" },
  "release-asset": { one: "release file", many: "release files" },
  attachment: { one: "attached file", many: "attached files" },
  discussion: { one: "discussion", many: "discussions" },
  "discussion-comment": { one: "discussion comment", many: "discussion comments" },
  project: { one: "project", many: "projects" },
  "project-item": { one: "project item", many: "project items" },
  label: { one: "label", many: "labels" },
  milestone: { one: "milestone", many: "milestones" },
  "gist-comment": { one: "gist comment", many: "gist comments" },
  setting: { one: "setting", many: "settings" },
  "lfs-object": { one: "large file", many: "large files" },
};
