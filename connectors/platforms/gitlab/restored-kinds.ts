import type { EntryKinds } from "#connectors/contract/platform-connector.ts";
import { entryKinds } from "./entry-kinds.ts";

/** Display names of what restores create, in display order. */
export const restoredKinds: EntryKinds = {
  project: { one: "project", many: "projects" },
  snippet: { one: "snippet", many: "snippets" },
  branch: { one: "branch", many: "branches" },
  tag: { one: "tag", many: "tags" },
  "other-ref": { one: "other ref", many: "other refs" },
  "merge-request-branch": { one: "branch of a merge request", many: "branches of merge requests" },
  wiki: { one: "wiki", many: "wikis" },
  ...entryKinds,
  "protected-branch": { one: "protected branch", many: "protected branches" },
  "protected-tag": { one: "protected tag", many: "protected tags" },
  badge: { one: "badge", many: "badges" },
};
