import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import { entryKinds } from "./entry-kinds.ts";

/** Display names of what restores create, in display order. */
export const restoredKinds = {
  project: entryKinds.project!,
  issue: entryKinds.issue!,
  comment: entryKinds.comment!,
  worklog: entryKinds.worklog!,
  attachment: entryKinds.attachment!,
  link: { one: "link", many: "links" },
  "web-link": { one: "web link", many: "web links" },
  watcher: { one: "watcher", many: "watchers" },
  component: entryKinds.component!,
  version: entryKinds.version!,
  sprint: entryKinds.sprint!,
} satisfies PlatformConnector["restoredKinds"];
