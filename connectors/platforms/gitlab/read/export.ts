import type { CloneRoot, ExportFile } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { countLfsFiles, lfsFiles } from "#connectors/toolkit/git/lfs/lfs-files.ts";
import { cloneHelp } from "#connectors/toolkit/git/repository/clone-help.ts";
import { reachRepositories } from "#connectors/toolkit/git/repository/reach-repositories.ts";
import {
  findCloneRoots,
  findRepository,
  indexScript,
  isIndexed,
  repositoryFiles,
  type StoredRepository,
  safeFileName,
} from "#connectors/toolkit/git/repository/repository-files.ts";
import { STATE_PATH } from "#connectors/toolkit/records/backup-state.ts";
import { utf8 } from "#core/kernel/crypto.ts";
import { GIT, WIKI } from "../git-platform.ts";
import { recordPaths } from "../record-paths.ts";
import { projectRecordSchema } from "./project-record.ts";
import { snippetRecordSchema } from "./snippet-record.ts";

/** The files of the ZIP: a README, bare repositories that plain git can open, and everything else as JSON. */
export async function* exportFiles(
  snapshot: SnapshotView,
  item: { name: string; reachedOnly?: boolean },
): AsyncIterable<ExportFile> {
  const name = safeFileName(item.name);
  const git = await findRepository(snapshot, GIT, item);
  const wiki = await findRepository(snapshot, WIKI, item);
  const isProject = (await snapshot.find(recordPaths.project)) !== null;
  const lfsCount = await countLfsFiles(snapshot);
  yield {
    path: "README.txt",
    source: "bytes",
    bytes: utf8(readme(name, { git, wiki, isProject, lfsCount, uploads: snapshot.counts().upload ?? 0 })),
  };
  const folders: string[] = [];
  for (const [repository, folder] of [
    [git, `${name}.git`],
    [wiki, `${name}.wiki.git`],
  ] as const) {
    if (repository === null) continue;
    yield* repositoryFiles(repository, `${folder}/`);
    if (!isIndexed(repository)) folders.push(folder);
  }
  yield* lfsFiles(snapshot, `${name}.git/`);
  if (folders.length > 0) yield { path: "restore.sh", source: "bytes", bytes: utf8(indexScript(folders)) };
  yield* recordFiles(snapshot);
}

/** Makes the packs of an export with only what refs reach. */
export const reach = (snapshot: SnapshotView) => reachRepositories(snapshot, [GIT, WIKI]);

/** Every record under its path in the version. Git records are left out: they are in the repositories. */
async function* recordFiles(snapshot: SnapshotView): AsyncIterable<ExportFile> {
  for await (const { path, type, title } of snapshot.list()) {
    if (type === "stream" && path.startsWith(recordPaths.uploads)) {
      // Prefixed with its number, because names may repeat.
      yield { path: `${path}-${safeFileName(title ?? "file")}`, source: "entry", entry: path };
    }
    if (type !== "record" || path === STATE_PATH || path.startsWith(GIT) || path.startsWith(WIKI)) continue;
    yield { path: `metadata/${safePath(path)}`, source: "entry", entry: path };
  }
}

/** Escapes dot segments and backslashes: a tag's name becomes part of a path and must not leave its folder. */
function safePath(path: string): string {
  return path
    .split("/")
    .map((part) => (/^\.+$/.test(part) ? part.replaceAll(".", "%2E") : part.replaceAll("\\", "%5C")))
    .join("/");
}

/** The repositories to clone, if every git pack has its index: git needs indexes to clone over plain HTTP. */
export async function cloneRoots(snapshot: SnapshotView): Promise<CloneRoot[]> {
  const name = safeFileName(await nameOf(snapshot));
  return await findCloneRoots(snapshot, [
    { prefix: GIT, name: `${name}.git` },
    { prefix: WIKI, name: `${name}.wiki.git` },
  ]);
}

async function nameOf(snapshot: SnapshotView): Promise<string> {
  if ((await snapshot.find(recordPaths.project)) !== null) {
    return projectRecordSchema.parse(await snapshot.readRecord(recordPaths.project)).path;
  }
  return snippetRecordSchema.parse(await snapshot.readRecord(recordPaths.snippet)).title;
}

type ArchiveFacts = {
  git: StoredRepository | null;
  wiki: StoredRepository | null;
  isProject: boolean;
  lfsCount: number;
  /** Number of files attached to texts. */
  uploads: number;
};

function readme(name: string, { git, wiki, isProject, lfsCount, uploads }: ArchiveFacts): string {
  const count = (prefix: string) => git?.refs.refs.filter((ref) => ref.name.startsWith(prefix)).length ?? 0;
  const lines = [
    `${name} - a backup of a GitLab ${isProject ? "project" : "snippet"}`,
    "",
    "What is inside",
    "  index.html     what people wrote, to be read in a browser; it needs no network",
    "  viewer/        what that page reads",
    ...(git === null
      ? []
      : [
          `  ${name}.git/   a bare git repository: ${count("refs/heads/")} branches, ${count("refs/tags/")} tags,`,
          `                 heads of ${count("refs/merge-requests/")} merge requests`,
        ]),
    ...(lfsCount > 0 ? [`                 and ${lfsCount} files of Git LFS below lfs/objects`] : []),
    ...(wiki === null ? [] : [`  ${name}.wiki.git/   the wiki, a bare git repository too`]),
    ...(isProject
      ? [
          "  metadata/project.json          description, topics, visibility and settings",
          "  metadata/issues/<number>/      each issue with its notes",
          "  metadata/merge-requests/<number>/  each merge request with its notes",
          "  metadata/labels, milestones, releases, boards, settings",
          ...(uploads > 0
            ? [
                `  uploads/                       files attached to texts (${uploads}); each name begins with the file's number`,
              ]
            : []),
        ]
      : [
          "  metadata/snippet.json   title, description, visibility",
          "  metadata/notes/         comments, if any",
        ]),
    "",
    ...(git === null
      ? WITHOUT_CODE
      : cloneHelp({ name, lfsCount, refused: "GitLab refuses refs/merge-requests/*" })),
  ];
  const isReady = [git, wiki].every((repository) => repository === null || isIndexed(repository));
  if (!isReady) {
    lines.push(
      "",
      "First step for this archive: at least one git pack was too large to be indexed where it was stored.",
      "Its bytes are complete. Make its index once, with git and about as much memory as the pack is large:",
      "  sh restore.sh",
    );
  }
  lines.push("", "What is not inside", ...(isProject ? PROJECT_LACKS : SNIPPET_LACKS));
  return `${lines.join("\n")}\n`;
}

const PROJECT_LACKS = [
  "  Values of CI/CD variables, secrets of webhooks, pipelines and their files, packages, container images, pages,",
  "  time tracking, epics, iterations, and reactions to comments. GitLab lists files attached to texts to a project's",
  "  maintainers alone: where the connected account is none, they are not inside either.",
];

const SNIPPET_LACKS = [
  "  Files attached to texts, reactions to comments, and comments of a personal snippet, which GitLab does not hand out.",
];

const WITHOUT_CODE = [
  "There is no git repository in it",
  "  When this version was taken, the repository was switched off in the project, or nobody had pushed to it.",
];
