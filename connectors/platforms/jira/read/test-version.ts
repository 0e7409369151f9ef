import { canonicalJson, type Json } from "#core/kernel/canonical-json.ts";
import { utf8 } from "#core/kernel/crypto.ts";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { recordPaths } from "../record-paths.ts";

/** People and configuration of the versions that tests make by hand. */
export const PETRA = { accountId: "acc-petra", displayName: "Petra Sommer" };
export const MILAN = { accountId: "acc-milan", displayName: "Milan Novák" };
const CATEGORIES = { todo: "new", doing: "indeterminate", done: "done" } as const;
export const status = (id: number, name: string, category: keyof typeof CATEGORIES) => ({
  ...{ id: String(id), name },
  statusCategory: { key: CATEGORIES[category], name: category },
});
export const TODO = status(1, "To Do", "todo");
export const DOING = status(2, "In Progress", "doing");
export const DONE = status(3, "Done", "done");
export const TASK = { id: "10", name: "Task", subtask: false, hierarchyLevel: 0 };
export const EPIC = { id: "11", name: "Epic", subtask: false, hierarchyLevel: 1 };
export const SUBTASK = { id: "12", name: "Sub-task", subtask: true, hierarchyLevel: -1 };

export const adf = (...lines: string[]): Json => ({
  ...{ type: "doc", version: 1 },
  content: lines.map((text) => ({ type: "paragraph", content: [{ type: "text", text }] })),
});

/** A record of a version made by hand. */
export type MadeRecord = { path: string; kind: string; title?: string; value: Json };

/** The records of a project with a board of sprints, three sprints and fields of its own. */
export function projectRecords(): MadeRecord[] {
  const field = (id: string, name: string, schema: Json, custom = true): MadeRecord => ({
    ...{ path: recordPaths.field(id), kind: "field", title: name },
    value: { id, name, custom, schema },
  });
  const own = (type: string, custom: string) => ({ type, custom });
  const sprint = (id: number, name: string, state: string): MadeRecord => ({
    ...{ path: recordPaths.sprint(id), kind: "sprint", title: name },
    value: { id: String(id), name, state, originBoardId: "5" },
  });
  return [
    {
      ...{ path: recordPaths.project, kind: "project", title: "Operations" },
      value: {
        id: "10000",
        key: "OPS",
        name: "Operations",
        description: "Belts",
        projectTypeKey: "software",
      },
    },
    {
      ...{ path: recordPaths.board(5), kind: "board", title: "OPS board" },
      value: {
        ...{ id: "5", name: "OPS board", type: "scrum", rankFieldId: "customfield_10019" },
        columns: [
          { name: "To do", statuses: [{ id: "1" }] },
          { name: "In progress", statuses: [{ id: "2" }] },
          { name: "Done", statuses: [{ id: "3" }] },
        ],
      },
    },
    sprint(46, "Sprint 46", "closed"),
    sprint(47, "Sprint 47", "active"),
    sprint(48, "Sprint 48", "future"),
    field("priority", "Priority", { type: "priority", system: "priority" }, false),
    field("customfield_10019", "Rank", own("any", "com.pyxis.greenhopper.jira:gh-lexo-rank")),
    field("customfield_10020", "Sprint", own("array", "com.pyxis.greenhopper.jira:gh-sprint")),
    field("customfield_10016", "Story Points", own("number", "com.atlassian.jira.plugin:float")),
    field("customfield_10030", "Depot", own("option", "com.atlassian.jira.plugin:select")),
    field("customfield_10031", "Seen at", own("datetime", "com.atlassian.jira.plugin:datetime")),
    field("customfield_10032", "App data", own("any", "com.example:thing")),
  ];
}

/** An issue's record, in the first column and the active sprint unless told otherwise. */
export function issueRecord(number: number, fields: { [key: string]: Json } = {}): MadeRecord {
  const id = String(10_000 + number);
  const key = `OPS-${number}`;
  const summary = typeof fields.summary === "string" ? fields.summary : `Issue ${number}`;
  return {
    ...{ path: recordPaths.issue(id), kind: "issue", title: `${key} ${summary}` },
    value: {
      ...{ id, key },
      fields: {
        ...{ summary, issuetype: TASK, status: TODO, reporter: PETRA, creator: PETRA },
        ...{ created: "2026-11-12T23:58:00.000+0000", updated: "2026-11-13T00:10:00.000+0000" },
        ...{ customfield_10019: `0|i${String(number).padStart(5, "0")}:`, customfield_10020: [{ id: 47 }] },
        ...fields,
      },
    },
  };
}

/** A version of these records and files. */
export async function versionOf(
  records: readonly MadeRecord[],
  files: readonly { path: string; name: string; text: string }[] = [],
): Promise<MemorySnapshot> {
  return await takeSnapshot(
    (async function* () {
      for (const record of records) yield { type: "record", ...record };
      for (const { path, name, text } of files)
        yield {
          ...{ type: "stream" as const, path, kind: "attachment", title: name },
          async write(sink: { write(chunk: Uint8Array): void | Promise<void> }) {
            await sink.write(utf8(text));
          },
        };
    })() as Parameters<typeof takeSnapshot>[0],
  );
}

/** A record that has other values than the one given. */
export function changed(record: MadeRecord, fields: { [key: string]: Json }): MadeRecord {
  const value = record.value as { fields: { [key: string]: Json } };
  return {
    ...record,
    value: JSON.parse(canonicalJson({ ...value, fields: { ...value.fields, ...fields } })) as Json,
  };
}
