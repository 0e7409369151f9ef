import { expect, test } from "vitest";
import type { ExportFile } from "#connectors/contract/platform-connector.ts";
import { zipFiles } from "#core/exports/zip-files.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { fromUtf8 } from "#core/kernel/crypto.ts";
import { bytesOf } from "#tests/conformance/connector/zip-of.ts";
import { allOf } from "#tests/harness/all-of.ts";
import { connector } from "../connector.ts";
import { recordPaths } from "../record-paths.ts";
import { exportFiles } from "./export.ts";
import {
  adf,
  DONE,
  issueRecord,
  type MadeRecord,
  MILAN,
  PETRA,
  projectRecords,
  SUBTASK,
  versionOf,
} from "./test-version.ts";

const HOSTILE = "../../e\u202evil\n:name?.exe";
const records: MadeRecord[] = [
  ...projectRecords(),
  { path: recordPaths.component(1), kind: "component", value: { id: "1", name: "Gates" } },
  {
    path: recordPaths.version(1),
    kind: "version",
    value: { id: "1", name: "Winter", released: true, releaseDate: "2026-12-01" },
  },
  issueRecord(1, {
    ...{
      summary: '=HYPERLINK("http://e.test")',
      description: adf("Line one", "{code} and [x]"),
      assignee: MILAN,
    },
    ...{ customfield_10030: { value: "Leipzig" }, customfield_10016: 3, labels: ["gate"], timespent: 5400 },
    ...{ components: [{ id: "1", name: "Gates" }], resolution: { id: "1", name: "Fixed" }, status: DONE },
    attachment: [
      { id: "900", filename: HOSTILE, size: 5, author: PETRA, created: "2026-11-12T23:58:00.000+0000" },
      { id: "901", filename: "lost.pdf", size: 9 },
    ],
    issuelinks: [
      {
        id: "1",
        type: { id: "1", name: "Blocks", inward: "is blocked by", outward: "blocks" },
        outwardIssue: { id: "10002", key: "OPS-2" },
      },
    ],
  }),
  issueRecord(2, {
    issuetype: SUBTASK,
    parent: { id: "10001", key: "OPS-1" },
    customfield_10031: "2026-11-20T14:05:00.000+0000",
  }),
  {
    path: recordPaths.comment(10_001, 1),
    kind: "comment",
    value: {
      id: "1",
      author: PETRA,
      created: "2026-11-13T00:00:00.000+0000",
      body: adf("-2+3 is a formula"),
    },
  },
  {
    path: recordPaths.worklog(10_001, 1),
    kind: "worklog",
    value: {
      id: "1",
      author: MILAN,
      started: "2026-11-13T00:00:00.000+0000",
      timeSpentSeconds: 60,
      comment: null,
    },
  },
  {
    ...{ path: recordPaths.change(10_001, 1), kind: "change" },
    value: {
      id: "1",
      author: PETRA,
      created: "2026-11-14T00:00:00.000+0000",
      items: [
        { field: "status", fieldId: "status", from: "1", fromString: "To Do", to: "3", toString: "Done" },
      ],
    },
  },
  { path: recordPaths.issueExtras(10_001), kind: "issue-extras", value: { watchers: [MILAN] } },
  { path: "state.json", kind: "state", value: {} },
];
const files = [{ path: recordPaths.attachment(10_001, 900), name: HOSTILE, text: "photo" }];
const texts = (all: readonly ExportFile[]) =>
  new Map(all.map((file) => [file.path, file.source === "bytes" ? fromUtf8(file.bytes) : file.source]));

test("the ZIP of a project has tables, files of the importer, attachments and everything as JSON", async () => {
  const snapshot = await versionOf(records, files);
  const all = texts(await allOf(exportFiles(snapshot, { name: "OPS · Operations" })));
  const own = [...all.keys()].filter((path) => !path.startsWith("metadata/"));
  expect(own).toEqual([
    "README.txt",
    "attachments/OPS-1/900-_.._e_vil_name_.exe",
    "issues.csv",
    "comments.csv",
    "jira-import/001.json",
    "jira-import/README.txt",
  ]);
  expect(all.has("metadata/issues/000000010001/issue.json")).toBe(true);
  expect(all.has("metadata/state.json")).toBe(false);
  expect([...all.keys()].filter((path) => path.startsWith("metadata/"))).toHaveLength(records.length - 1);
});

