import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { ThreadsView } from "#connectors/contract/thread-view.ts";
import type { ViewOf } from "#connectors/contract/view.ts";
import { PLAIN_THREAD, type ThreadFacts, threadFolders } from "#connectors/toolkit/views/thread-folders.ts";
import { listField, timeOf } from "#connectors/toolkit/views/values.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { issueRecordSchema } from "../record-types.ts";
import { adfToMarkdown } from "./adf-markdown.ts";
import { roleOfIssueEntry } from "./issue-entry.ts";
import { isDone, issueFields, tagsOf } from "./issue-facts.ts";
import { noteFolders } from "./issue-notes.ts";
import { filesOfIssue, findExtras, findIssue, relationFields, subtaskList } from "./issue-relations.ts";
import { type Names, readNames } from "./names.ts";

const COMES_BACK_AS =
  "It gets a new key; the old one stands in its description. Comments name their authors. The history stays readable here.";

/** All issues as threads, with comments, work logs and history; null when the version has none. */
export function issuesView(snapshot: SnapshotView): ViewOf<"thread"> | null {
  const order = (names: Names) => ({
    ...{ id: "issues", label: "Issues", words: { one: "issue", many: "issues" }, hasStates: true },
    ...{ kind: "issue", prefix: "issues/", file: "issue.json", files: ["attachments/"] },
    ...{ read: (value: Json) => threadFacts(value, names), notes: noteFolders(names) },
  });
  // Names are read when the view is opened.
  const closed = threadFolders(snapshot, order(NO_NAMES));
  if (closed === null) return null;
  return {
    ...closed,
    async open() {
      const threads = await threadFolders(snapshot, order(await readNames(snapshot)))!.open();
      return { ...threads, thread: (id) => openThread(snapshot, threads, id), roleOf: roleOfIssueEntry };
    },
  };
}

const NO_NAMES: Names = {
  fields: new Map(),
  sprints: new Map(),
  sprintField: null,
  rankField: null,
  pointFields: [],
};

function threadFacts(value: Json, names: Names): ThreadFacts {
  const issue = issueRecordSchema.parse(value);
  const { key, fields } = issue;
  const author = fields.creator ?? fields.reporter;
  return {
    ...PLAIN_THREAD,
    key,
    title: fields.summary,
    state: { label: fields.status.name, isOpen: !isDone(issue) },
    author: author?.displayName || null,
    at: timeOf(fields.created),
    editedAt: timeOf(fields.updated),
    tags: tagsOf(issue),
    url: null,
    text: adfToMarkdown(fields.description),
    reactions: [],
    fields: issueFields(issue, names, ["status"]),
    files: [],
    comesBackAs: COMES_BACK_AS,
  };
}

/** An opened issue with what other entries tell: parent, links, sub-tasks, files. */
async function openThread(
  snapshot: SnapshotView,
  threads: ThreadsView,
  id: string,
): ReturnType<ThreadsView["thread"]> {
  const thread = await threads.thread(id);
  const issue = thread && (await findIssue(snapshot, id));
  if (!thread || !issue) return null;
  const extras = await findExtras(snapshot, issue.id);
  const subtasks = await subtaskList(snapshot, issue);
  return {
    ...thread,
    fields: [
      ...thread.fields,
      ...(await relationFields(snapshot, issue, extras)),
      ...listField("Sub-tasks", subtasks?.items.map(({ text }) => text) ?? []),
    ],
    files: await filesOfIssue(snapshot, issue, extras),
  };
}
