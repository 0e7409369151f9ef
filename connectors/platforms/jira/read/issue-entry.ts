import type { EntryRole } from "#connectors/contract/entry-role.ts";
import { folderBelow } from "#connectors/toolkit/views/walk-folders.ts";
import { recordPaths } from "../record-paths.ts";

/** The id of the issue that an entry belongs to, as Jira writes it; null = none. */
export function issueIdOf(path: string): string | null {
  return folderBelow(recordPaths.issues, path)?.replace(LEADING_ZEROS, "") ?? null;
}

/** The id of a record of the configuration, as Jira writes it; null = it is not in this folder. */
export function recordIdOf(prefix: string, path: string): string | null {
  if (!path.startsWith(prefix) || !path.endsWith(".json")) return null;
  return path.slice(prefix.length, -".json".length).replace(LEADING_ZEROS, "");
}

const LEADING_ZEROS = /^0+(?=\d)/;

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