test("tables name own fields, and a spreadsheet runs nothing of them", async () => {
  const all = texts(await allOf(exportFiles(await versionOf(records, files), { name: "OPS" })));
  const lines = all.get("issues.csv")!.split("\r\n");
  expect(lines[0]).toMatch(/^\ufeffKey,Type,Summary,.*,Description,Depot,Seen at$/);
  expect(lines[1]).toContain(`OPS-1,Task,"'=HYPERLINK(""http://e.test"")",Done,`);
  expect(lines[1]).toContain("blocks OPS-2");
  expect(lines[1]).toContain("attachments/OPS-1/900-_.._e_vil_name_.exe");
  expect(lines[1]).toMatch(/,"Line one\n\{code\} and \[x\]",Leipzig,$/);
  expect(lines[2]).toMatch(/^OPS-2,Sub-task,Issue 2,.*,OPS-1,.*,,2026-11-20 14:05 UTC$/);
  expect(all.get("comments.csv")).toContain(
    'OPS-1,"\'=HYPERLINK(""http://e.test"")",Petra Sommer,2026-11-13T00:00:00.000+0000,,\'-2+3 is a formula',
  );
});

test("files of the importer have the documented form, with dates, history, people and links", async () => {
  const all = texts(await allOf(exportFiles(await versionOf(records, files), { name: "OPS" })));
  const { users, links, projects } = JSON.parse(all.get("jira-import/001.json")!);
  expect(users).toEqual([{ name: "acc-petra" }, { name: "acc-milan" }]);
  expect(links).toEqual([
    { name: "Blocks", sourceId: "10001", destinationId: "10002" },
    { name: "sub-task-link", sourceId: "10002", destinationId: "10001" },
  ]);
  const { issues, ...project } = projects[0];
  expect(project).toEqual({
    ...{ name: "Operations", key: "OPS", type: "software", description: "Belts", components: ["Gates"] },
    versions: [{ name: "Winter", released: true, releaseDate: "2026-12-01" }],
  });
  expect(issues[0]).toEqual({
    ...{ key: "OPS-1", externalId: "10001", summary: '=HYPERLINK("http://e.test")', issueType: "Task" },
    ...{
      status: "Done",
      resolution: "Fixed",
      reporter: "acc-petra",
      assignee: "acc-milan",
      labels: ["gate"],
    },
    ...{ created: "2026-11-12T23:58:00.000+0000", updated: "2026-11-13T00:10:00.000+0000" },
    ...{ description: "Line one\n\\{code} and \\[x]", components: ["Gates"], timeSpent: "PT5400S" },
    watchers: ["acc-milan"],
    customFieldValues: [
      { fieldName: "Story Points", fieldType: "com.atlassian.jira.plugin:float", value: "3" },
      { fieldName: "Depot", fieldType: "com.atlassian.jira.plugin:select", value: "Leipzig" },
    ],
    comments: [{ body: "-2+3 is a formula", author: "acc-petra", created: "2026-11-13T00:00:00.000+0000" }],
    worklogs: [{ author: "acc-milan", startDate: "2026-11-13T00:00:00.000+0000", timeSpent: "PT60S" }],
    history: [
      {
        ...{ author: "acc-petra", created: "2026-11-14T00:00:00.000+0000" },
        items: [
          { fieldType: "jira", field: "status", from: "1", fromString: "To Do", to: "3", toString: "Done" },
        ],
      },
    ],
    attachments: [
      {
        name: HOSTILE,
        attacher: "acc-petra",
        created: "2026-11-12T23:58:00.000+0000",
        uri: "attachments/OPS-1/900-_.._e_vil_name_.exe",
      },
    ],
  });
});

