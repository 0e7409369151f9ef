import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { recordPaths } from "../record-paths.ts";
import {
  type ChangeRecord,
  type CommentRecord,
  changeRecordSchema,
  commentRecordSchema,
  type IssueExtras,
  type IssueRecord,
  issueExtrasSchema,
  issueRecordSchema,
  type WorklogRecord,
  worklogRecordSchema,
} from "../record-types.ts";
import { issueIdOf } from "./issue-entry.ts";

/** An issue with everything in its folder. */
export type IssueFolder = {
  issue: IssueRecord;
  extras: IssueExtras | null;
  comments: CommentRecord[];
  worklogs: WorklogRecord[];
  changes: ChangeRecord[];
  /** Entries of its files, by the ids of the attachments. */
  files: ReadonlyMap<string, EntryInfo>;
};

/** All issues in the order of their entries. Keeps one folder at a time. */
export async function* issueFolders(snapshot: SnapshotView): AsyncGenerator<IssueFolder, void> {
  let [id, entries]: [string | null, EntryInfo[]] = [null, []];
  for await (const entry of snapshot.list(recordPaths.issues)) {
    const own = issueIdOf(entry.path);
    if (own !== id) {
      const folder = await readFolder(snapshot, entries);
      if (folder !== null) yield folder;
      [id, entries] = [own, []];
    }
    entries.push(entry);
  }
  const folder = await readFolder(snapshot, entries);
  if (folder !== null) yield folder;
}

/** Returns null for a folder without its issue. */
async function readFolder(
  snapshot: SnapshotView,
  entries: readonly EntryInfo[],
): Promise<IssueFolder | null> {
  const of = (kind: string) => entries.filter((entry) => entry.kind === kind);
  const read = async <T>(kind: string, parse: (value: unknown) => T): Promise<T[]> => {
    const records: T[] = [];
    for (const { path } of of(kind)) records.push(parse(await snapshot.readRecord(path)));
    return records;
  };
  const [issue] = await read("issue", (value) => issueRecordSchema.parse(value));
  if (!issue) return null;
  const [extras = null] = await read("issue-extras", (value) => issueExtrasSchema.parse(value));
  return {
    issue,
    extras,
    comments: await read("comment", (value) => commentRecordSchema.parse(value)),
    worklogs: await read("worklog", (value) => worklogRecordSchema.parse(value)),
    changes: await read("change", (value) => changeRecordSchema.parse(value)),
    files: new Map(of("attachment").map((entry) => [idAtEnd(entry.path), entry])),
  };
}

function idAtEnd(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/^0+(?=\d)/, "");
}
