import type { CloneRoot, ExportFile } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import {
  bareRepositoryFiles,
  INDEX_COMPANION,
  type StoredPack,
} from "#connectors/toolkit/git/bare-repository.ts";
import { utf8 } from "#core/kernel/crypto.ts";
import { ENTRY, findChain, type GitChain, type RefsRecord, readRefs } from "./git-chain.ts";
import { repositoryRecordSchema } from "./repository-record.ts";

/** The open ZIP: a README, the settings as JSON, and a bare repository that plain git opens. */
export async function* exportFiles(
  snapshot: SnapshotView,
  item: { name: string },
): AsyncIterable<ExportFile> {
  const name = safeName(item.name);
  const contents = await readContents(snapshot);
  yield { path: "README.txt", source: "bytes", bytes: utf8(readme(name, contents)) };
  yield { path: "metadata/repository.json", source: "entry", entry: ENTRY.repository };
  yield { path: "metadata/refs.json", source: "entry", entry: ENTRY.refs };
  yield* bareRepositoryFiles({ ...contents.refs, packs: contents.packs, prefix: `${name}.git/` });
  if (contents.packs.some((pack) => !pack.hasIdx)) {
    yield { path: "restore.sh", source: "bytes", bytes: utf8(restoreScript(name)) };
  }
}

/** The repository, once every git pack has its index: without one, git cannot clone over plain HTTP. */
export async function cloneRoots(snapshot: SnapshotView): Promise<CloneRoot[]> {
  const contents = await readContents(snapshot);
  if (contents.packs.some((pack) => !pack.hasIdx)) return [];
  const repository = repositoryRecordSchema.parse(await snapshot.readRecord(ENTRY.repository));
  return [
    {
      name: `${safeName(repository.name)}.git`,
      files: bareRepositoryFiles({ ...contents.refs, packs: contents.packs, prefix: "" }),
    },
  ];
}

type Contents = { refs: RefsRecord; chain: GitChain | null; packs: StoredPack[] };

async function readContents(snapshot: SnapshotView): Promise<Contents> {
  const refs = await readRefs(snapshot);
  const chain = await findChain(snapshot);
  const packs: StoredPack[] = [];
  for (const pack of chain?.packs ?? []) {
    const hasIdx = (await snapshot.findCompanion(pack.path, INDEX_COMPANION)) !== null;
    packs.push({ name: pack.hash, entry: pack.path, hasIdx });
  }
  return { refs, chain, packs };
}

/** Letters that every file system takes; a name can neither leave its folder nor hide. */
function safeName(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^\.+/, "") || "repository";
}

/** Makes the indexes that the archive lacks; `git index-pack` needs as much memory as it likes, this service has little. */
function restoreScript(name: string): string {
  const lines = [
    "#!/bin/sh",
    "# Makes the missing indexes of the git packs in this folder, then checks the repository.",
    "set -eu",
    `cd "$(dirname "$0")/${name}.git"`,
    "for pack in objects/pack/*.pack; do",
    '  [ -e "$(dirname "$pack")/$(basename "$pack" .pack).idx" ] || git index-pack "$pack"',
    "done",
    "git fsck --full",
  ];
  return `${lines.join("\n")}\n`;
}

function readme(name: string, { refs, chain, packs }: Contents): string {
  const count = (prefix: string) => refs.refs.filter((ref) => ref.name.startsWith(prefix)).length;
  const objects = chain?.packs.reduce((sum, pack) => sum + pack.objects, 0) ?? 0;
  const lines = [
    `${name} - a backup of a GitHub repository`,
    "",
    "What is inside",
    `  ${name}.git/              a bare git repository: ${count("refs/heads/")} branches, ${count("refs/tags/")} tags,`,
    `                            ${count("refs/notes/")} notes, heads of ${count("refs/pull/")} pull requests,`,
    `                            ${objects} objects in ${packs.length} packs`,
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
  if (packs.some((pack) => !pack.hasIdx)) {
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
    "  Issues, pull request discussions, releases, wikis, files kept by Git LFS and the settings of other people.",
    "  Objects that an LFS pointer names are stored at GitHub's LFS server, not in git.",
  );
  return `${lines.join("\n")}\n`;
}
