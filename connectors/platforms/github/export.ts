import type { CloneRoot, ExportFile } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { gitEntries } from "#connectors/toolkit/git/repository/git-chain.ts";
import {
  findCloneRoot,
  findRepository,
  indexScript,
  isIndexed,
  repositoryFiles,
  type StoredRepository,
  safeFileName,
} from "#connectors/toolkit/git/repository/repository-files.ts";
import { utf8 } from "#core/kernel/crypto.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { GIT, WIKI } from "./git-platform.ts";
import { REPOSITORY_ENTRY, repositoryRecordSchema } from "./repository-record.ts";

/** The open ZIP: a README, the settings as JSON, and a bare repository that plain git opens. */
export async function* exportFiles(
  snapshot: SnapshotView,
  item: { name: string },
): AsyncIterable<ExportFile> {
  const name = safeFileName(item.name);
  const contents = await findRepository(snapshot, GIT);
  invariant(contents !== null, "every version of a repository has git data");
  const wiki = await findRepository(snapshot, WIKI);
  const unindexed: string[] = [];
  if (!isIndexed(contents)) unindexed.push(`${name}.git`);
  if (wiki !== null && !isIndexed(wiki)) unindexed.push(`${name}.wiki.git`);
  const text = readme(name, contents, { hasWiki: wiki !== null, isComplete: unindexed.length === 0 });
  yield { path: "README.txt", source: "bytes", bytes: utf8(text) };
  yield { path: "metadata/repository.json", source: "entry", entry: REPOSITORY_ENTRY };
  yield { path: "metadata/refs.json", source: "entry", entry: gitEntries(GIT).refs };
  yield* repositoryFiles(contents, `${name}.git/`);
  if (wiki !== null) yield* repositoryFiles(wiki, `${name}.wiki.git/`);
  if (unindexed.length > 0) {
    yield { path: "restore.sh", source: "bytes", bytes: utf8(indexScript(unindexed)) };
  }
}

/** The repository and its wiki, once every git pack has its index: without one, git cannot clone over plain HTTP. */
export async function cloneRoots(snapshot: SnapshotView): Promise<CloneRoot[]> {
  const repository = repositoryRecordSchema.parse(await snapshot.readRecord(REPOSITORY_ENTRY));
  const name = safeFileName(repository.name);
  const roots = [
    await findCloneRoot(snapshot, { prefix: GIT, name: `${name}.git` }),
    await findCloneRoot(snapshot, { prefix: WIKI, name: `${name}.wiki.git` }),
  ];
  return roots.filter((root) => root !== null);
}

function readme(
  name: string,
  repository: StoredRepository,
  { hasWiki, isComplete }: { hasWiki: boolean; isComplete: boolean },
): string {
  const { refs, chain, packs } = repository;
  const count = (prefix: string) => refs.refs.filter((ref) => ref.name.startsWith(prefix)).length;
  const objects = chain?.packs.reduce((sum, pack) => sum + pack.objects, 0) ?? 0;
  const lines = [
    `${name} - a backup of a GitHub repository`,
    "",
    "What is inside",
    `  ${name}.git/              a bare git repository: ${count("refs/heads/")} branches, ${count("refs/tags/")} tags,`,
    `                            ${count("refs/notes/")} notes, heads of ${count("refs/pull/")} pull requests,`,
    `                            ${objects} objects in ${packs.length} packs`,
    ...(hasWiki ? [`  ${name}.wiki.git/         its wiki, a bare git repository as well`] : []),
    "  metadata/repository.json  description, topics, visibility, default branch and settings",
    "  metadata/refs.json        every ref and the object it points to",
    "",
    "How to open it",
    `  git clone ${name}.git my-copy`,
    "  (needs git and nothing else; all branches are there as origin/...)",
    "",
    "How to bring it to any git server",
    `  cd ${name}.git && git push --mirror https://example.com/new-empty-repository.git`,
    "  (GitHub refuses refs/pull/*; everything else arrives)",
    "",
    "How to check it",
    `  cd ${name}.git && git fsck --full`,
  ];
  if (!isComplete) {
    lines.push(
      "",
      "First step for this archive: at least one git pack was too large to be indexed where it was stored.",
      "Its bytes are complete. Make its index once, with git and about as much memory as the pack is large:",
      "  sh restore.sh",
    );
  }
  lines.push(
    "",
    "What is not inside",
    "  Issues, pull request discussions, releases, files kept by Git LFS and the settings of other people.",
    "  Objects that an LFS pointer names are stored at GitHub's LFS server, not in git.",
  );
  return `${lines.join("\n")}\n`;
}
