import { padId } from "#connectors/toolkit/records/pad-id.ts";

/** Where things lie in a version of a project or snippet. */
export const ENTRY = {
  project: "project.json",
  snippet: "snippet.json",
  labels: "labels/",
  milestones: "milestones/",
  issues: "issues/",
  mergeRequests: "merge-requests/",
  releases: "releases/",
  boards: "boards/",
  notes: "notes/",
  uploads: "uploads/",
  members: "settings/members.json",
  variables: "settings/variable-names.json",
  protectedBranches: "settings/protected-branches.json",
  hooks: "settings/hooks.json",
} as const;

/** Issues and merge requests: the same shape at GitLab and in a version. */
export type IssuableKind = "issue" | "merge-request";

/** Folder of all issues or merge requests. */
export function issuablesFolder(kind: IssuableKind): string {
  return kind === "issue" ? ENTRY.issues : ENTRY.mergeRequests;
}

/** Folder of one issue or merge request. */
export function issuableFolder(kind: IssuableKind, iid: number): string {
  return `${issuablesFolder(kind)}${padId(iid)}/`;
}

/** Path of an issue or merge request itself. */
export function issuablePath(kind: IssuableKind, iid: number): string {
  return `${issuableFolder(kind, iid)}${kind}.json`;
}

/** Path of a release: the tag is its id, and a tag may hold slashes. */
export function releasePath(tag: string): string {
  return `${ENTRY.releases}${encodeURIComponent(tag)}/release.json`;
}
