import type { CloneRoot, ExportFile } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { bareRepositoryFiles, INDEX_COMPANION, type StoredPack } from "../bare-repository.ts";
import { findChain, type GitChain, hasRepository, type RefsRecord, readRefs } from "./git-chain.ts";
import { openUploadPack } from "./open-upload-pack.ts";
import { reachedNames } from "./reach-repositories.ts";

/** A git repository as stored in a version. */
export type StoredRepository = { refs: RefsRecord; chain: GitChain | null; packs: StoredPack[] };

/**
 * Finds the repository below a prefix, or null.
 *
 * @param reachedOnly With only what its refs reach, as `reachRepositories` has written it.
 * @throws ZodError when its record is invalid
 */
export async function findRepository(
  snapshot: SnapshotView,
  prefix: string,
  { reachedOnly = false }: { reachedOnly?: boolean } = {},
): Promise<StoredRepository | null> {
  if (!(await hasRepository(snapshot, prefix))) return null;
  const refs = await readRefs(snapshot, prefix);
  const chain = await findChain(snapshot, prefix);
  const reached = reachedOnly ? await reachedNames(snapshot, prefix) : null;
  if (reached !== null) {
    const { entry, name, ...instead } = reached;
    return { refs, chain, packs: [{ name, entry, hasIdx: true, instead }] };
  }
  const packs: StoredPack[] = [];
  for (const pack of chain?.packs ?? []) {
    const hasIdx = (await snapshot.findCompanion(pack.path, INDEX_COMPANION)) !== null;
    packs.push({ name: pack.hash, entry: pack.path, hasIdx });
  }
  return { refs, chain, packs };
}

/** The files of a bare repository. @param folder Its folder, with a trailing slash, or empty. */
export function repositoryFiles(
  { refs, packs }: StoredRepository,
  folder: string,
): AsyncIterable<ExportFile> {
  return bareRepositoryFiles({ ...refs, packs, prefix: folder });
}

/** Whether plain git can open the repository, which needs every index. */
export function isIndexed({ packs }: StoredRepository): boolean {
  return packs.every((pack) => pack.hasIdx);
}

/**
 * The repositories for `git clone` over HTTP, the item's own first. The list ends at one that lacks an index, so
 * that another one never takes the place of the first. Those that the version does not have are left out.
 *
 * @param wanted Prefix of each, and the name of the clone's folder, ending with `.git`.
 */
export async function findCloneRoots(
  snapshot: SnapshotView,
  wanted: readonly { prefix: string; name: string }[],
): Promise<CloneRoot[]> {
  const roots: CloneRoot[] = [];
  for (const { prefix, name } of wanted) {
    const repository = await findRepository(snapshot, prefix);
    if (repository === null) continue;
    if (!isIndexed(repository)) break;
    roots.push({
      name,
      files: repositoryFiles(repository, ""),
      uploadPack: () => openUploadPack(snapshot, repository),
    });
  }
  return roots;
}

/** Windows device names, which no file or folder may have there, with any extension. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9]|lpt[0-9])(\.|$)/i;
const LONGEST_NAME = 120;
/** Number of characters kept at the end, so that a long name keeps its suffix. */
const KEPT_END = 16;

/**
 * Reduces a name to characters that every file system accepts. The result cannot leave its folder, be hidden, look
 * like an option or be too long. A repository's folder must keep its name in an archive: git would not recognise it
 * with files renamed one by one.
 */
export function safeFileName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[.-]+/, "");
  const isLong = plain.length > LONGEST_NAME;
  const short = isLong ? `${plain.slice(0, LONGEST_NAME - KEPT_END)}${plain.slice(-KEPT_END)}` : plain;
  if (short === "") return "repository";
  return RESERVED.test(short) ? `_${short}` : short;
}

/**
 * A shell script that creates an archive's missing indexes, because `git index-pack` can use more memory than this
 * service has.
 *
 * @param folders Folders of the bare repositories, next to the script, without a trailing slash.
 */
export function indexScript(folders: readonly string[]): string {
  const lines = [
    "#!/bin/sh",
    "# Makes the missing indexes of the git packs in this folder, then checks the repositories.",
    "set -eu",
    'cd "$(dirname "$0")"',
  ];
  for (const folder of folders) {
    lines.push(
      `for pack in "${folder}"/objects/pack/*.pack; do`,
      '  [ -e "$pack" ] || continue',
      '  [ -e "$(dirname "$pack")/$(basename "$pack" .pack).idx" ] || git index-pack "$pack"',
      "done",
      `git --git-dir="${folder}" fsck --full`,
    );
  }
  return `${lines.join("\n")}\n`;
}
