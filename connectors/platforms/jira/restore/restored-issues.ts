import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoreJournal, RestoreOrder } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import { recordPaths } from "../record-paths.ts";
import { type IssueRecord, issueRecordSchema } from "../record-types.ts";

/** An issue of the version. */
export type VersionIssue = { path: string; issue: IssueRecord };

/** A line of the report about an issue. */
export const lineSchema = z.object({
  type: z.enum(["changed", "impossible", "missing"]),
  what: z.string(),
  reason: z.string(),
});
export type IssueLine = z.output<typeof lineSchema>;

/** What the journal knows of an issue, under `issue:<old key>`. */
const madeSchema = z.object({
  id: z.string(),
  key: z.string(),
  typeId: z.string(),
  /** Steps of its filling that are done. */
  done: z.number(),
  counts: z.record(z.string(), z.number()),
  lines: z.array(lineSchema),
  /** New ids of its attachments by old ones. */
  files: z.record(z.string(), z.string()),
});
const refusedSchema = z.object({ refused: z.string() });
export type MadeIssue = z.output<typeof madeSchema>;
export type IssueNote = MadeIssue | z.output<typeof refusedSchema>;

/** The journal's entry of an issue; null = it was not created yet. */
export function noteOf(journal: RestoreJournal, oldKey: string): Promise<IssueNote | null> {
  return readNote(journal, noteKey(oldKey), z.union([madeSchema, refusedSchema]));
}

export const noteKey = (oldKey: string) => `issue:${oldKey}`;

/** The issue that the journal knows as created; null = none. */
export async function madeOf(journal: RestoreJournal, oldKey: string): Promise<MadeIssue | null> {
  const note = await noteOf(journal, oldKey);
  return note === null || "refused" in note ? null : note;
}

/** The level of an issue: 1 or more = epic, 0 = standard, -1 = sub-task. */
export function levelOf({ fields }: IssueRecord): number {
  return fields.issuetype.subtask ? -1 : fields.issuetype.hierarchyLevel;
}

/**
 * The issues that an order restores, by age: all, or one with its sub-tasks.
 * @param after The path behind which to start; null = at the beginning. @throws ConnectorError `unsupported`
 */
export async function* issuesOf(
  snapshot: SnapshotView,
  part: string | null,
  after: string | null = null,
): AsyncGenerator<VersionIssue> {
  const paths = part === null ? allPaths(snapshot, after) : await partPaths(snapshot, part);
  for await (const path of paths) {
    if (after !== null && path <= after) continue;
    yield { path, issue: await readIssue(snapshot, path) };
  }
}

/** Reads the record of an issue. */
export async function readIssue(snapshot: SnapshotView, path: string): Promise<IssueRecord> {
  return issueRecordSchema.parse(await snapshot.readRecord(path));
}

async function* allPaths(snapshot: SnapshotView, after: string | null): AsyncGenerator<string> {
  for await (const { path, kind } of snapshot.list(recordPaths.issues, after ?? undefined))
    if (kind === "issue") yield path;
}

const subtasks = z.array(z.looseObject({ id: z.string() })).catch([]);

async function partPaths(snapshot: SnapshotView, part: string): Promise<string[]> {
  await requirePart(snapshot, { part });
  const { fields } = await readIssue(snapshot, part);
  const paths = [part];
  for (const { id } of subtasks.parse(fields.subtasks)) {
    const path = recordPaths.issue(id);
    if ((await snapshot.find(path))?.kind === "issue") paths.push(path);
  }
  return paths.sort();
}

/** @throws ConnectorError `unsupported` for a part that is no issue */
export async function requirePart(
  snapshot: SnapshotView,
  { part }: Pick<RestoreOrder, "part">,
): Promise<void> {
  if (part === null || (await snapshot.find(part))?.kind === "issue") return;
  throw new ConnectorError("unsupported", "Only issues can be restored alone.");
}
