import type { BoardCardDetail } from "#connectors/contract/board-view.ts";
import type { Field, FileLink } from "#connectors/contract/field.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { wordField } from "#connectors/toolkit/views/values.ts";
import { recordPaths } from "../record-paths.ts";
import { type IssueExtras, type IssueRecord, issueExtrasSchema, issueRecordSchema } from "../record-types.ts";
import { isDone } from "./issue-facts.ts";

type Reference = { id?: unknown; key?: unknown };
/** Sub-tasks that are read to learn whether they are done. */
const MOST_SUBTASKS = 200;

/**
 * The title of another issue, e.g. `OPS-12 Gate 7`, without reading it. Its record tells only key and id, because the
 * title changes without this issue.
 */
export async function titleOf(snapshot: SnapshotView, { id, key }: Reference): Promise<string> {
  const entry = id === undefined ? null : await snapshot.find(recordPaths.issue(String(id)));
  return entry?.title || String(key ?? "an issue that is gone");
}

/** Parent, links in both directions, and who watches and votes. */
export async function relationFields(
  snapshot: SnapshotView,
  { fields }: IssueRecord,
  extras: IssueExtras | null,
): Promise<Field[]> {
  const found: Field[] = [];
  if (fields.parent) {
    const name = fields.issuetype.hierarchyLevel === 0 && !fields.issuetype.subtask ? "Epic" : "Parent";
    found.push({ name, value: await titleOf(snapshot, fields.parent) });
  }
  for (const { type, inwardIssue, outwardIssue } of fields.issuelinks) {
    const other = outwardIssue ?? inwardIssue;
    if (!other) continue;
    const words = (outwardIssue ? type.outward : type.inward) || type.name;
    found.push({ name: capitalised(words), value: await titleOf(snapshot, other) });
  }
  return [
    ...found,
    ...peopleField("Watchers", extras?.watchers, countIn(fields.watches, "watchCount")),
    ...peopleField("Votes", extras?.voters, countIn(fields.votes, "votes")),
  ];
}

/** The names of people. Without the right to see them an account knows only how many they are. */
function peopleField(name: string, people: IssueExtras["watchers"] | undefined, count: number): Field[] {
  const names = (people ?? []).map(({ displayName }) => displayName).filter((each) => each !== "");
  return wordField(name, names.length > 0 ? names.join(", ") : count > 0 ? String(count) : null);
}

function countIn(value: unknown, key: string): number {
  const count = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : 0;
  return typeof count === "number" ? count : 0;
}

/** Sub-tasks as a checklist; null = none. */
export async function subtaskList(
  snapshot: SnapshotView,
  { fields }: IssueRecord,
): Promise<BoardCardDetail["checklists"][number] | null> {
  const subtasks = referencesOf(fields.subtasks);
  if (subtasks.length === 0) return null;
  const items = [];
  for (const subtask of subtasks.slice(0, MOST_SUBTASKS)) {
    const issue = await findIssue(snapshot, String(subtask.id));
    items.push({
      text: await titleOf(snapshot, subtask),
      isDone: issue !== null && isDone(issue),
      dueAt: null,
      person: issue?.fields.assignee?.displayName || null,
    });
  }
  return { title: "Sub-tasks", items };
}

/** Number of sub-tasks. */
export function subtaskCount({ fields }: IssueRecord): number {
  return referencesOf(fields.subtasks).length;
}

/** Files of an issue and its links to web pages. A file without its bytes in the version has no path. */
export async function filesOfIssue(
  snapshot: SnapshotView,
  { id, fields }: IssueRecord,
  extras: IssueExtras | null,
): Promise<FileLink[]> {
  const stored = new Set<string>();
  for await (const { path } of snapshot.list(`${recordPaths.issueFolder(id)}attachments/`)) stored.add(path);
  const files = fields.attachment.map(({ id: file, filename, size }) => {
    const path = recordPaths.attachment(id, file);
    return { name: filename, path: stored.has(path) ? path : null, url: null, sizeBytes: size };
  });
  const links = (extras?.remoteLinks ?? []).flatMap(({ object: { url, title } }) =>
    url === null ? [] : [{ name: title || url, path: null, url, sizeBytes: null }],
  );
  return [...files, ...links];
}

/** Finds an issue by its id, or null. The id may come from a URL. */
export async function findIssue(snapshot: SnapshotView, id: string): Promise<IssueRecord | null> {
  const path = recordPaths.issue(id);
  if ((await snapshot.find(path))?.kind !== "issue") return null;
  return issueRecordSchema.parse(await snapshot.readRecord(path));
}

/** Watchers, votes and web links of an issue, or null. */
export async function findExtras(snapshot: SnapshotView, id: string): Promise<IssueExtras | null> {
  const path = recordPaths.issueExtras(id);
  if ((await snapshot.find(path)) === null) return null;
  return issueExtrasSchema.parse(await snapshot.readRecord(path));
}

function referencesOf(value: unknown): Reference[] {
  if (!Array.isArray(value)) return [];
  return value.filter((each) => typeof each === "object" && each !== null && "id" in each);
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
