import { z } from "zod";
import type { ExportFile } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { utf8 } from "#core/kernel/crypto.ts";
import { recordPaths } from "../record-paths.ts";
import { projectRecordSchema } from "../record-types.ts";
import { type ImportedLink, importedIssue, importedLinks, importedProject } from "./importer-json.ts";
import type { IssueFolder } from "./issue-folders.ts";
import { type Names, readAll } from "./names.ts";

/** Atlassian recommends at most this many issues in a file ("Import data from JSON"). */
const MOST_ISSUES = 1_500;
export type ImporterLimits = { issues: number; perFile: number; bytes: number };
/**
 * Plain bytes of a file before the next one starts, and of all files together. The layout of a ZIP holds them, deflated,
 * and a Worker holds the layout.
 */
export const IMPORTER_LIMITS: ImporterLimits = {
  issues: MOST_ISSUES,
  perFile: 4 * 1024 * 1024,
  bytes: 32 * 1024 * 1024,
};

const namedSchema = z.looseObject({ name: z.string() });
const versionSchema = z.looseObject({
  name: z.string(),
  released: z.boolean().nullish().catch(null),
  releaseDate: z.string().nullish().catch(null),
});

/** Collects issues into files of Jira's importer, one file at a time. */
export type ImporterWriter = {
  /** Adds an issue. Returns the file that is full, if any. */
  add(folder: IssueFolder, pathOf: (attachmentId: string) => string | null): ExportFile | null;
  /** The last file and the README. */
  end(): ExportFile[];
};

/** Opens the writer for a version. */
export async function openImporter(
  snapshot: SnapshotView,
  names: Names,
  limits: ImporterLimits = IMPORTER_LIMITS,
): Promise<ImporterWriter> {
  const project = await projectOf(snapshot);
  let issues: string[] = [];
  let ids = new Set<string>();
  let people = new Set<string>();
  let links: ImportedLink[] = [];
  let [size, total, number, written, cutLinks] = [0, 0, 0, 0, 0];
  let leftOut = 0;
  const flush = (): ExportFile | null => {
    if (issues.length === 0) return null;
    const inside = links.filter(({ sourceId, destinationId }) => ids.has(sourceId) && ids.has(destinationId));
    cutLinks += links.length - inside.length;
    number += 1;
    const head = JSON.stringify({
      users: [...people].map((name) => ({ name })),
      links: inside,
      projects: [{ ...project, issues: [] }],
    });
    // The list of issues is the last member, so they can be put in as they were written.
    const bytes = utf8(head.replace(/\]\}\]\}$/, () => `${issues.join(",")}]}]}`));
    written += issues.length;
    [issues, ids, people, links, size] = [[], new Set(), new Set(), [], 0];
    return { path: `jira-import/${String(number).padStart(3, "0")}.json`, source: "bytes", bytes };
  };
  return {
    add(folder, pathOf) {
      const { value, people: named } = importedIssue(folder, names, pathOf);
      const text = JSON.stringify(value);
      const bytes = utf8(text).length;
      if (leftOut > 0 || total + bytes > limits.bytes) {
        leftOut += 1;
        return null;
      }
      const isFull = issues.length >= limits.issues || (size > 0 && size + bytes > limits.perFile);
      const file = isFull ? flush() : null;
      issues.push(text);
      ids.add(folder.issue.id);
      for (const name of named) people.add(name);
      links.push(...importedLinks(folder.issue));
      size += bytes;
      total += bytes;
      return file;
    },
    end() {
      const last = flush();
      const text = readme({ files: number, written, leftOut, cutLinks });
      const note: ExportFile = { path: "jira-import/README.txt", source: "bytes", bytes: utf8(text) };
      return last === null ? [note] : [last, note];
    },
  };
}

async function projectOf(snapshot: SnapshotView): Promise<{ [key: string]: Json }> {
  const components = await readAll(snapshot, recordPaths.components, namedSchema);
  const versions = await readAll(snapshot, recordPaths.versions, versionSchema);
  const record =
    (await snapshot.find(recordPaths.project)) === null
      ? { key: "", name: "", projectTypeKey: "software", description: null }
      : projectRecordSchema.parse(await snapshot.readRecord(recordPaths.project));
  return importedProject(record, {
    components: components.map(({ name }) => name),
    versions: versions.map(({ name, released, releaseDate }) => ({
      name,
      released: released === true,
      ...(releaseDate ? { releaseDate } : {}),
    })),
  });
}

function readme(told: { files: number; written: number; leftOut: number; cutLinks: number }): string {
  const { files, written, leftOut, cutLinks } = told;
  return [
    "Files for Jira's JSON importer",
    "",
    `  ${written} issues in ${files} ${files === 1 ? "file" : "files"} of at most ${MOST_ISSUES}, which Atlassian recommends.`,
    ...(leftOut === 0
      ? []
      : [`  ${leftOut} more issues did not fit. They are in issues.csv and in metadata/, like all others.`]),
    "",
    "How to use them",
    "  In Jira: Settings, System, External System Import, JSON. Import 001.json first, then the others in order.",
    '  The format is described by Atlassian under "Import data from JSON" (support.atlassian.com).',
    "  Try it with a small project in an empty site first, and compare: Atlassian may change the importer at any time.",
    "  Jira fetches attachments from the web. Put the folder attachments/ of this ZIP on a web server that Jira can",
    '  reach, and replace "attachments/ with "https://your-server/attachments/ in the files.',
    "",
    "What they carry",
    "  keys, dates, people by their account ids, statuses, comments and work logs with author and date, the history,",
    "  components, versions, labels, fields of the project, watchers, links and sub-tasks.",
    "",
    "What Jira's importer cannot take",
    "  formatting of texts, who may see a comment, ranks, boards and sprints, workflows, screens, schemes, permissions,",
    "  web links, issue properties, and values that app fields store in a form of their own.",
    `  Links between issues of two files: ${cutLinks} are left out here and stand in issues.csv.`,
    "",
  ].join("\n");
}
