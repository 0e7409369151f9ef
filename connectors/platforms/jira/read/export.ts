import type { ExportFile } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { openTable, TABLE_LIMITS, type TableLimits } from "#connectors/toolkit/export/open-table.ts";
import { safeFileName } from "#connectors/toolkit/export/safe-file-name.ts";
import { STATE_PATH } from "#connectors/toolkit/records/backup-state.ts";
import { utf8 } from "#core/kernel/crypto.ts";
import { recordPaths } from "../record-paths.ts";
import { COMMENT_COLUMNS, commentRows, issueColumns, issueRow, type OwnColumns } from "./export-rows.ts";
import { IMPORTER_LIMITS, type ImporterLimits, openImporter } from "./importer-files.ts";
import { type IssueFolder, issueFolders } from "./issue-folders.ts";
import { type Names, readNames } from "./names.ts";

/** Notes for the next backup. */
const HIDDEN = [recordPaths.people, recordPaths.lacking];

/**
 * The files of the ZIP: tables for a spreadsheet, files for Jira's own importer, the attachments, and everything as JSON.
 * They depend only on the version. Reads one issue at a time.
 */
export async function* exportFiles(
  snapshot: SnapshotView,
  item: { name: string },
  limits: { table: TableLimits; importer: ImporterLimits } = {
    table: TABLE_LIMITS,
    importer: IMPORTER_LIMITS,
  },
): AsyncGenerator<ExportFile, void> {
  yield { path: "README.txt", source: "bytes", bytes: utf8(readme(item.name, snapshot.counts())) };
  const names = await readNames(snapshot);
  const importer = await openImporter(snapshot, names, limits.importer);
  const tables = openTables(names, limits.table);
  const exported = new Set<string>();
  for await (const folder of issueFolders(snapshot)) {
    const paths = attachmentPaths(folder);
    for (const [id, path] of paths) {
      const entry = folder.files.get(id)!.path;
      exported.add(entry);
      yield { path, source: "entry", entry };
    }
    yield* tables.add(folder, [...paths.values()]);
    const full = importer.add(folder, (id) => paths.get(id) ?? null);
    if (full !== null) yield full;
  }
  yield* tables.end();
  yield* importer.end();
  for await (const { path, type, title } of snapshot.list()) {
    if (path === STATE_PATH || HIDDEN.some((prefix) => path.startsWith(prefix)) || exported.has(path))
      continue;
    // A file whose issue is not in the version.
    const name = `${path.slice(path.lastIndexOf("/") + 1)}-${safeFileName(title || "file")}`;
    yield {
      path: type === "record" ? `metadata/${path}` : `attachments/other/${name}`,
      source: "entry",
      entry: path,
    };
  }
}

/** Paths of an issue's files in the ZIP. The id keeps two files of one name apart. */
function attachmentPaths({ issue, files }: IssueFolder): Map<string, string> {
  const folder = `attachments/${safeFileName(issue.key)}`;
  return new Map(
    [...files].map(([id, { title }]) => [id, `${folder}/${id}-${safeFileName(title || "file")}`] as const),
  );
}

/** Writes `issues.csv` and `comments.csv`, each in parts of a bounded size. */
function openTables(names: Names, limits: TableLimits) {
  const own: OwnColumns = new Map();
  const issues = openTable("issues", () => issueColumns(own), limits);
  const comments = openTable("comments", () => COMMENT_COLUMNS, limits);
  return {
    *add(folder: IssueFolder, files: readonly string[]): Generator<ExportFile, void> {
      yield* issues.add(issueRow(folder, { names, files, own }));
      for (const row of commentRows(folder)) yield* comments.add(row);
    },
    *end(): Generator<ExportFile, void> {
      yield* issues.end();
      yield* comments.end();
    },
  };
}

function readme(name: string, counts: Readonly<Record<string, number>>): string {
  const count = (kind: string) => String(counts[kind] ?? 0);
  return [
    `${name.replace(/\p{Cc}+/gu, " ")} - a backup of a Jira project`,
    "",
    "What is inside",
    "  index.html       boards, backlog and issues with a search; open it in a browser, it needs no network",
    "  viewer/          what that page reads",
    `  issues.csv       ${count("issue")} issues, one line each, for a spreadsheet`,
    `  comments.csv     ${count("comment")} comments`,
    "                   (large tables go on in issues-2.csv and so on)",
    `  attachments/     ${count("attachment")} files, in a folder for each issue`,
    "  jira-import/     files for Jira's own JSON importer, with a README of what they carry",
    "  metadata/        everything as JSON, in Jira's own words: project.json, settings, fields, boards, sprints,",
    "                   issues/<id>/issue.json with comments, worklogs and changes (the history) beside it",
    "",
    "How to read an issue in JSON",
    "  fields are named by their ids; fields/<id>.json has the name of each.",
    "  Texts are in Atlassian Document Format. The facts of files stand in fields.attachment.",
    "",
    "What is not inside",
    "  Automation rules, dashboards and the data of apps: Jira's API does not give them to other apps.",
    "  Web page and tables: what does not fit is named there, and everything is in metadata/.",
    "",
  ].join("\n");
}
