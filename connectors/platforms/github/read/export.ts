import type { CloneRoot, ExportFile } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { countLfsFiles, lfsFiles } from "#connectors/toolkit/git/lfs/lfs-files.ts";
import { cloneHelp } from "#connectors/toolkit/git/repository/clone-help.ts";
import { gitEntries } from "#connectors/toolkit/git/repository/git-chain.ts";
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
import { utf8 } from "#core/kernel/crypto.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { GIT, WIKI } from "../git-platform.ts";
import { recordPaths } from "../record-paths.ts";
import { repositoryRecordSchema } from "./repository-record.ts";

/** Everything that is not git. It is exported under `metadata/`, in the same folders as in the snapshot. */
const RECORD_PREFIXES = [
  "labels/",
  "milestones/",
  "issues/",
  "pulls/",
  "releases/",
  "discussions/",
  "projects/",
  "settings/",
  "comments/",
];

/**
 * Exports the files of the ZIP: a README, the records as JSON, release assets and attached files, and bare repositories
 * that plain git can open.
 */
export async function* exportFiles(
  snapshot: SnapshotView,
  item: { name: string; reachedOnly?: boolean },
): AsyncIterable<ExportFile> {
  const name = safeFileName(item.name);
  const contents = await findRepository(snapshot, GIT, item);
  invariant(contents !== null, "every version of a repository or gist has git data");
  const wiki = await findRepository(snapshot, WIKI, item);
  const unindexed: string[] = [];
  if (!isIndexed(contents)) unindexed.push(`${name}.git`);
  if (wiki !== null && !isIndexed(wiki)) unindexed.push(`${name}.wiki.git`);
  const isGist = (await snapshot.find(recordPaths.gist)) !== null;
  const lfsCount = await countLfsFiles(snapshot);
  const facts = { isGist, hasWiki: wiki !== null, lfsCount, isComplete: unindexed.length === 0 };
  yield { path: "README.txt", source: "bytes", bytes: utf8(readme(name, contents, facts)) };
  if (isGist) yield { path: "metadata/gist.json", source: "entry", entry: recordPaths.gist };
  else yield { path: "metadata/repository.json", source: "entry", entry: recordPaths.repository };
  yield { path: "metadata/refs.json", source: "entry", entry: gitEntries(GIT).refs };
  for (const prefix of RECORD_PREFIXES) yield* recordFiles(snapshot, prefix);
  yield* repositoryFiles(contents, `${name}.git/`);
  yield* lfsFiles(snapshot, `${name}.git/`);
  if (wiki !== null) yield* repositoryFiles(wiki, `${name}.wiki.git/`);
  if (unindexed.length > 0) {
    yield { path: "restore.sh", source: "bytes", bytes: utf8(indexScript(unindexed)) };
  }
}

/**
 * Exports records under their own paths. Release assets and attached files get their names back, prefixed with their id
 * because names may repeat.
 */
async function* recordFiles(snapshot: SnapshotView, prefix: string): AsyncGenerator<ExportFile, void> {
  for await (const { path, type, title } of snapshot.list(prefix)) {
    const attached = /^([a-z]+(?:\/\d+)?)\/attachments\/([\w-]+)$/.exec(path);
    const asset = /^releases\/(\d+)\/assets\/(\d+)$/.exec(path);
    if (type === "record") yield { path: `metadata/${path}`, source: "entry", entry: path };
    else if (asset !== null) {
      const name = `release-files/${asset[1]}/${asset[2]}-${safeFileName(title ?? "file")}`;
      yield { path: name, source: "entry", entry: path };
    } else if (attached !== null) {
      const [, thing, key] = attached;
      const name = safeFileName(title ?? "file");
      // A picture's name already contains its key.
      const file = name.includes(key ?? "") ? name : `${key}-${name}`;
      yield { path: `attachments/${thing}/${file}`, source: "entry", entry: path };
    }
  }
}

/** Makes the packs of an export with only what refs reach. */
export const reach = (snapshot: SnapshotView) => reachRepositories(snapshot, [GIT, WIKI]);