test("large exports go on in further files, and say what did not fit", async () => {
  const many = Array.from({ length: 40 }, (_, at) =>
    issueRecord(at + 1, { parent: { id: "10001", key: "OPS-1" }, issuetype: SUBTASK }),
  );
  const limits = {
    table: { perFile: 1_000, bytes: 3_000 },
    importer: { issues: 10, perFile: 100_000, bytes: 7_000 },
  };
  const all = texts(
    await allOf(exportFiles(await versionOf([...projectRecords(), ...many]), { name: "OPS" }, limits)),
  );
  const imported = [...all]
    .filter(([path]) => /^jira-import\/\d+\.json$/.test(path))
    .map(([, text]) => JSON.parse(text));
  const counts = imported.map(({ projects }) => projects[0].issues.length);
  expect(counts.slice(0, 2)).toEqual([10, 10]);
  const written = counts.reduce((sum, count) => sum + count, 0);
  expect(written).toBeLessThan(40);
  // Only the first file has the parent.
  expect(imported.map(({ links }) => links.length).slice(0, 2)).toEqual([10, 0]);
  expect(all.get("jira-import/README.txt")).toContain(`${written} issues in ${counts.length} files`);
  expect(all.get("jira-import/README.txt")).toContain(`${40 - written} more issues did not fit`);
  const tables = [...all].filter(([path]) => /^issues(-\d)?\.csv$/.test(path));
  expect(tables.length).toBeGreaterThan(1);
  for (const [, text] of tables) expect(text.startsWith("\ufeffKey,")).toBe(true);
  const lines = tables.flatMap(([, text]) => text.split("\r\n").filter((line) => line.startsWith("OPS-")));
  expect(tables.at(-1)?.[1]).toContain(`${40 - lines.length} more lines did not fit.`);
});

test("a file without its issue and a project without issues export", async () => {
  const stray = await versionOf(projectRecords(), files);
  const all = texts(await allOf(exportFiles(stray, { name: "" })));
  expect(all.get("issues.csv")?.split("\r\n")).toHaveLength(2);
  expect([...all.keys()]).toContain("attachments/other/000000000900-_.._e_vil_name_.exe");
});

test("notes for the next backup are not in the ZIP", async () => {
  const notes = [recordPaths.lackingFiles("900"), `${recordPaths.people}note.json`];
  const made = notes.map((path) => ({ path, kind: "state", value: {} }));
  const snapshot = await versionOf([...projectRecords(), ...made]);
  for (const path of notes) expect(await snapshot.find(path)).not.toBeNull();
  const written = [...texts(await allOf(exportFiles(snapshot, { name: "OPS" }))).keys()];
  expect(written.length).toBeGreaterThan(3);
  expect(written.filter((path) => /lacking|note/.test(path))).toEqual([]);
});

test("the page in the ZIP shows boards and issues, and links to the files", async () => {
  const snapshot = await versionOf(records, files);
  const facts = {
    item: { name: "Operations", fullName: "OPS · Operations", kind: "project" },
    snapshot: { takenAt: 1, verifiedAt: 2, verifyState: "verified", skippedCount: 0, manifestId: "m" },
    skipped: [],
  };
  const shown = new Map<string, Json>();
  const paths: string[] = [];
  for await (const file of zipFiles(connector, snapshot, facts)) {
    paths.push(file.path);
    expect(await bytesOf(snapshot, file)).not.toBeNull();
    if (file.source !== "bytes" || !file.path.startsWith("viewer/")) continue;
    new Function("holdfast", fromUtf8(file.bytes))((key: string, json: string) =>
      shown.set(key, JSON.parse(json)),
    );
  }
  expect(paths).toContain("index.html");
  expect([...shown.keys()].toSorted()).toEqual(
    [0, 1, 2, 3, 4].flatMap((view) => [`${view}/1`, `${view}/index`]),
  );
  const card = (shown.get("0/1") as { [key: string]: Json }[]).find(({ key }) => key === "OPS-1");
  expect(card).toMatchObject({ type: "card", group: "column-3", people: ["Milan Novák"] });
  expect(JSON.stringify(card)).toContain("attachments/OPS-1/900-_.._e_vil_name_.exe");
  expect(shown.get("2/index")).toMatchObject({ words: { one: "issue", many: "issues" } });
});
