import type { EntryKinds } from "#connectors/contract/platform-connector.ts";

/** The names of GitLab's entry kinds on screens. */
export const entryKinds: EntryKinds = {
  project: { one: "project", many: "projects" },
  snippet: { one: "snippet", many: "snippets" },
  issue: { one: "issue", many: "issues" },
  "merge-request": { one: "merge request", many: "merge requests" },
  note: { one: "comment", many: "comments" },
  "issue-links": { one: "list of linked issues", many: "lists of linked issues" },
  event: { one: "event", many: "events" },
  release: { one: "release", many: "releases" },
  upload: { one: "attached file", many: "attached files" },
  "upload-link": { one: "link to an attached file", many: "links to attached files" },
  label: { one: "label", many: "labels" },
  milestone: { one: "milestone", many: "milestones" },
  board: { one: "board", many: "boards" },
  setting: { one: "setting", many: "settings" },
  "lfs-object": { one: "large file", many: "large files" },
};
