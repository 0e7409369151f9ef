import type { EntryRole } from "#connectors/contract/entry-role.ts";
import { folderBelow } from "#connectors/toolkit/views/walk-folders.ts";
import { recordPaths } from "../record-paths.ts";

/** The id of the issue that an entry belongs to, as Jira writes it; null = none. */
export function issueIdOf(path: string): string | null {
  return folderBelow(recordPaths.issues, path)?.replace(/^0+(?=\d)/, "") ?? null;
}

/** The role of an entry of an issue; null = it belongs to none. */
export function roleOfIssueEntry({ path, kind }: { path: string; kind: string }): EntryRole | null {
  const id = issueIdOf(path);
  if (id === null) return null;
  switch (kind) {
    case "issue":
      return { role: "part", id };
    case "comment":
      return { role: "comment", partId: id };
    case "change":
    case "worklog":
      return { role: "event", partId: id };
    case "attachment":
      return { role: "file", partId: id };
    case "issue-extras":
      return { role: "value", partId: id };
    default:
      return null;
  }
}
