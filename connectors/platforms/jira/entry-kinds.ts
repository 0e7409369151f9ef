import type { EntryKinds } from "#connectors/contract/platform-connector.ts";

/** Display names of the entry kinds. */
export const entryKinds: EntryKinds = {
  project: { one: "project", many: "projects" },
  issue: { one: "issue", many: "issues" },
  comment: { one: "comment", many: "comments" },
  attachment: { one: "attachment", many: "attachments" },
  worklog: { one: "worklog", many: "worklogs" },
  change: { one: "history entry", many: "history entries" },
  "issue-extras": {
    one: "record of watchers, votes and links",
    many: "records of watchers, votes and links",
  },
  board: { one: "board", many: "boards" },
  sprint: { one: "sprint", many: "sprints" },
  version: { one: "version", many: "versions" },
  component: { one: "component", many: "components" },
  "issue-type": { one: "issue type", many: "issue types" },
  status: { one: "status", many: "statuses" },
  field: { one: "field", many: "fields" },
  filter: { one: "filter", many: "filters" },
  setting: { one: "setting", many: "settings" },
};
