import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import { entryKinds } from "./entry-kinds.ts";

/** Display names of what restores create, in display order. */
export const restoredKinds = {
  repository: { one: "repository", many: "repositories" },
  gist: { one: "gist", many: "gists" },
  branch: { one: "branch", many: "branches" },
  tag: { one: "tag", many: "tags" },
  note: { one: "git note", many: "git notes" },
  "other-ref": { one: "other ref", many: "other refs" },
  "pull-request-branch": { one: "branch of a pull request", many: "branches of pull requests" },
  wiki: { one: "wiki", many: "wikis" },
  issue: { one: "issue", many: "issues" },
  "pull-request": { one: "pull request", many: "pull requests" },
  discussion: { one: "discussion", many: "discussions" },
  comment: { one: "comment", many: "comments" },
  placeholder: {
    one: "placeholder for a lost number",
    many: "placeholders for lost numbers",
    isExtra: true,
  },
  ...entryKinds,
  autolink: { one: "autolink", many: "autolinks" },
} satisfies PlatformConnector["restoredKinds"];