const VIEWER_LINES = [
  "  index.html                what people wrote, to be read in a browser; it needs no network",
  "  viewer/                   what that page reads",
];
const GIST_FILES = [
  "  metadata/gist.json        description, visibility and the list of files",
  "  metadata/comments/        one file per comment",
  "  attachments/comments/     files attached to comments",
];
const REPOSITORY_FILES = [
  "  metadata/repository.json  description, topics, visibility, default branch and switches",
  "  metadata/issues/          one folder per issue: issue.json, comments/, events/",
  "  metadata/pulls/           one folder per pull request: pull.json, comments/, reviews/, review-comments/, events/",
  "  metadata/labels/, metadata/milestones/, metadata/releases/, metadata/discussions/, metadata/projects/",
  "                            one file per thing, in GitHub's own words",
  "  metadata/settings/        branch protection, rulesets, webhooks, collaborators, environments, names of secrets",
  "  release-files/            the files of releases, by release; each name begins with the file's number",
  "  attachments/              files attached to texts, by the thing that the text belongs to",
];

/**
 * Returns the repository and its wiki once every git pack has an index. Without one, git cannot clone over plain HTTP.
 */
export async function cloneRoots(snapshot: SnapshotView): Promise<CloneRoot[]> {
  const name = safeFileName(await nameOf(snapshot));
  return await findCloneRoots(snapshot, [
    { prefix: GIT, name: `${name}.git` },
    { prefix: WIKI, name: `${name}.wiki.git` },
  ]);
}

async function nameOf(snapshot: SnapshotView): Promise<string> {
  const gist = await snapshot.find(recordPaths.gist);
  if (gist !== null) return gist.title ?? "gist";
  return repositoryRecordSchema.parse(await snapshot.readRecord(recordPaths.repository)).name;
}

type ArchiveFacts = { isGist: boolean; hasWiki: boolean; lfsCount: number; isComplete: boolean };

function readme(
  name: string,
  repository: StoredRepository,
  { isGist, hasWiki, lfsCount, isComplete }: ArchiveFacts,
): string {
  const { refs, chain, packs } = repository;
  const count = (prefix: string) => refs.refs.filter((ref) => ref.name.startsWith(prefix)).length;
  const known = ["refs/heads/", "refs/tags/", "refs/notes/", "refs/pull/"];
  const others = refs.refs.filter(({ name }) => !known.some((folder) => name.startsWith(folder))).length;
  const objects = chain?.packs.reduce((sum, pack) => sum + pack.objects, 0) ?? 0;
  const lines = [
    `${name} - a backup of a GitHub ${isGist ? "gist" : "repository"}`,
    "",
    "What is inside",
    ...VIEWER_LINES,
    `  ${name}.git/              a bare git repository: ${count("refs/heads/")} branches, ${count("refs/tags/")} tags,`,
    `                            ${count("refs/notes/")} notes, heads of ${count("refs/pull/")} pull requests,`,
    ...(others > 0 ? [`                            ${others} refs in other folders,`] : []),
    `                            ${objects} objects in ${packs.length} packs`,
    ...(lfsCount > 0
      ? [`                            and ${lfsCount} files of Git LFS below lfs/objects`]
      : []),
    ...(hasWiki ? [`  ${name}.wiki.git/         its wiki, a bare git repository as well`] : []),
    "  metadata/refs.json        every ref and the object it points to",
    ...(isGist ? GIST_FILES : REPOSITORY_FILES),
    "",
    ...cloneHelp({ name, lfsCount, refused: "GitHub refuses refs/pull/*" }),
  ];
  if (!isComplete) {
    lines.push(
      "",
      "First step for this archive: at least one git pack was too large to be indexed where it was stored.",
      "Its bytes are complete. Make its index once, with git and about as much memory as the pack is large:",
      "  sh restore.sh",
    );
  }
  if (!isGist)
    lines.push(
      "",
      "What is not inside",
      "  Values of secrets and variables, which GitHub never shows, and those attached files that GitHub gives to signed-in",
      "  browsers only.",
    );
  return `${lines.join("\n")}\n`;
}
