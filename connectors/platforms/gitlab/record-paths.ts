import { padId } from "#connectors/toolkit/records/pad-id.ts";

/** Issues and merge requests have the same shape at GitLab and in a version. */
export type IssuableKind = "issue" | "merge-request";

/** Paths of a project's or snippet's records in a version. */
export const recordPaths = {
  project: "project.json",
  snippet: "snippet.json",
  labels: "labels/",
  milestones: "milestones/",
  releases: "releases/",
  boards: "boards/",
  notes: "notes/",
  uploads: "uploads/",
  uploadLinks: "uploads/links/",
  members: "settings/members.json",
  variables: "settings/variable-names.json",
  protectedBranches: "settings/protected-branches.json",
  hooks: "settings/hooks.json",
  protectedTags: "settings/protected-tags.json",
  schedules: "settings/pipeline-schedules.json",
  deployKeys: "settings/deploy-keys.json",
  badges: "settings/badges.json",
  /** Folder of all issues or merge requests. */
  issuables: (kind: IssuableKind) => (kind === "issue" ? "issues/" : "merge-requests/"),
  /** Folder of one issue or merge request and its notes. */
  issuableFolder: (kind: IssuableKind, iid: number) => `${recordPaths.issuables(kind)}${padId(iid)}/`,
  issuable: (kind: IssuableKind, iid: number) => `${recordPaths.issuableFolder(kind, iid)}${kind}.json`,
  uploadLink: (secret: string) => `${recordPaths.uploadLinks}${secret}.json`,
  issueLinks: (iid: number) => `${recordPaths.issuableFolder("issue", iid)}links.json`,
  /** A release is identified by its tag, and a tag may contain slashes. */
  release: (tag: string) => `${recordPaths.releases}${encodeURIComponent(tag)}/release.json`,
} as const;
